import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Clock } from '../ports/clock.ts';
import type { Queues } from '../ports/queue.ts';
import { unreachable } from './failure.ts';

export interface SqsQueuesOptions {
  readonly client: SQSClient;
  /** URLs of the two queues. */
  readonly control: string;
  readonly lines: string;
  readonly clock: Pick<Clock, 'sleep'>;
}

/** SQS takes so many messages in one request. */
const batchSize = 10;
const requestsAtOnce = 8;
const attempts = 4;
const pause = 100;

/**
 * The two queues on SQS. A message may be sent twice when an answer is lost: every message may arrive twice anyway.
 * `MessageGroupId` on a standard queue orders nothing; it keeps a busy repository from delaying the others.
 *
 * @throws LockkeeperError STORE_UNREACHABLE when a message could not be sent; others of the same call may have been.
 */
export function sqsQueues({ client, control, lines, clock }: SqsQueuesOptions): Queues {
  async function sendBatch(messages: readonly { group: string }[], delaySeconds: number): Promise<void> {
    let left: SendMessageBatchRequestEntry[] = messages.map((message, index) => ({
      Id: String(index),
      MessageBody: JSON.stringify(message),
      MessageGroupId: message.group,
      ...delayed(delaySeconds),
    }));
    for (let attempt = 1; ; attempt++) {
      const { Failed = [] } = await sent(() => client.send(new SendMessageBatchCommand({ QueueUrl: lines, Entries: left })));
      if (Failed.length === 0) return;
      const first = Failed.find((one) => one.SenderFault) ?? Failed[0];
      if (first?.SenderFault || attempt === attempts) throw unreachable('queueing lines', new Error(`${first?.Code}: ${first?.Message ?? ''}`));
      left = left.filter((entry) => Failed.some((failed) => failed.Id === entry.Id));
      await clock.sleep(pause * 2 ** (attempt - 1));
    }
  }

  return {
    async control(message, delaySeconds = 0) {
      const body = { QueueUrl: control, MessageBody: JSON.stringify(message), MessageGroupId: message.group, ...delayed(delaySeconds) };
      await sent(() => client.send(new SendMessageCommand(body)));
    },
    async lines(messages, delaySeconds = 0) {
      const batches = chunks(messages, batchSize);
      for (const together of chunks(batches, requestsAtOnce)) await Promise.all(together.map((batch) => sendBatch(batch, delaySeconds)));
    },
  };
}

async function sent<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw unreachable('queueing a message', error);
  }
}

const delayed = (seconds: number) => (seconds > 0 ? { DelaySeconds: Math.min(900, Math.ceil(seconds)) } : {});

function chunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size));
}
