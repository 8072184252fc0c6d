import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { startFauxqs } from 'fauxqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sqs } from '../../shared/platform/clients.ts';
import { sqsQueues } from '../../shared/platform/sqs-queues.ts';
import { handBack } from '../../shared/platform/visibility.ts';
import type { Queues } from '../../shared/ports/queue.ts';
import { manualClock } from '../ports/manual-clock.ts';
import { memoryQueues } from '../ports/memory-queues.ts';
import { deployedEndpoints, emulated } from './endpoints.ts';
import { losingProxy } from './losing-proxy.ts';
import { type QueuesUnderTest, queuesContract } from './queues-contract.ts';

queuesContract('memory', async () => {
  const memory = memoryQueues();
  return {
    queues: memory.queues,
    async received(queue) {
      const taken = [];
      for (let one = memory.take(queue); one; one = memory.take(queue)) taken.push(one.message);
      return taken;
    },
    delayed: async (queue) => memory.waiting().filter((one) => one.queue === queue && one.at > 0).length,
    stop: async () => {},
  };
});

queuesContract('fauxqs', async () => {
  const server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
  const under = await queuesAt(`http://127.0.0.1:${server.port}`);
  return { ...under, stop: () => under.stop().then(() => server.stop()) };
});

for (const { name, url } of deployedEndpoints) queuesContract(name, () => queuesAt(url));

describe('sending to SQS', () => {
  let server: Awaited<ReturnType<typeof startFauxqs>>;
  beforeAll(async () => {
    server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
  });
  afterAll(() => server.stop());

  test('a lost answer sends the message once more rather than never', async () => {
    const proxy = await losingProxy(`http://127.0.0.1:${server.port}`);
    const under = await queuesAt(proxy.url);
    proxy.next('answer lost', (request) => request.headers['x-amz-target'] === 'AmazonSQS.SendMessage');
    await under.queues.control({ format: 1, run: 'run-1', group: 'g' });
    expect(await under.received('control')).toHaveLength(2);
    await under.stop();
    await proxy.stop();
  });

  test('a queue that is not there is an unreachable store', async () => {
    const client = sqs({ ...emulated, AWS_ENDPOINT_URL_SQS: `http://127.0.0.1:${server.port}` });
    const nowhere = `http://127.0.0.1:${server.port}/000000000000/nowhere`;
    const queues = sqsQueues({ client, control: nowhere, lines: nowhere, clock: manualClock() });
    const message = { format: 1, run: 'r', group: 'g' } as const;
    await expect(queues.control(message)).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
    await expect(queues.lines([{ ...message, round: 1, phase: 'planning', line: 'a' }])).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
  });

  test('a message that is handed back for no time is received again, and one that is gone is no mistake', async () => {
    const endpoint = `http://127.0.0.1:${server.port}`;
    const client = new SQSClient({ endpoint, region: emulated.AWS_REGION });
    const { QueueUrl = '' } = await client.send(new CreateQueueCommand({ QueueName: 'handed-back' }));
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' }));
    const receive = async () => (await client.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 600 }))).Messages?.[0];
    const handle = (message: Message | undefined) => message?.ReceiptHandle ?? 'none';

    const first = await receive();
    expect(await receive()).toBeUndefined();
    await handBack(client, QueueUrl, handle(first), 0);
    const second = await receive();
    expect(second?.Body).toBe('x');
    await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: handle(second) }));
    await expect(handBack(client, QueueUrl, handle(second), 30)).resolves.toBeUndefined();
  });
});

async function queuesAt(endpoint: string): Promise<QueuesUnderTest> {
  const client = sqs({ ...emulated, AWS_ENDPOINT_URL_SQS: endpoint });
  const create = async (role: string) => (await client.send(new CreateQueueCommand({ QueueName: `contract-${role}-${Date.now()}` }))).QueueUrl ?? '';
  const urls = { control: await create('control'), lines: await create('lines') };
  const queues: Queues = sqsQueues({ client, ...urls, clock: manualClock() });
  return {
    queues,
    async received(queue) {
      const taken: Message[] = [];
      for (;;) {
        const request = { QueueUrl: urls[queue], MaxNumberOfMessages: 10, WaitTimeSeconds: 0 };
        const { Messages = [] } = await client.send(new ReceiveMessageCommand(request));
        if (Messages.length === 0) return taken.map(({ Body = '' }) => JSON.parse(Body));
        taken.push(...Messages);
      }
    },
    async delayed(queue) {
      const request = { QueueUrl: urls[queue], AttributeNames: ['ApproximateNumberOfMessagesDelayed' as const] };
      return Number((await client.send(new GetQueueAttributesCommand(request))).Attributes?.ApproximateNumberOfMessagesDelayed);
    },
    stop: async () => {},
  };
}
