/** The jobs that two workers may be at: each kind of line's and of control step's, from its phase's beginning to its end. */
import type { Mail } from '../house/mail.ts';
import { close, deliverDue, deliverUntil, isOfRun, line, open } from './cases/deliveries.ts';
import { refused } from './cases/refused.ts';
import type { Simulator } from './simulator.ts';
import type { Worker } from './worker.ts';

export interface Job {
  /** In ids. */
  readonly name: string;
  /** Lets everything happen that comes before it; its worker stands before its first call. */
  begin(simulator: Simulator): Promise<Worker>;
  /** The commit whose deployment its run waits for at its end. */
  readonly awaits?: string;
  /** What may be at the provider when everything is at rest. */
  readonly leaves: readonly string[];
}

const chain = [
  { id: 'a', things: { a: '1', aa: '2' } },
  { id: 'b', depends_on: ['a'], things: { b: { from: 'a.id' } } },
];
const waiting = [
  { id: 'a', things: { a: '1' } },
  { id: 'w', depends_on: ['a'], things: { w: { from: 'a.url' } } },
];
const all = 'a,aa,b';

const intake =
  (simulator: Simulator) =>
  (mail: Mail): boolean =>
    mail.queue === 'control' && !isOfRun(simulator)(mail);
const lineOf = (simulator: Simulator, id: string, phase?: string): Promise<Worker> => deliverUntil(simulator, line(id, phase));
const stepOf = (simulator: Simulator): Promise<Worker> => deliverUntil(simulator, isOfRun(simulator));
/** The step after this line is over. */
const after = async (simulator: Simulator, id: string, phase?: string): Promise<Worker> => {
  await (await lineOf(simulator, id, phase)).run();
  return stepOf(simulator);
};

/** The last line of the chain is refused, so often. */
const failing =
  (times = Number.POSITIVE_INFINITY) =>
  async (simulator: Simulator): Promise<void> => {
    await open(simulator, chain);
    simulator.bench.provider.faults.fail(({ method, name }) => method === 'POST' && name === 'b', refused, times);
  };

async function resumed(simulator: Simulator): Promise<void> {
  await open(simulator, waiting);
  await deliverDue(simulator);
  await simulator.bench.deployed('one', 'success');
}

async function closed(simulator: Simulator): Promise<void> {
  await open(simulator, chain);
  await simulator.rest();
  await close(simulator);
}

type Begin = Job['begin'];

/** Lets it come about, then begins its job. */
const once =
  (come: (simulator: Simulator) => Promise<void>, job: Begin): Begin =>
  async (simulator) => {
    await come(simulator);
    return job(simulator);
  };
const opened = (simulator: Simulator): Promise<void> => open(simulator, chain);
const held = (simulator: Simulator): Promise<void> => open(simulator, waiting);

export const jobs: readonly Job[] = [
  { name: 'intake', begin: once(opened, (simulator) => simulator.take(intake(simulator))), leaves: [all] },
  { name: 'prepare', begin: once(opened, stepOf), leaves: [all] },
  { name: 'first-line', begin: once(opened, (simulator) => lineOf(simulator, 'a')), leaves: [all] },
  { name: 'last-line', begin: once(opened, (simulator) => lineOf(simulator, 'b')), leaves: [all] },
  { name: 'settle', begin: once(opened, (simulator) => after(simulator, 'b')), leaves: [all] },
  { name: 'failing-line', begin: once(failing(), (simulator) => lineOf(simulator, 'b')), leaves: [''] },
  { name: 'line-refused-once', begin: once(failing(1), (simulator) => lineOf(simulator, 'b')), leaves: [all, ''] },
  { name: 'enter-rollback', begin: once(failing(), (simulator) => after(simulator, 'b')), leaves: [''] },
  { name: 'rollback-line', begin: once(failing(), (simulator) => lineOf(simulator, 'a', 'rolling-back')), leaves: [''] },
  { name: 'settle-failed', begin: once(failing(), (simulator) => after(simulator, 'a', 'rolling-back')), leaves: [''] },
  { name: 'waiting-line', begin: once(held, (simulator) => lineOf(simulator, 'w')), awaits: 'one', leaves: ['a,w'] },
  { name: 'settle-waiting', begin: once(held, (simulator) => after(simulator, 'w')), awaits: 'one', leaves: ['a,w'] },
  { name: 'event', begin: once(resumed, (simulator) => simulator.take(intake(simulator))), leaves: ['a,w'] },
  { name: 'resume', begin: once(resumed, stepOf), leaves: ['a,w'] },
  { name: 'resumed-line', begin: once(resumed, (simulator) => lineOf(simulator, 'w')), leaves: ['a,w'] },
  { name: 'prepare-destroy', begin: once(closed, stepOf), leaves: [''] },
  { name: 'destroy-line', begin: once(closed, (simulator) => lineOf(simulator, 'b')), leaves: [''] },
  { name: 'last-destroy-line', begin: once(closed, (simulator) => lineOf(simulator, 'a')), leaves: [''] },
  { name: 'settle-destroy', begin: once(closed, (simulator) => after(simulator, 'a')), leaves: [''] },
];
