import { readDecisions } from '../approvals/decision.ts';
import { isRechecking, questionOf, type Run } from './items.ts';
import { saveOrAgain } from './run-store.ts';
import { toQuestion } from './tell-machine.ts';
import type { ControlWorld } from './world.ts';

/** A state of the machine that waits with a task token for the controller. */
export interface Arrival {
  readonly step: 'ask' | 'guard' | 'replan';
  readonly token: string;
  /** When the state was entered, ISO 8601. */
  readonly entered: string;
  /** The execution that waits; unknown to what an older version's machine sent. */
  readonly execution?: string;
}

/** A round that was planned again without its machine began another execution: what the first one still brings is nobody's. */
export const isLeftBehind = (run: Run, { execution }: Arrival): boolean =>
  execution !== undefined && run.execution !== undefined && execution !== run.execution;

/**
 * Takes in what a state brought, under the step's claim. Messages come late, twice and out of order, so each is judged by the phase it
 * finds: a state that waits for what the run has left behind is told where the run is; one that came in time is remembered until the
 * run has an answer. A question's own token is stored by the step that tends the question.
 */
export async function arrive(world: ControlWorld, run: Run, arrival: Arrival): Promise<Run> {
  const { phase } = run;
  if (isLeftBehind(run, arrival)) return answered(world, run, arrival, 'done');
  if (isRechecking(run)) return arrival.step === 'guard' ? remember(world, run, arrival) : answered(world, run, arrival, 'done');
  if (phase === 'preparing' || phase === 'planning') return arrival.step === 'replan' ? remember(world, run, arrival) : answered(world, run, arrival, 'replan');
  if (phase === 'guarding') return arrival.step === 'guard' ? remember(world, run, arrival) : answered(world, run, arrival, 'done');
  if (phase !== 'awaiting') return answered(world, run, arrival, 'done');
  if (arrival.step === 'ask') return run;
  return arrival.step === 'guard' && !run.stopping && (await hasApproval(world, run)) ? enterGuard(world, run, arrival) : answered(world, run, arrival, 'ask');
}

async function answered(world: ControlWorld, run: Run, { token }: Arrival, next: 'done' | 'replan' | 'ask'): Promise<Run> {
  await world.machine.succeed(token, next === 'ask' ? toQuestion(world, run) : { next });
  return run;
}

/** Somebody judged the answers before the machine went on. They are judged again by the guard; without any approval there is nothing to judge. */
async function hasApproval(world: ControlWorld, run: Run): Promise<boolean> {
  const { q, digest } = questionOf(run);
  return (await readDecisions(world.table, { q, digest, run: run.id })).some(({ verdict }) => verdict === 'approve');
}

async function enterGuard(world: ControlWorld, run: Run, { token, entered }: Arrival): Promise<Run> {
  const since = new Date(world.clock.now()).toISOString();
  return saveOrAgain(world, run, { phase: 'guarding', status: 'open', guard: { token, entered }, since });
}

/** Remembers a token, only over one whose state was entered earlier: the other is nobody's any more. */
async function remember(world: ControlWorld, run: Run, { step, token, entered }: Arrival): Promise<Run> {
  const name = step === 'guard' ? 'guard' : 'replan';
  const known = run[name];
  if (known !== undefined && known.entered >= entered) return run;
  return saveOrAgain(world, run, { [name]: { token, entered } });
}
