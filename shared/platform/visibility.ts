import { ChangeMessageVisibilityCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { exceptionOf, unreachable } from './failure.ts';

/** SQS keeps a message invisible for twelve hours at most. */
const longest = 43_200;

/**
 * Hands a received message back: it is delivered again after `seconds` (a live claim of somebody else, P1.1). A message that is
 * visible again already needs nothing.
 *
 * @throws LockkeeperError STORE_UNREACHABLE; the message then comes back when its visibility ends by itself.
 */
export async function handBack(client: SQSClient, queueUrl: string, receiptHandle: string, seconds: number): Promise<void> {
  const VisibilityTimeout = Math.min(longest, Math.max(0, Math.ceil(seconds)));
  try {
    await client.send(new ChangeMessageVisibilityCommand({ QueueUrl: queueUrl, ReceiptHandle: receiptHandle, VisibilityTimeout }));
  } catch (error) {
    if (['MessageNotInflight', 'ReceiptHandleIsInvalid', 'InvalidParameterValue'].includes(exceptionOf(error))) return;
    throw unreachable('handing a message back', error);
  }
}
