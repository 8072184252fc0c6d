import { type Question, readQuestion, storeToken } from '../approvals/question.ts';
import { Again } from './again.ts';
import { judgeAsked } from './decided.ts';
import { endAsked } from './end-asked.ts';
import type { Run } from './items.ts';
import { queueStep } from './phase.ts';
import { putQuestion, questionOf, startExecution } from './put-question.ts';
import { freeStep, saveRun } from './run-store.ts';
import { newerOpenRun, tookItsPlace } from './supersede.ts';
import type { ControlWorld } from './world.ts';

/**
 * A step of a run that is parked at a question: the token it brings is stored first, then decisions and expiry are looked at.
 * Whoever finds enough completes the token. Nobody may be waiting with it any more: its execution has ended, or goes to the guard just
 * now. The guard then begins without it; a state of the machine that comes later is told what has become of the run (P7).
 */
export async function tendQuestion(world: ControlWorld, run: Run, arrival?: { token: string; entered: string }): Promise<void> {
  const { q, digest, expiresAt } = questionOf(run);
  const found = await readQuestion(world.table, digest, run.id, q);
  const question = arrival && found ? await storeToken(world, found, arrival.token, arrival.entered) : found;
  if (run.stopping) return endAsked(world, run, run.stopping.cause === 'died' ? 'failed' : 'superseded');
  // A death between the swap and the question must not leave a run that nobody can answer.
  if (!question) return (await putQuestion(world, run)) ? tendQuestion(world, run, arrival) : undefined;
  const newer = await newerOpenRun(world, run);
  if (newer) return endAsked(world, run, 'superseded', { problem: tookItsPlace(newer) });
  const { verdict, counted } = await judgeAsked(world, run);
  if (verdict === 'reject') return endAsked(world, run, 'rejected', { answers: counted });
  if (verdict === undefined && expiresAt <= world.clock.now()) return endAsked(world, run, 'expired');
  if (verdict === 'approve' && !(await toGuard(world, run, question))) return guardUntold(world, run);
  // An embedded stack that was ended forgot its executions; a running one says that it exists.
  if (verdict === undefined && !arrival) await startExecution(world, run);
  return freeStep(world, run);
}

/** Tells the machine that there is something to guard. False: no state of it waits to hear that. */
async function toGuard(world: ControlWorld, run: Run, { token }: Question): Promise<boolean> {
  if (token === undefined) return (await startExecution(world, run)) === 'started';
  return (await world.machine.succeed(token, { next: 'guard' })) === 'done';
}

async function guardUntold(world: ControlWorld, run: Run): Promise<void> {
  const since = new Date(world.clock.now()).toISOString();
  const step = { attempt: run.step?.attempt ?? 0, until: 0 };
  const guarding = await saveRun(world, run, { phase: 'guarding', status: 'open', since, step });
  if (!guarding) throw new Again('the run moved on meanwhile', 0);
  await queueStep(world, run);
}
