import type { ControlMessage } from '../../events/control-message.ts';
import type { LineMessage } from '../../events/line-message.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Queues } from '../../shared/ports/queue.ts';
import { createFaults, type Faults, unanswered } from './faults.ts';

/** A message that lies in a queue, visible from `at` on. */
export type Queued = { readonly at: number } & (
  | { readonly queue: 'control'; readonly message: ControlMessage }
  | { readonly queue: 'lines'; readonly message: LineMessage }
);

export interface MemoryQueues {
  readonly queues: Queues;
  /** Everything ever sent, in order. */
  readonly sent: Queued[];
  /** What has not been taken, in order of sending. */
  waiting(): readonly Queued[];
  /** Takes the first message whose time has come, of one queue or of either. */
  take(queue?: Queued['queue']): Queued | undefined;
  /** Takes the nth of those whose time has come: for other orders of delivery. */
  takeAt(index: number): Queued | undefined;
  /** Puts a message (again) into its queue, visible after `seconds`: a duplicate, or one handed back. */
  deliver(message: Queued, seconds?: number): void;
  /** When the next message becomes visible, epoch ms, in one queue or in either; undefined when there is none. */
  nextAt(queue?: Queued['queue']): number | undefined;
  /** What brings the queues back as they are now, as often as it is called. */
  keep(): () => void;
  /** Faults see one call per request, not per message. */
  readonly faults: Faults<{ readonly queue: Queued['queue'] }>;
}

/** The two queues in memory. The test is the poller. */
export function memoryQueues(clock: Pick<Clock, 'now'> = { now: () => 0 }): MemoryQueues {
  const sent: Queued[] = [];
  const lying: Queued[] = [];
  const { faults, through } = createFaults<{ readonly queue: Queued['queue'] }>(unanswered);

  function send(messages: readonly Queued[]): void {
    sent.push(...messages);
    lying.push(...messages);
  }

  function takeAt(index: number, queue?: Queued['queue']): Queued | undefined {
    const now = clock.now();
    let ready = -1;
    const place = lying.findIndex((one) => one.at <= now && (queue === undefined || one.queue === queue) && ++ready === index);
    return place < 0 ? undefined : lying.splice(place, 1)[0];
  }

  const queues: Queues = {
    control: (message, delaySeconds = 0) => through({ queue: 'control' }, () => send([{ queue: 'control', message, at: visibleAt(clock, delaySeconds) }])),
    lines: (messages, delaySeconds = 0) =>
      through({ queue: 'lines' }, () => send(messages.map((message) => ({ queue: 'lines', message, at: visibleAt(clock, delaySeconds) })))),
  };

  return {
    queues,
    sent,
    waiting: () => [...lying],
    take: (queue) => takeAt(0, queue),
    takeAt: (index) => takeAt(index),
    deliver: (message, seconds = 0) => void lying.push({ ...message, at: clock.now() + seconds * 1000 }),
    nextAt(queue) {
      const times = lying.filter((one) => queue === undefined || one.queue === queue).map((one) => one.at);
      return times.length === 0 ? undefined : Math.min(...times);
    },
    keep() {
      const kept = [...lying];
      const count = sent.length;
      return () => {
        lying.splice(0, lying.length, ...kept);
        sent.length = count;
      };
    },
    faults,
  };
}

function visibleAt(clock: Pick<Clock, 'now'>, delaySeconds: number): number {
  if (!Number.isInteger(delaySeconds) || delaySeconds < 0 || delaySeconds > 900) throw new Error(`SQS refuses a delay of ${delaySeconds} s`);
  return clock.now() + delaySeconds * 1000;
}
