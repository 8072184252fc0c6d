import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { z } from 'zod';
import { type Environment, sqs } from '../shared/platform/clients.ts';
import { handBack } from '../shared/platform/visibility.ts';
import { Again } from '../shared/run/again.ts';

/** The queue a record came from, whose URL the hand-back needs. */
type QueueUrl = (record: SQSRecord) => string;

/**
 * An SQS handler whose records stand or fall alone. A job that cannot go on now hands its message back for the seconds it
 * names; anything else that is thrown lets the message come back when its visibility ends, until it is a dead letter.
 * A body that does not parse is never acknowledged either: it dies loudly.
 */
export function queueJob<M>(message: z.ZodType<M>, queueUrl: QueueUrl, work: (message: M, record: SQSRecord) => Promise<void>, environment: () => Environment) {
  const processor = new BatchProcessor(EventType.SQS);
  const one = async (record: SQSRecord): Promise<void> => {
    try {
      await work(message.parse(JSON.parse(record.body)), record);
    } catch (error) {
      if (error instanceof Again) await handBack(sqs(environment()), queueUrl(record), record.receiptHandle, error.seconds);
      throw error;
    }
  };
  return (event: SQSEvent, context: Context): Promise<SQSBatchResponse> =>
    processPartialResponse(event, one, processor, { context, throwOnFullBatchFailure: false }) as Promise<SQSBatchResponse>;
}
