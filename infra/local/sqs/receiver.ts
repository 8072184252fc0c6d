import { setTimeout } from 'node:timers/promises';
import { ChangeMessageVisibilityBatchCommand, DeleteMessageBatchCommand, type Message, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** What a poller does to its queue. A queue that does not answer (the stack is going down) counts as empty. */
export interface Receiver {
  /** Waits up to a second for up to ten messages. */
  receive(atMost: number): Promise<Message[]>;
  remove(messages: readonly Message[]): Promise<void>;
  /** Makes messages visible again at once. */
  giveBack(messages: readonly Message[]): Promise<void>;
}

const pauseAfterErrorMs = 50;

export function createReceiver(client: SQSClient, QueueUrl: string): Receiver {
  const entries = (messages: readonly Message[]) => messages.map((message, index) => ({ Id: String(index), ReceiptHandle: message.ReceiptHandle }));
  return {
    async receive(atMost) {
      // A poll is never aborted: the emulator would give the next message to the connection that is gone. So it is short.
      const command = new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: Math.min(atMost, 10),
        WaitTimeSeconds: 1,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      });
      try {
        return (await client.send(command)).Messages ?? [];
      } catch {
        await setTimeout(pauseAfterErrorMs);
        return [];
      }
    },
    async remove(messages) {
      if (messages.length === 0) return;
      await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries: entries(messages) })).catch(() => undefined);
    },
    async giveBack(messages) {
      if (messages.length === 0) return;
      const visible = entries(messages).map((entry) => ({ ...entry, VisibilityTimeout: 0 }));
      await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries: visible })).catch(() => undefined);
    },
  };
}
