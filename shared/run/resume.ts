import { isCancelled } from './cancel.ts';
import type { Run } from './items.ts';
import { queueStep } from './phase.ts';
import { logEvent } from './run-log.ts';
import { readRun, saveRun } from './run-store.ts';
import type { JobWorld } from './world.ts';

/** What a round leaves in its run, and the next one must not end by. */
const ofTheLastRound = ['stopping', 'problem', 'outcome', 'ending', 'answers', 'resumeAt', 'warnings', 'cursor', 'guard', 'replan', 'away'] as const;

/**
 * Starts the next round of a run that waits for an event, or of a destroy that failed: everything is judged again from the
 * start (P2). False: it does not wait any more.
 */
export async function resumeRun(world: JobWorld, run: Run): Promise<boolean> {
  const retried = run.phase === 'done' && run.outcome === 'failed' && run.resumeAt !== undefined;
  if ((run.phase !== 'waiting' && !retried) || isCancelled(run)) return false;
  const since = new Date(world.clock.now()).toISOString();
  // A gated run goes on under its decision: the guard looks again at the world, and at nothing that people decided (P2).
  const phase = run.honoured && !retried ? ('guarding' as const) : ('preparing' as const);
  const change = { phase, round: run.round + 1, status: 'open', since };
  const resumed = await saveRun(world, run, change, ofTheLastRound);
  if (!resumed) return false;
  await logEvent(world, resumed, 'resumed');
  await queueStep(world, resumed);
  return true;
}

export async function resumeById(world: JobWorld, id: string): Promise<boolean> {
  const run = await readRun(world.table, id);
  return run !== undefined && resumeRun(world, run);
}
