/** Which message a worker is started with, and what a case does with messages beside its workers. */
import { claimMargin } from '../../../shared/run/run-store.ts';
import { houseTiming } from '../../house/house.ts';
import type { Mail } from '../../ports/redelivery.ts';
import type { Call } from '../gate.ts';
import { pullHook } from '../hooks.ts';
import type { Simulator } from '../simulator.ts';
import { close as closePull } from '../story.ts';
import { fitting, type Worker } from '../worker.ts';

/** A bit longer than a claim holds for clocks that are as far apart as they may be (P1.1); far shorter than a lease. */
export const pastClaim = houseTiming.functionTimeout + claimMargin + 2 * houseTiming.skew + 1_000;

/** Longer than a lease. */
export const pastLease = houseTiming.leaseTtl + 60_000;

type Fits = (mail: Mail) => boolean;

/** A line's message, of this phase. */
export const line =
  (id: string, phase = 'applying'): Fits =>
  ({ queue, message, dead }) =>
    queue === 'lines' && !dead && 'line' in message && message.line === id && message.phase === phase;

/** A message that wakes the controller, or, where a run is named, that run. */
export const control =
  (run?: string): Fits =>
  ({ queue, message, dead }) =>
    queue === 'control' && !dead && 'run' in message && (run === undefined || message.run === run);

/** A message that wakes a run which is recorded, and not an intake. */
export const isOfRun =
  ({ bench }: Simulator): Fits =>
  (mail) =>
    control()(mail) && 'run' in mail.message && bench.memory.peek(`RUN#${mail.message.run}`, 'META')?.['item'] === 'run';

/** The run that a worker was started for. */
export const runOf = ({ what }: Worker): string => String(/"run":"(\w+)"/.exec(what)?.[1]);

const isDue = (simulator: Simulator, fits: Fits = () => true): boolean =>
  (simulator.bench.queues.waiting() as readonly Mail[]).some((mail) => mail.at <= simulator.bench.clock.now() && fits(mail));

/** Delivers whatever lies ready, and what comes of it, without letting time pass: what other workers do in this moment. */
export async function deliverDue(simulator: Simulator, fits: Fits = () => true): Promise<void> {
  while (isDue(simulator, fits)) await (await simulator.take((mail) => mail.at <= simulator.bench.clock.now() && fits(mail))).run();
}

/** Delivers what lies ready until there is a message that fits. */
export async function deliverUntil(simulator: Simulator, fits: Fits): Promise<Worker> {
  while (!isDue(simulator, fits)) {
    if (!isDue(simulator)) throw new Error('nothing is ready, and the message that was waited for never came');
    await (await simulator.take((mail) => mail.at <= simulator.bench.clock.now())).run();
  }
  return simulator.take(fits);
}

/** Delivers call by call until one of them is about to be made that fits, as `Worker.until` has it. */
export async function untilAbout(simulator: Simulator, match: string | ((call: Call) => boolean)): Promise<Worker> {
  const fits = fitting(match);
  for (;;) {
    const worker = await simulator.take();
    while (worker.at && !fits(worker.at)) await worker.step();
    if (worker.at) return worker;
  }
}

/** A worker dies whose message somebody else has acknowledged meanwhile: it was the same one, and does not come again. */
export function dieWithoutMessage(simulator: Simulator, worker: Worker): void {
  const asBefore = simulator.bench.queues.keep();
  worker.die();
  asBefore();
}

/** Opens pull request 7 with these changes, delivers nothing. */
export async function open(simulator: Simulator, changes: readonly object[], commit = 'one'): Promise<void> {
  simulator.bench.pull(7, commit, changes);
  await simulator.hook(pullHook('opened', 7, commit));
}

/** Closes it, and delivers nothing. */
export const close = (simulator: Simulator, commit = 'one'): Promise<void> => closePull(simulator, { pull: 7, commit });
