const HOUR_SECONDS = 3600;
/** Guard and re-plan are work of functions: after a day nobody is coming back, and the sweep starts another execution. */
const WORK_SECONDS = 24 * HOUR_SECONDS;
const SEND_SECONDS = 300;

/** Where the machine's messages go, and the partition of the ARNs of AWS's own integrations. */
export interface ApprovalPlace {
  readonly controlQueueUrl: string;
  readonly partition: string;
}

/**
 * The approval flow of P7 in the Amazon States Language, JSONPath. It starts where `enter` says; each of three states sends a
 * control message with a task token and waits; whoever completes the token says what is `next`.
 *
 * Its input is `{ enter, run, group, expiresSeconds }`. An answer replaces the state's input, so one that says `ask` brings
 * `expiresSeconds` too; who the messages are about is taken from the execution's input, which nothing replaces.
 */
export function approvalStates(place: ApprovalPlace): object {
  const asked = { TimeoutSecondsPath: '$.expiresSeconds', Catch: [{ ErrorEquals: ['States.Timeout'], Next: 'TellExpired' }] };
  return {
    Comment: 'Asks for a decision, guards it, plans again when the world moved, and asks again',
    StartAt: 'Enter',
    States: {
      Enter: choice('$.enter', { ask: 'RequestApproval', guard: 'Guard', replan: 'Replan' }),
      RequestApproval: waiting(place, 'ask', asked),
      Guard: waiting(place, 'guard', { TimeoutSeconds: WORK_SECONDS }),
      Replan: waiting(place, 'replan', { TimeoutSeconds: WORK_SECONDS }),
      Route: choice('$.next', { ask: 'RequestApproval', guard: 'Guard', replan: 'Replan', done: 'Done' }),
      TellExpired: {
        ...sending(place, '', { format: 2, ...about, step: 'expired' }),
        TimeoutSeconds: SEND_SECONDS,
        Next: 'Done',
      },
      Done: { Type: 'Succeed' },
      Unknown: { Type: 'Fail', Error: 'UnknownStep', Cause: 'The input or an answer names no step of the approval flow' },
    },
  };
}

const about = { 'run.$': '$$.Execution.Input.run', 'group.$': '$$.Execution.Input.group' };

/**
 * A state that waits for its token. A retry sends another token while the time of entry stays what it was: the number of the
 * retry makes the two comparable.
 */
const waiting = (place: ApprovalPlace, step: string, timing: object): object => ({
  ...sending(place, '.waitForTaskToken', {
    format: 2,
    ...about,
    step,
    'token.$': '$$.Task.Token',
    'entered.$': "States.Format('{}#{}', $$.State.EnteredTime, $$.State.RetryCount)",
    'execution.$': '$$.Execution.Name',
  }),
  ...timing,
  Next: 'Route',
});

const sending = ({ controlQueueUrl, partition }: ApprovalPlace, pattern: '' | '.waitForTaskToken', message: object): object => ({
  Type: 'Task',
  Resource: `arn:${partition}:states:::sqs:sendMessage${pattern}`,
  Parameters: { QueueUrl: controlQueueUrl, 'MessageGroupId.$': about['group.$'], MessageBody: message },
  // Of a queue that does not answer; an answer that says no is the caller's.
  Retry: [{ ErrorEquals: ['SQS.AmazonSQSException', 'SQS.SdkClientException'], IntervalSeconds: 2, MaxAttempts: 4, BackoffRate: 2 }],
});

const choice = (variable: string, ways: Readonly<Record<string, string>>): object => ({
  Type: 'Choice',
  Choices: Object.entries(ways).map(([value, state]) => ({ Variable: variable, StringEquals: value, Next: state })),
  Default: 'Unknown',
});
