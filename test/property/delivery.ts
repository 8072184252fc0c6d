/** Messages on their way: one at a time or two at once, in any order, to functions that may stand still. */
import type { Queued } from '../ports/memory-queues.ts';
import type { Stage } from './stage.ts';

/** As long as SQS hides a message from others: six times the function's time-out, in seconds. */
const hidden = 12;

/** Delivers one message; a function that stands still keeps it, and the queue gives it to another one when its time is up. */
export async function deliverOne(stage: Stage, message: Queued, twice = false): Promise<void> {
  const { bench } = stage;
  stage.deliveries += 1;
  const frozen = bench.fates.frozen();
  const work = twice ? Promise.all([stage.deliver(message), stage.deliver({ ...message })]).then(() => undefined) : stage.deliver(message);
  const stood = await Promise.race([work.then(() => false), frozen.then(() => true)]);
  if (!stood) return;
  stage.marks.add('frozen');
  stage.standing.push(work);
  bench.queues.deliver(message, hidden);
}

/** Delivers the next message, of those whose time has come the one that `pick` points at; false when there is none that is not held back. */
export async function deliverNext(stage: Stage, pick = 0, twice = false): Promise<boolean> {
  const { clock, queues } = stage.bench;
  const isHeld = ({ message }: Queued) => 'run' in message && stage.held.has(message.run);
  const free = queues.waiting().filter((one) => !isHeld(one));
  if (free.length === 0) return false;
  const next = Math.min(...free.map((one) => one.at));
  if (next > clock.now()) clock.set(next);
  const visible = queues.waiting().filter((one) => one.at <= clock.now());
  const ready = visible.flatMap((one, index) => (isHeld(one) ? [] : [index]));
  const message = queues.takeAt(ready[pick % ready.length] as number) as Queued;
  if (twice) stage.marks.add('duplicate');
  await deliverOne(stage, message, twice);
  return true;
}

/** More than any story of thirty lines needs: one that does not come to rest fails instead of hanging. */
const most = 4_000;

/** Delivers until nothing is left. @throws Error when it never comes to rest (I11). */
export async function quiet(stage: Stage): Promise<void> {
  for (let count = 0; await deliverNext(stage); count += 1) {
    if (count > most) throw new Error(`I11: still no quiet after ${most} deliveries: ${JSON.stringify(stage.bench.queues.waiting().slice(0, 3))}`);
  }
}

/** Every function that stands still goes on, to its end. */
export async function thaw(stage: Stage): Promise<void> {
  stage.bench.fates.thaw();
  await Promise.all(stage.standing.splice(0));
}
