import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { z } from 'zod';
import { Again } from '../shared/run/again.ts';

/** Makes a record's message visible again after so many seconds, in the queue it came from. */
export type HandBack = (record: SQSRecord, seconds: number) => Promise<void>;

export interface QueueJob<M> {
  readonly message: z.ZodType<M>;
  readonly handBack: HandBack;
  readonly work: (message: M) => Promise<void>;
  /** How long a message that met somebody else's claim stays away, seconds: until the claim's end where absent. */
  readonly away?: (claimEnds: number, receives: number) => number;
}

/**
 * An SQS handler whose records stand or fall alone. A job that cannot go on now hands its message back; anything else that
 * is thrown lets the message come back when its visibility ends, until it is a dead letter. A body that does not parse is
 * never acknowledged either: it dies loudly.
 */
export function queueJob<M>({ message, handBack, work, away = (claimEnds) => claimEnds }: QueueJob<M>) {
  const one = async (record: SQSRecord): Promise<void> => {
    try {
      await work(message.parse(JSON.parse(record.body)));
    } catch (error) {
      if (error instanceof Again) {
        const seconds = error.because === 'claimed' ? away(error.seconds, Number(record.attributes.ApproximateReceiveCount)) : error.seconds;
        await handBack(record, seconds);
      }
      throw error;
    }
  };
  // One processor an invocation: it keeps the batch's failures in itself, and the embedded stack runs many at once in a process.
  return (event: SQSEvent, context: Context): Promise<SQSBatchResponse> =>
    processPartialResponse(event, one, new BatchProcessor(EventType.SQS), { context, throwOnFullBatchFailure: false }) as Promise<SQSBatchResponse>;
}

/** A control step is short and its queue allows many receives: look again soon, then less often, and not at the end of a claim. */
export const soonThenLessOften = (claimEnds: number, receives: number): number => Math.min(claimEnds, 2 ** (receives - 1));
