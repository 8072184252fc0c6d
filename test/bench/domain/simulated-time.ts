import type { Queued } from '../../ports/memory-queues.ts';
import type { Workbench } from '../../ports/workbench.ts';

/** Waits in simulated time, those that end first in front. */
export interface Waits {
  /** Resolves once the clock stands `ms` later. */
  wait(ms: number): Promise<void>;
  /** When the next wait ends, epoch ms; undefined: nobody waits. */
  nextAt(): number | undefined;
  /** Ends the wait that is next. */
  endNext(): void;
}

export function simulatedWaits(now: () => number): Waits {
  const waiting: { readonly at: number; readonly end: () => void }[] = [];
  return {
    wait: (ms) =>
      new Promise((end) => {
        const at = now() + ms;
        const place = waiting.findLastIndex((one) => one.at <= at) + 1;
        waiting.splice(place, 0, { at, end });
      }),
    nextAt: () => waiting[0]?.at,
    endNext: () => waiting.shift()?.end(),
  };
}

/** How many messages of each queue are worked on at once. */
export type Concurrency = Readonly<Record<Queued['queue'], number>>;

/** What plays a part and is not simulated. It may send messages while it moves. */
export interface Elsewhere {
  moves(): boolean;
}

/**
 * Delivers what the queues hold, as many messages at once as the mappings allow, until nothing is left. Code takes no time: the
 * clock stands still while it runs and jumps to the next instant at which anything happens, that is a wait ends, or a message
 * becomes visible to a free worker. Of several things at one instant each runs until it waits or is done before the next begins:
 * everything in memory answers within one turn of the event loop. So a run is the same every time, and nobody is in lockstep.
 *
 * @throws Error when work is open and nothing will ever happen to it.
 */
export async function playOut(
  { queues, clock, deliver }: Pick<Workbench, 'queues' | 'clock' | 'deliver'>,
  waits: Waits,
  slots: Concurrency,
  elsewhere: Elsewhere = { moves: () => false },
): Promise<void> {
  const working: Record<Queued['queue'], number> = { control: 0, lines: 0 };
  const free = () => (['control', 'lines'] as const).filter((queue) => working[queue] < slots[queue]);

  function start(message: Queued): void {
    working[message.queue] += 1;
    void deliver(message).finally(() => {
      working[message.queue] -= 1;
    });
  }

  /** One thing that happens now. False: nothing does. */
  function happens(): boolean {
    if ((waits.nextAt() ?? Number.POSITIVE_INFINITY) <= clock.now()) {
      waits.endNext();
      return true;
    }
    for (const queue of free()) {
      const message = queues.take(queue);
      if (message) start(message);
      if (message) return true;
    }
    return elsewhere.moves();
  }

  const nextAt = (): number => Math.min(...[waits.nextAt(), ...free().map((queue) => queues.nextAt(queue))].map((at) => at ?? Number.POSITIVE_INFINITY));

  await turn(); // whoever has begun something gets as far as its first wait
  for (;;) {
    while (happens()) await turn();
    const next = nextAt();
    if (next === Number.POSITIVE_INFINITY) break;
    clock.set(next);
  }
  if (working.control + working.lines > 0) throw new Error(`${working.control} control steps and ${working.lines} lines wait for nothing`);
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
