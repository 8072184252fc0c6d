import type { Queued } from './memory-queues.ts';
import type { Workbench } from './workbench.ts';

/** Delivers until `stop` holds of what comes next, before its time has come. Returns that message, still in its queue; undefined when all is quiet before. */
export async function deliverUntil(bench: Workbench, stop: (next: Queued) => boolean | Promise<boolean>): Promise<Queued | undefined> {
  for (let at = bench.queues.nextAt(); at !== undefined; at = bench.queues.nextAt()) {
    const due = Math.max(at, bench.clock.now());
    const next = bench.queues.waiting().find((one) => one.at <= due) as Queued;
    if (await stop(next)) return next;
    bench.clock.set(due);
    await bench.deliver(bench.queues.takeAt(0) as Queued);
  }
  return undefined;
}

/** Takes every message out of the queues, for a test that delivers them later. */
export function holdBack(bench: Workbench): Queued[] {
  const held: Queued[] = [];
  for (let at = bench.queues.nextAt(); at !== undefined; at = bench.queues.nextAt()) {
    if (at > bench.clock.now()) bench.clock.set(at);
    held.push(bench.queues.takeAt(0) as Queued);
  }
  return held;
}

/** A message of the machine's state. */
export const comesFrom = (message: Queued, step: string): boolean =>
  message.queue === 'control' && message.message.format === 2 && message.message.step === step;
