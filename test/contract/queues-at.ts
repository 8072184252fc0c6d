/** The two queues and their dead letters at SQS or what stands for it, seen as Lambda's pollers see them. */
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import { expect, vi } from 'vitest';
import { sqs } from '../../shared/platform/clients.ts';
import { sqsQueues } from '../../shared/platform/sqs-queues.ts';
import { handBack } from '../../shared/platform/visibility.ts';
import { manualClock } from '../ports/manual-clock.ts';
import { receives } from '../ports/redelivery.ts';
import { emulated } from './endpoints.ts';
import { losingProxy } from './losing-proxy.ts';
import type { QueuesUnderTest, Received } from './queues-contract.ts';

const patience = { timeout: 30_000, interval: 50 };
const operations = { control: 'SendMessage', lines: 'SendMessageBatch' } as const;

/** Queues of their own at an endpoint, behind a proxy that loses answers, removed afterwards. */
export async function queuesAt(endpoint: string): Promise<QueuesUnderTest> {
  const proxy = await losingProxy(endpoint);
  const client = sqs({ ...emulated, AWS_ENDPOINT_URL_SQS: proxy.url });
  const stamp = `contract-${Date.now()}`;
  const attribute = async (QueueUrl: string, name: 'QueueArn' | 'ApproximateNumberOfMessagesDelayed') =>
    (await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [name] }))).Attributes?.[name] ?? '';
  const create = async (role: string, Attributes: Record<string, string>) =>
    (await client.send(new CreateQueueCommand({ QueueName: `${stamp}-${role}`, Attributes }))).QueueUrl ?? '';
  const dead = { control: await create('control-dead', {}), lines: await create('lines-dead', {}) };
  const withDead = async (queue: 'control' | 'lines') => {
    const policy = { deadLetterTargetArn: await attribute(dead[queue], 'QueueArn'), maxReceiveCount: receives[queue] };
    return create(queue, { RedrivePolicy: JSON.stringify(policy) });
  };
  const urls = { control: await withDead('control'), lines: await withDead('lines') };

  async function received(QueueUrl: string, VisibilityTimeout: number, WaitTimeSeconds: number): Promise<Message[]> {
    const request = { QueueUrl, VisibilityTimeout, WaitTimeSeconds, MaxNumberOfMessages: 10, MessageSystemAttributeNames: ['All' as const] };
    return (await client.send(new ReceiveMessageCommand(request))).Messages ?? [];
  }

  const finish = (QueueUrl: string, { ReceiptHandle }: Message) => client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));

  function asReceived(url: string, message: Message): Received {
    const { Body = '', Attributes = {}, ReceiptHandle = '' } = message;
    return {
      message: JSON.parse(Body),
      receives: Number(Attributes.ApproximateReceiveCount),
      group: Attributes.MessageGroupId,
      handBack: (seconds) => handBack(client, url, ReceiptHandle, seconds),
      finish: async () => void (await finish(url, message)),
    };
  }

  return {
    queues: sqsQueues({ client, ...urls, clock: manualClock() }),
    receives,
    async receive(queue, hiddenSeconds, how) {
      const url = urls[queue];
      if (how !== 'waiting') return (await received(url, hiddenSeconds, 0)).map((message) => asReceived(url, message));
      return vi.waitFor(async () => {
        const messages = await received(url, hiddenSeconds, 1);
        expect(messages).not.toEqual([]);
        return messages.map((message) => asReceived(url, message));
      }, patience);
    },
    async dead(queue) {
      const messages = await received(dead[queue], 600, 0);
      for (const message of messages) await finish(dead[queue], message);
      return messages.map(({ Body = '' }) => JSON.parse(Body));
    },
    delayed: async (queue) => Number(await attribute(urls[queue], 'ApproximateNumberOfMessagesDelayed')),
    loseNextSend: (queue) => proxy.next('answer lost', ({ headers }) => headers['x-amz-target'] === `AmazonSQS.${operations[queue]}`),
    afterLoss: 'sent',
    pass: () => undefined,
    async stop() {
      for (const QueueUrl of [...Object.values(urls), ...Object.values(dead)]) await client.send(new DeleteQueueCommand({ QueueUrl }));
      await proxy.stop();
    },
  };
}
