import { afterEach, expect, test } from 'vitest';
import { emulated } from '../../test/contract/endpoints.ts';
import { type ScriptedEndpoint, scriptedEndpoint } from '../../test/contract/scripted-endpoint.ts';
import { sfn } from './clients.ts';
import { stepFunctions } from './state-machine.ts';

const arn = 'arn:aws:states:us-east-1:000000000000:stateMachine:approval';
let endpoint: ScriptedEndpoint;
afterEach(() => endpoint.stop());

async function machineThat(answer: { status?: number; body: unknown }) {
  endpoint = await scriptedEndpoint(() => answer);
  return stepFunctions(sfn({ ...emulated, AWS_ENDPOINT_URL_SFN: endpoint.url }), arn);
}

test('an execution is started under its name, with its input as JSON', async () => {
  const machine = await machineThat({ body: { executionArn: 'e', startDate: 1 } });
  expect(await machine.start('run-1', { enter: 'ask' })).toBe('started');
  expect(endpoint.requests).toEqual([{ operation: 'StartExecution', input: { stateMachineArn: arn, name: 'run-1', input: '{"enter":"ask"}' } }]);
});

test('a name that was used before is no mistake', async () => {
  const machine = await machineThat({ status: 400, body: { __type: 'ExecutionAlreadyExists', message: 'used' } });
  expect(await machine.start('run-1', {})).toBe('exists');
});

test('a token is completed with its output as JSON', async () => {
  const machine = await machineThat({ body: {} });
  expect(await machine.succeed('token', { next: 'guard' })).toBe('done');
  expect(endpoint.requests).toEqual([{ operation: 'SendTaskSuccess', input: { taskToken: 'token', output: '{"next":"guard"}' } }]);
});

test.each(['InvalidToken', 'TaskTimedOut', 'TaskDoesNotExist', 'com.amazonaws.states#TaskTimedOut'])('a token answered with %s is gone', async (type) => {
  const machine = await machineThat({ status: 400, body: { __type: type, message: 'no such task' } });
  expect(await machine.succeed('token', {})).toBe('gone');
});

test('any other refusal says that the state machine did not do it', async () => {
  const machine = await machineThat({ status: 400, body: { __type: 'AccessDeniedException', message: 'not yours' } });
  const refused = { code: 'STORE_UNREACHABLE', message: expect.stringContaining('not yours') };
  await expect(machine.start('run-1', {})).rejects.toMatchObject(refused);
  await expect(machine.succeed('token', {})).rejects.toMatchObject(refused);
});
