import { expect, test } from 'vitest';
import { readDefinition, runnable } from './definition.ts';
import { checkTasks } from './integrations.ts';

const sendMessage = 'arn:aws:states:::sqs:sendMessage';
const machine = (state: object, more: object = {}): string => JSON.stringify({ ...more, StartAt: 'Work', States: { Work: state } });
const task = (more: object = {}): object => ({ Type: 'Task', Resource: sendMessage, Parameters: { QueueUrl: 'known', MessageBody: 'x' }, End: true, ...more });
const read = (text: string): void => checkTasks('Flow', readDefinition('Flow', text), (url) => url === 'known');

test('a task that sends to a queue of the template is run', () => {
  expect(() => read(machine(task()))).not.toThrow();
  expect(() => read(machine(task({ Resource: `${sendMessage}.waitForTaskToken` })))).not.toThrow();
});

test.each([
  ['another integration', machine(task({ Resource: 'arn:aws:states:::lambda:invoke' })), 'Work calls arn:aws:states:::lambda:invoke'],
  ['no integration', machine(task({ Resource: undefined })), 'Work calls nothing'],
  ['a queue of another template', machine(task({ Parameters: { QueueUrl: 'elsewhere' } })), 'Work sends to elsewhere'],
  ['a queue that only its input tells', machine(task({ Parameters: { 'QueueUrl.$': '$.queue' } })), 'Work sends to undefined'],
  ['a state with states of its own', machine({ Type: 'Parallel', Branches: [], End: true }), 'Work is a Parallel'],
  ['a heartbeat', machine(task({ HeartbeatSeconds: 10 })), 'Work has a heartbeat'],
  ['JSONata', machine(task(), { QueryLanguage: 'JSONata' }), 'JSONata'],
  ['JSONata in one state', machine(task({ QueryLanguage: 'JSONata' })), 'JSONata'],
])('%s stops the start, with the logical id and the state', (_, text, message) => {
  expect(() => read(text)).toThrow(expect.objectContaining({ code: 'TEMPLATE_UNSUPPORTED', message: expect.stringMatching(`^Flow: .*${message}`) }));
});

test('a machine whose time is longer than a timer gets the longest there is', () => {
  expect(runnable(readDefinition('Flow', machine(task(), { TimeoutSeconds: 31_536_000 })))).toMatchObject({ TimeoutSeconds: 2_147_483 });
});

test('a task that says nothing of its time has no minute of the runner', () => {
  expect(runnable(readDefinition('Flow', machine(task()))).States['Work']).toMatchObject({ TimeoutSeconds: 2_147_483 });
});
