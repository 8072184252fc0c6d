import { createHash } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { emulated } from '../../test/contract/endpoints.ts';
import { type ScriptedEndpoint, type ScriptedRequest, scriptedEndpoint } from '../../test/contract/scripted-endpoint.ts';
import { manualClock } from '../../test/ports/manual-clock.ts';
import { sqs } from './clients.ts';
import { sqsQueues } from './sqs-queues.ts';

type Entry = { Id: string; MessageBody: string; MessageGroupId: string; DelaySeconds?: number };
const entriesOf = (request: ScriptedRequest) => request.input['Entries'] as Entry[];
const message = (line: string) => ({ format: 1, run: 'r', round: 1, phase: 'planning', line, group: '4711' }) as const;

let endpoint: ScriptedEndpoint;
afterEach(() => endpoint.stop());

async function queuesThat(answer: Parameters<typeof scriptedEndpoint>[0]) {
  endpoint = await scriptedEndpoint(answer);
  const clock = manualClock();
  const client = sqs({ ...emulated, AWS_ENDPOINT_URL_SQS: endpoint.url });
  return { clock, queues: sqsQueues({ client, control: 'https://elsewhere.test/1/control', lines: 'https://elsewhere.test/1/lines', clock }) };
}

/** The client refuses an answer whose digest is not that of the body it sent. */
const digestOf = (body: unknown) => createHash('md5').update(String(body)).digest('hex');
const sent = ({ Id, MessageBody }: Entry) => ({ Id, MessageId: Id, MD5OfMessageBody: digestOf(MessageBody) });
const allSent = (request: ScriptedRequest) => ({ body: { Successful: entriesOf(request).map(sent), Failed: [] } });

test('requests go to the endpoint that is set, whatever host the queue’s URL names', async () => {
  const { queues } = await queuesThat(({ input }) => ({ body: { MessageId: 'm', MD5OfMessageBody: digestOf(input['MessageBody']) } }));
  await queues.control({ format: 1, run: 'r', group: '4711' }, 30);
  expect(endpoint.requests).toEqual([
    {
      operation: 'SendMessage',
      input: {
        QueueUrl: 'https://elsewhere.test/1/control',
        MessageBody: '{"format":1,"run":"r","group":"4711"}',
        MessageGroupId: '4711',
        DelaySeconds: 30,
      },
    },
  ]);
});

test('lines go ten to a request, each in its repository’s group, with the delay', async () => {
  const { queues } = await queuesThat(allSent);
  await queues.lines(
    Array.from({ length: 21 }, (_, index) => message(`l${index}`)),
    2,
  );
  expect(endpoint.requests.map((request) => entriesOf(request).length).sort()).toEqual([1, 10, 10]);
  for (const entry of endpoint.requests.flatMap(entriesOf)) expect(entry).toMatchObject({ MessageGroupId: '4711', DelaySeconds: 2 });
});

test('the part of a batch that failed is sent again, and no more than that part', async () => {
  let first = true;
  const { queues, clock } = await queuesThat((request) => {
    if (!first) return allSent(request);
    first = false;
    return { body: { Successful: entriesOf(request).slice(0, 1).map(sent), Failed: [{ Id: '1', Code: 'InternalError', SenderFault: false }] } };
  });
  await queues.lines([message('a'), message('b')]);
  expect(endpoint.requests.map((request) => entriesOf(request).map(({ Id }) => Id))).toEqual([['0', '1'], ['1']]);
  expect(clock.slept).toEqual([100]);
});

test('an entry that is our own fault, or fails four times, is an unreachable store that names the code', async () => {
  const { queues } = await queuesThat(() => ({ body: { Successful: [], Failed: [{ Id: '0', Code: 'InvalidMessageContents', SenderFault: true }] } }));
  await expect(queues.lines([message('a')])).rejects.toMatchObject({ code: 'STORE_UNREACHABLE', message: expect.stringContaining('InvalidMessageContents') });
  expect(endpoint.requests).toHaveLength(1);
  await endpoint.stop();

  const other = await queuesThat(() => ({ body: { Successful: [], Failed: [{ Id: '0', Code: 'InternalError', SenderFault: false }] } }));
  await expect(other.queues.lines([message('a')])).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
  expect(endpoint.requests).toHaveLength(4);
});
