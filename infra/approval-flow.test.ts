import { StateMachine } from 'aws-local-stepfunctions';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { controlMessage } from '../events/control-message.ts';
import { idOf, propertiesOf } from '../test/template/reading.ts';
import { definitionProblems } from '../test/template/states-language.ts';
import { kindsByType } from './local/resources/kinds.ts';
import { modelOf } from './local/template/stack-model.ts';
import { templateSchema } from './local/template/template.ts';
import { synthesizeTemplate } from './template.ts';
import { awsTiming } from './timing.ts';

const template = synthesizeTemplate({ timing: awsTiming });
const machineId = idOf(template, 'AWS::StepFunctions::StateMachine', 'ApprovalsStateMachine');
const machine = propertiesOf(template, machineId);

const url = 'http://127.0.0.1:1';
const model = modelOf(templateSchema.parse(template), kindsByType, { dynamodb: url, sqs: url, s3: url, aws: url, http: url }, {});
const resolved = model.resources.find(({ id }) => id === machineId)?.properties;
const text = z.string().parse(resolved?.['DefinitionString']);

const task = z.looseObject({
  Type: z.string(),
  Resource: z.string().default(''),
  TimeoutSeconds: z.number().optional(),
  TimeoutSecondsPath: z.string().optional(),
});
const definition = z.object({ StartAt: z.string(), States: z.record(z.string(), task) });
const states = definition.parse(JSON.parse(text)).States;
const tasks = Object.entries(states).filter(([, { Type }]) => Type === 'Task');

const input = { run: 'run-1', group: '4711', expiresSeconds: 60 };

/** Walks the flow as AWS would: each state that waits is answered by the next of `answers`. Returns every state entered and message sent. */
async function walk(enter: string, answers: readonly object[]): Promise<{ entered: string[]; messages: unknown[]; failed?: string }> {
  const messages: unknown[] = [];
  const left = [...answers];
  const answer = (sent: unknown): never => {
    messages.push((sent as { MessageBody: unknown }).MessageBody);
    return (left.shift() ?? {}) as never;
  };
  const timeless = Object.fromEntries(
    Object.entries(states).map(([name, { TimeoutSecondsPath, ...state }]) => [name, state.Type === 'Task' ? { ...state, TimeoutSeconds: 60 } : state]),
  );
  const walker = new StateMachine({ ...JSON.parse(text), States: timeless }, { validationOptions: { noValidate: true } });
  const context = {
    Execution: { Name: 'run-1-1', Input: { ...input, enter } },
    Task: { Token: 'token' },
    State: { EnteredTime: '2026-11-03T09:12:44.518Z', RetryCount: 0 },
  };
  const taskResourceLocalHandlers = Object.fromEntries(tasks.map(([name]) => [name, answer]));
  const run = walker.run({ ...input, enter }, { context, overrides: { taskResourceLocalHandlers } });
  const failed = await run.result.then(
    () => undefined,
    (error: Error) => (error.cause as Error).name,
  );
  const entered: string[] = [];
  for await (const event of run.eventLogs) if (event.type === 'StateEntered') entered.push(event.state.name);
  return { entered, messages, ...(failed === undefined ? {} : { failed }) };
}

