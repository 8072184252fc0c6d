import { afterEach, expect, test } from 'vitest';
import { emulated } from '../../test/contract/endpoints.ts';
import { type ScriptedEndpoint, scriptedEndpoint } from '../../test/contract/scripted-endpoint.ts';
import { eventBridge } from './clients.ts';
import { eventBus } from './event-bus.ts';

let endpoint: ScriptedEndpoint;
afterEach(() => endpoint.stop());

async function busThat(Entries: unknown[]) {
  endpoint = await scriptedEndpoint(() => ({ body: { FailedEntryCount: 0, Entries } }));
  return eventBus(eventBridge({ ...emulated, AWS_ENDPOINT_URL_EVENTBRIDGE: endpoint.url }), 'bus');
}

test('an announcement is one event of ours on the bus', async () => {
  await (await busThat([{ EventId: 'e' }])).announce('run.finished', { run: 'r1' });
  expect(endpoint.requests).toEqual([
    { operation: 'PutEvents', input: { Entries: [{ EventBusName: 'bus', Source: 'lockkeeper', DetailType: 'run.finished', Detail: '{"run":"r1"}' }] } },
  ]);
});

test('an entry that the bus did not take is an error, though the request succeeded', async () => {
  await expect((await busThat([{ ErrorCode: 'InternalFailure' }])).announce('run.finished', {})).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
});
