import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { z } from 'zod';
import { problemOf } from '../shared/errors/error.ts';
import type { Log } from '../shared/ports/log.ts';
import { Again } from '../shared/run/again.ts';
import type { World } from '../shared/run/world.ts';
import { messageIn } from './message-in.ts';

/** Makes a record's message visible again after so many seconds, in the queue it came from. */
export type HandBack = (record: SQSRecord, seconds: number) => Promise<void>;

type Speaking = Pick<World, 'log' | 'redactor'>;

export interface QueueJob<M extends object, W extends Speaking> {
  readonly message: z.ZodType<M>;
  /** Opens the world of one record. */
  readonly open: () => W | Promise<W>;
  /** Says what befalls a record that has no world: else it would die, and nobody knew of what. */
  readonly log: () => Log;
  readonly handBack: HandBack;
  readonly work: (world: W, message: M) => Promise<void>;
  /** How long a message that met somebody else's claim stays away, seconds: until the claim's end where absent. */
  readonly away?: (claimEnds: number, receives: number) => number;
}

/**
 * An SQS handler whose records stand or fall alone. A job that cannot go on now hands its message back; anything else that
 * is thrown lets the message come back when its visibility ends, until it is a dead letter. A body that does not parse is
 * never acknowledged either: it dies loudly. Why it was not acknowledged is logged each time, but of one that only waits.
 */
export function queueJob<M extends object, W extends Speaking>({ message, open, log, handBack, work, away = (claimEnds) => claimEnds }: QueueJob<M, W>) {
  const one = async (record: SQSRecord): Promise<void> => {
    let read: M | undefined;
    let world: W | undefined;
    try {
      read = messageIn(record.body, message);
      world = await open();
      await work(world, read);
    } catch (error) {
      if (error instanceof Again) {
        const seconds = error.because === 'claimed' ? away(error.seconds, Number(record.attributes.ApproximateReceiveCount)) : error.seconds;
        await handBack(record, seconds);
      } else
        (world?.log ?? log()).error(read ? 'a job failed: its message comes again' : 'a message cannot be read', {
          ...whose(record, read),
          ...why(error, world),
        });
      throw error;
    }
  };
  // One processor an invocation: it keeps the batch's failures in itself, and the embedded stack runs many at once in a process.
  return (event: SQSEvent, context: Context): Promise<SQSBatchResponse> =>
    processPartialResponse(event, one, new BatchProcessor(EventType.SQS), { context, throwOnFullBatchFailure: false }) as Promise<SQSBatchResponse>;
}

/** Which message of which queue, and what it is about. Nothing else of it is told. */
function whose({ messageId, eventSourceARN, attributes }: SQSRecord, read: object | undefined): Record<string, unknown> {
  const about = Object.entries(read ?? {}).filter(([field]) => ['run', 'line', 'phase', 'look', 'group'].includes(field));
  return { message: messageId, queue: eventSourceARN?.split(':').at(-1), receives: Number(attributes.ApproximateReceiveCount), ...Object.fromEntries(about) };
}

function why(error: unknown, world: Speaking | undefined): Record<string, unknown> {
  const { code, message, hint } = problemOf(error);
  return { code, why: world?.redactor.mask(message) ?? message, hint };
}

/** A control step is short and its queue allows many receives: look again soon, then less often, and not at the end of a claim. */
export const soonThenLessOften = (claimEnds: number, receives: number): number => Math.min(claimEnds, 2 ** (receives - 1));
