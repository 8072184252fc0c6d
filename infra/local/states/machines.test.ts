import {
  DescribeExecutionCommand,
  SendTaskFailureCommand,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { approvalStates } from '../../approval-states.ts';
import { sqsOf } from '../sample-clients.ts';
import { templateOf } from '../sample-template.ts';
import { type LocalStack, startLocalStack } from '../stack.ts';
import type { Declaration, Template } from '../template/template.ts';

/** The definition as CDK writes it: text with references in it. */
function machineOver(queueId: string): Declaration {
  const parts = JSON.stringify(approvalStates({ controlQueueUrl: 'HERE', partition: 'aws' })).split('HERE');
  const joined = parts.flatMap((part, index) => (index === 0 ? [part] : [{ Ref: queueId }, part]));
  return { Type: 'AWS::StepFunctions::StateMachine', Properties: { DefinitionString: { 'Fn::Join': ['', joined] } } };
}

const template = (): Template => templateOf({ Control: { Type: 'AWS::SQS::Queue' }, Audit: { Type: 'AWS::SQS::Queue' }, Approvals: machineOver('Control') });
const input = { enter: 'ask', run: 'run-1', group: '4711', expiresSeconds: 86_400 };

let stack: LocalStack | undefined;
let client: SFNClient;
const logged: string[] = [];

async function start(from: Template = template()): Promise<LocalStack> {
  stack = await startLocalStack({ template: from, handlers: {}, log: (message, error) => void logged.push(`${message}: ${error}`) });
  client = new SFNClient({ endpoint: stack.environment['AWS_ENDPOINT_URL_SFN'] ?? '', region: 'us-east-1', maxAttempts: 1, credentials });
  return stack;
}
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

beforeEach(() => void logged.splice(0));
afterEach(async () => {
  client.destroy();
  await stack?.stop();
});

async function startExecution(name: string, more: object = {}, machine = 'Approvals'): Promise<string> {
  const stateMachineArn = stack?.physical(machine);
  const { executionArn = '' } = await client.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify({ ...input, ...more }) }));
  return executionArn;
}

/** The next message of a queue. The stack is idle when it lies there. */
async function next(queueId = 'Control'): Promise<{ step: string; token: string }> {
  await stack?.idle();
  const queue = sqsOf(stack as LocalStack);
  const { Messages = [] } = await queue.send(new ReceiveMessageCommand({ QueueUrl: stack?.physical(queueId), VisibilityTimeout: 600 }));
  queue.destroy();
  return JSON.parse(Messages[0]?.Body ?? '{}');
}

const succeed = (taskToken: string, output: unknown) => client.send(new SendTaskSuccessCommand({ taskToken, output: JSON.stringify(output) }));
const describeExecution = (executionArn: string) => client.send(new DescribeExecutionCommand({ executionArn }));

