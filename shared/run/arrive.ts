import { judgeDecisions } from '../approvals/judge-decisions.ts';
import { Again } from './again.ts';
import { decisionsOn } from './ask.ts';
import type { Run } from './items.ts';
import { saveRun } from './run-store.ts';
import type { ControlWorld } from './world.ts';

/** A state of the machine that waits with a task token for the controller. */
export interface Arrival {
  readonly step: 'ask' | 'guard' | 'replan';
  readonly token: string;
  /** When the state was entered, ISO 8601. */
  readonly entered: string;
}

/** Phases in which a state of the machine has nothing to wait for any more. */
export function isPast(run: Run, { step }: Arrival): boolean {
  if (run.phase === 'done' || run.phase === 'waiting' || run.phase === 'applying' || run.phase === 'rolling-back' || run.phase === 'settling') return true;
  return step === 'ask' && run.phase === 'guarding';
}

/** Takes in what a state brought, under the step's claim: the guard may begin, or knows whom to tell; a plan made anew has somebody to tell. */
export async function arrive(world: ControlWorld, run: Run, arrival: Arrival): Promise<Run> {
  if (arrival.step === 'ask') return run;
  if (arrival.step === 'replan') return toReplan(world, run, arrival);
  if (run.phase === 'awaiting') return toGuard(world, run, arrival);
  return run.phase === 'guarding' ? orAgain(saveRun(world, run, { guardToken: arrival.token })) : run;
}

async function toGuard(world: ControlWorld, run: Run, arrival: Arrival): Promise<Run> {
  if (judgeDecisions(await decisionsOn(world, run)) !== 'approve') return run;
  return orAgain(saveRun(world, run, { phase: 'guarding', status: 'open', guardToken: arrival.token, since: new Date(world.clock.now()).toISOString() }));
}

/** Asked already: the machine goes on to the question. Otherwise whoever asks tells it. */
async function toReplan(world: ControlWorld, run: Run, arrival: Arrival): Promise<Run> {
  if (run.phase !== 'awaiting') return orAgain(saveRun(world, run, { replanToken: arrival.token }));
  const expiresAt = run.question?.expiresAt ?? world.clock.now();
  await world.machine.succeed(arrival.token, { next: 'ask', expiresSeconds: Math.max(60, Math.ceil((expiresAt - world.clock.now()) / 1000)) });
  return run;
}

async function orAgain(saved: Promise<Run | undefined>): Promise<Run> {
  const run = await saved;
  if (!run) throw new Again('the run moved on meanwhile', 0);
  return run;
}