describe('the approval flow', () => {
  it('is a Standard machine in the States Language', () => {
    expect(machine['StateMachineType']).toBe('STANDARD');
    expect(definitionProblems(text)).toEqual([]);
  });

  it('would be found wrong by the same look with a transition to nowhere', () => {
    expect(definitionProblems(text.replace('"Next":"Done"', '"Next":"Nowhere"'))).not.toEqual([]);
  });

  it('logs every event without inputs and outputs, which hold task tokens, and is traced', () => {
    expect(machine['LoggingConfiguration']).toMatchObject({ Level: 'ALL', IncludeExecutionData: false });
    expect(machine['TracingConfiguration']).toEqual({ Enabled: true });
  });

  it('asks, has the decision guarded, and is done', async () => {
    const { entered, messages } = await walk('ask', [{ next: 'guard' }, { next: 'done' }]);
    expect(entered).toEqual(['Enter', 'RequestApproval', 'Route', 'Guard', 'Route', 'Done']);
    expect(messages.map((message) => controlMessage.parse(message))).toEqual(
      ['ask', 'guard'].map((step) => ({
        format: 2,
        run: 'run-1',
        group: '4711',
        step,
        token: 'token',
        entered: '2026-11-03T09:12:44.518Z#0',
        execution: 'run-1-1',
      })),
    );
  });

  it('plans again and asks again when the guard finds the world moved', async () => {
    const { entered } = await walk('ask', [{ next: 'guard' }, { next: 'replan' }, { next: 'ask', expiresSeconds: 60 }, { next: 'done' }]);
    expect(entered.filter((name) => name !== 'Route')).toEqual(['Enter', 'RequestApproval', 'Guard', 'Replan', 'RequestApproval', 'Done']);
  });

  it.each([
    ['guard', 'Guard'],
    ['replan', 'Replan'],
  ])('starts at %s for a run that resumes there', async (enter, state) => {
    expect((await walk(enter, [{ next: 'done' }])).entered).toEqual(['Enter', state, 'Route', 'Done']);
  });

  it('takes at most ten transitions a question, whatever way it goes', async () => {
    const longest = await walk('replan', [{ next: 'ask', expiresSeconds: 60 }, { next: 'guard' }, { next: 'done' }]);
    expect(longest.entered.length).toBe(8);
    const again = [{ next: 'ask', expiresSeconds: 60 }, { next: 'guard' }, { next: 'replan' }];
    const three = await walk('replan', [...again, ...again, ...again, { next: 'done' }]);
    const questions = three.entered.filter((name) => name === 'RequestApproval').length;
    expect(questions).toBe(3);
    expect(three.entered.length / questions).toBeLessThanOrEqual(10);
  });

  it.each([
    ['an unknown way in', 'sideways', []],
    ['an unknown answer', 'ask', [{ next: 'sideways' }]],
  ])('fails loudly at %s', async (_, enter, answers) => {
    expect(await walk(enter, answers)).toMatchObject({ failed: 'UnknownStep' });
  });
});

describe('every task of the approval flow', () => {
  it('sends a message to the control queue, in the group of the repository', () => {
    const control = model.identity(idOf(template, 'AWS::SQS::Queue', 'QueuesControl')).ref;
    expect(tasks.map(([name]) => name)).toEqual(['RequestApproval', 'Guard', 'Replan', 'TellExpired']);
    for (const [, state] of tasks) {
      expect(state.Resource).toMatch(/^arn:aws:states:::sqs:sendMessage(\.waitForTaskToken)?$/);
      expect(state['Parameters']).toMatchObject({ QueueUrl: control, 'MessageGroupId.$': '$$.Execution.Input.group' });
    }
  });

  it('has a time-out: the question its own, work of functions a day', () => {
    expect(states['RequestApproval']).toMatchObject({ TimeoutSecondsPath: '$.expiresSeconds' });
    expect(tasks.map(([, { TimeoutSeconds }]) => TimeoutSeconds)).toEqual([undefined, 86_400, 86_400, 300]);
  });

  it('is tried again for errors of the queue alone', () => {
    for (const [, state] of tasks) expect(state['Retry']).toMatchObject([{ ErrorEquals: ['SQS.AmazonSQSException', 'SQS.SdkClientException'] }]);
  });
});

it('a question nobody answers in time is told to the controller, and the execution ends well', () => {
  expect(states['RequestApproval']?.['Catch']).toEqual([{ ErrorEquals: ['States.Timeout'], Next: 'TellExpired' }]);
  const { MessageBody } = z.looseObject({ MessageBody: z.record(z.string(), z.unknown()) }).parse(states['TellExpired']?.['Parameters']);
  expect(Object.keys(MessageBody).sort()).toEqual(['format', 'group.$', 'run.$', 'step']);
  expect(states['TellExpired']).toMatchObject({ Next: 'Done' });
});

it('the machine may send to the control queue, deliver logs and traces, and nothing else', () => {
  const role = propertiesOf(template, idOf(template, 'AWS::IAM::Role', 'ApprovalsRole'));
  const statements = z
    .object({ Policies: z.tuple([z.object({ PolicyDocument: z.object({ Statement: z.array(z.object({ Action: z.unknown(), Resource: z.unknown() })) }) })]) })
    .transform(({ Policies }) => Policies[0].PolicyDocument.Statement)
    .parse(role);
  const services = statements.map(({ Action }) => [...new Set([Action].flat().map((action) => String(action).split(':')[0]))].join());
  expect(services).toEqual(['sqs', 'logs', 'xray']);
  expect(statements[0]).toEqual({ Action: 'sqs:SendMessage', Resource: { 'Fn::GetAtt': [idOf(template, 'AWS::SQS::Queue', 'QueuesControl'), 'Arn'] } });
});