describe('a state machine of the template', () => {
  test('runs through its queue and its tokens to the end', async () => {
    const running = await start();
    const execution = await startExecution('run-1-1');
    for (const [step, answer] of [
      ['ask', 'guard'],
      ['guard', 'replan'],
      ['replan', 'ask'],
      ['ask', 'guard'],
      ['guard', 'done'],
    ] as const) {
      const message = await next();
      expect(message.step).toBe(step);
      await succeed(message.token, { next: answer, expiresSeconds: 60 });
    }
    await running.idle();
    const described = await describeExecution(execution);
    expect(described).toMatchObject({ status: 'SUCCEEDED', name: 'run-1-1', stateMachineArn: running.physical('Approvals'), output: expect.any(String) });
    expect(JSON.parse(described.input ?? '')).toEqual(input);
    expect(described.stopDate?.getTime()).toBeGreaterThanOrEqual(described.startDate?.getTime() ?? Number.NaN);
  });

  test('starts a name once, with the same input or another', async () => {
    await start();
    await startExecution('run-1-1');
    for (const more of [{}, { group: 'other' }]) await expect(startExecution('run-1-1', more)).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
    expect((await stack?.queueDepths())?.['Control']).toMatchObject({ visible: 1 });
  });

  test('stands beside another of the same template, with names of its own', async () => {
    const two = template();
    two.Resources['Second'] = machineOver('Audit');
    await start(two);
    await startExecution('same');
    await startExecution('same', { enter: 'guard' }, 'Second');
    expect([(await next('Control')).step, (await next('Audit')).step]).toEqual(['ask', 'guard']);
  });

  test('is not started under a name that AWS refuses, with input that is no JSON, or where there is none', async () => {
    await start();
    const send = (more: object) => client.send(new StartExecutionCommand({ stateMachineArn: stack?.physical('Approvals'), ...more }));
    await expect(send({ name: 'a b' })).rejects.toMatchObject({ name: 'InvalidName' });
    await expect(send({ name: 'a'.repeat(81) })).rejects.toMatchObject({ name: 'InvalidName' });
    await expect(send({ input: '{' })).rejects.toMatchObject({ name: 'InvalidExecutionInput' });
    await expect(send({ stateMachineArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:none' })).rejects.toMatchObject({
      name: 'StateMachineDoesNotExist',
    });
  });

  test('that fails is logged with its logical id and the execution', async () => {
    const running = await start();
    const execution = await startExecution('run-1-1', { enter: 'sideways' });
    await running.idle();
    expect(await describeExecution(execution)).toMatchObject({ status: 'FAILED', error: 'UnknownStep' });
    expect(logged).toEqual([expect.stringMatching(/^Approvals: the execution run-1-1 failed: .*UnknownStep/)]);
  });

  test('that does what the embedded stack does not stops the start', async () => {
    const foreign = template();
    const definition = { StartAt: 'Call', States: { Call: { Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke', End: true } } };
    foreign.Resources['Foreign'] = { Type: 'AWS::StepFunctions::StateMachine', Properties: { DefinitionString: JSON.stringify(definition) } };
    await expect(startLocalStack({ template: foreign, handlers: {} })).rejects.toMatchObject({
      code: 'TEMPLATE_UNSUPPORTED',
      message: expect.stringMatching(/^Foreign: .*Call.*lambda:invoke/),
    });
  });
});

describe('a task token', () => {
  test('is completed once', async () => {
    await start();
    await startExecution('run-1-1');
    const { token } = await next();
    await succeed(token, { next: 'guard' });
    await expect(succeed(token, { next: 'guard' })).rejects.toMatchObject({ name: 'TaskDoesNotExist' });
  });

  test('that never was one is told apart', async () => {
    await start();
    await expect(succeed('garbage', {})).rejects.toMatchObject({ name: 'InvalidToken' });
  });

  test('of a stack that has ended is nobody’s', async () => {
    const before = await start();
    await startExecution('run-1-1');
    const { token } = await next();
    client.destroy();
    await before.stop();
    await start();
    await expect(succeed(token, { next: 'guard' })).rejects.toMatchObject({ name: 'TaskDoesNotExist' });
    await startExecution('run-1-1'); // nothing of an execution is kept: the name is free
  });

  test('is failed with an error by name', async () => {
    const running = await start();
    const execution = await startExecution('run-1-1');
    await client.send(new SendTaskFailureCommand({ taskToken: (await next()).token, error: 'Rejected', cause: 'no' }));
    await running.idle();
    expect(await describeExecution(execution)).toMatchObject({ status: 'FAILED', error: 'Rejected', cause: 'no' });
  });

  test('is not completed with what is no JSON', async () => {
    await start();
    await startExecution('run-1-1');
    const { token: taskToken } = await next();
    await expect(client.send(new SendTaskSuccessCommand({ taskToken, output: '{' }))).rejects.toMatchObject({ name: 'InvalidOutput' });
    await succeed(taskToken, { next: 'done' });
  });
});

describe('an execution', () => {
  test('is stopped where it stands', async () => {
    await start();
    const execution = await startExecution('run-1-1');
    const { token } = await next();
    await client.send(new StopExecutionCommand({ executionArn: execution, error: 'Cancelled' }));
    expect(await describeExecution(execution)).toMatchObject({ status: 'ABORTED', error: 'Cancelled' });
    await expect(succeed(token, { next: 'guard' })).rejects.toMatchObject({ name: 'TaskDoesNotExist' });
  });

  test('that never was is not found', async () => {
    await start();
    const none = { executionArn: 'arn:aws:states:us-east-1:000000000000:execution:none:none' };
    await expect(describeExecution(none.executionArn)).rejects.toMatchObject({ name: 'ExecutionDoesNotExist' });
    await expect(client.send(new StopExecutionCommand(none))).rejects.toMatchObject({ name: 'ExecutionDoesNotExist' });
  });

  test('that waits does not keep the stack from being idle or from stopping', async () => {
    const running = await start();
    await startExecution('run-1-1');
    await running.idle();
    await running.stop();
  });
});

test('its requests are counted like those of the other services', async () => {
  const running = await start();
  await startExecution('run-1-1');
  await succeed((await next()).token, { next: 'done' });
  expect((await running.counts()).functions).toMatchObject({ 'aws.StartExecution': 1, 'aws.SendTaskSuccess': 1 });
});
