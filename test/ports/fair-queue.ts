import type { MemoryQueues, Queued } from './memory-queues.ts';

/**
 * Takes messages as SQS's fair queues hand them out: of those that are due, one of the group with the fewest in flight, the oldest of that
 * group's. `first-come` is a standard queue without groups.
 */
export interface FairQueue {
  take(queue: Queued['queue']): Queued | undefined;
  /** Its message is done with. */
  done(message: Queued): void;
}

/** A queue in memory keeps nothing beside the message, which says its group itself. */
export const groupOf = ({ message }: Pick<Queued, 'message'>): string => ('group' in message ? message.group : '');

export function fairQueue(queues: MemoryQueues, now: () => number, order: 'fair' | 'first-come'): FairQueue {
  const flying = new Map<string, number>();
  const inFlight = (message: Queued): number => (order === 'fair' ? (flying.get(groupOf(message)) ?? 0) : 0);
  return {
    take(queue) {
      const due = queues.waiting().filter(({ at }) => at <= now());
      const own = due.filter((message) => message.queue === queue);
      const [first] = own;
      if (!first) return undefined;
      const next = own.reduce((one, other) => (inFlight(other) < inFlight(one) ? other : one), first);
      const taken = queues.takeAt(due.indexOf(next));
      if (taken) flying.set(groupOf(taken), (flying.get(groupOf(taken)) ?? 0) + 1);
      return taken;
    },
    done(message) {
      flying.set(groupOf(message), (flying.get(groupOf(message)) ?? 1) - 1);
    },
  };
}
