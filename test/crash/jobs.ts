/** The jobs that two workers may be at: each kind of line's and of control step's, from its phase's beginning to its end. */
import type { Mail } from '../ports/redelivery.ts';
import { close, deliverDue, deliverUntil, isOfRun, line, open } from './cases/deliveries.ts';
import { refused } from './cases/refused.ts';
import type { Simulator } from './simulator.ts';
import { pushed } from './stories/approval.ts';
import { approveAll } from './story.ts';
import type { Worker } from './worker.ts';

export interface Job {
  /** In ids. */
  readonly name: string;
  /** Lets everything happen that comes before it; its worker stands before its first call. */
  begin(simulator: Simulator): Promise<Worker>;
  /** What its run waits for at the end. */
  readonly finish?: (simulator: Simulator) => Promise<void>;
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

const deployed = ({ bench }: Simulator): Promise<void> => bench.deployed('one', 'success');

async function resumed(simulator: Simulator): Promise<void> {
  await open(simulator, waiting);
  await deliverDue(simulator);
  await deployed(simulator);
}

/** A push to production, where people are asked. */
const released = (simulator: Simulator): Promise<void> => pushed(simulator, 'one', chain);

async function asked(simulator: Simulator): Promise<void> {
  await released(simulator);
  await simulator.rest();
}

async function clicked(simulator: Simulator): Promise<void> {
  await asked(simulator);
  await simulator.click({ user: 'U0000ROBIN', button: 'Approve' });
}

/** What a state of the machine sends. */
const stateOf = (simulator: Simulator, step: string): Promise<Worker> =>
  deliverUntil(simulator, ({ message }) => message.format === 2 && message.step === step);

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
  { name: 'waiting-line', begin: once(held, (simulator) => lineOf(simulator, 'w')), finish: deployed, leaves: ['a,w'] },
  { name: 'settle-waiting', begin: once(held, (simulator) => after(simulator, 'w')), finish: deployed, leaves: ['a,w'] },
  { name: 'event', begin: once(resumed, (simulator) => simulator.take(intake(simulator))), leaves: ['a,w'] },
  { name: 'resume', begin: once(resumed, stepOf), leaves: ['a,w'] },
  { name: 'resumed-line', begin: once(resumed, (simulator) => lineOf(simulator, 'w')), leaves: ['a,w'] },
  { name: 'prepare-destroy', begin: once(closed, stepOf), leaves: [''] },
  { name: 'destroy-line', begin: once(closed, (simulator) => lineOf(simulator, 'b')), leaves: [''] },
  { name: 'last-destroy-line', begin: once(closed, (simulator) => lineOf(simulator, 'a')), leaves: [''] },
  { name: 'settle-destroy', begin: once(closed, (simulator) => after(simulator, 'a')), leaves: [''] },
  { name: 'gated-prepare', begin: once(released, stepOf), finish: approveAll, leaves: [all] },
  { name: 'planned-line', begin: once(released, (simulator) => lineOf(simulator, 'b', 'planning')), finish: approveAll, leaves: [all] },
  { name: 'ask', begin: once(released, (simulator) => after(simulator, 'b', 'planning')), finish: approveAll, leaves: [all] },
  { name: 'token', begin: once(released, (simulator) => stateOf(simulator, 'ask')), finish: approveAll, leaves: [all] },
  { name: 'click', begin: once(clicked, (simulator) => simulator.take()), finish: approveAll, leaves: [all] },
  { name: 'decided', begin: once(clicked, stepOf), finish: approveAll, leaves: [all] },
  { name: 'guard', begin: once(clicked, (simulator) => stateOf(simulator, 'guard')), finish: approveAll, leaves: [all] },
  { name: 'approved-line', begin: once(clicked, (simulator) => lineOf(simulator, 'b')), finish: approveAll, leaves: [all] },
  { name: 'settle-approved', begin: once(clicked, (simulator) => after(simulator, 'b')), finish: approveAll, leaves: [all] },
];
