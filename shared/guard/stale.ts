import type { PlanDifference } from '../approvals/differences.ts';
import type { Run } from '../run/items.ts';
import type { PlanStale } from '../run/report.ts';
import { runLifetime } from '../run/run-log.ts';
import type { JobWorld } from '../run/world.ts';
import { absent, present } from '../table/condition.ts';
import { runPartition, staleKey } from '../table/keys.ts';
import { write } from '../table/write.ts';

/**
 * Records that what was approved no longer holds: `plan.stale`, put if absent before anything else happens; the first cause of a
 * round wins (P7). Returns whether this call was the first.
 */
export async function recordStale(world: JobWorld, run: Run, step: string, cause: PlanStale['cause']): Promise<boolean> {
  const approved = run.question?.digest ?? run.honoured?.digest ?? '';
  const entry: PlanStale = { round: run.round, step, cause, approved, replanned: null, differs: null };
  const ttl = Math.floor(world.clock.now() / 1000) + runLifetime;
  return (await write(world, staleKey(run.id, run.round), { put: { ...entry, format: 1, ttl } }, absent)).won;
}

/** Whether a round is over, whatever the world looks like now: its guard and its lines look here first. */
export async function isStale(world: JobWorld, run: Pick<Run, 'id' | 'round'>): Promise<boolean> {
  return (await world.table.get(staleKey(run.id, run.round))) !== undefined;
}

/** As many differences as are kept: people read the plan itself. */
const mostDifferences = 20;

/** Completes the newest record of a run once the plan made anew has succeeded, in place. */
export async function completeStale(world: JobWorld, run: Run, replanned: string, differs: boolean, found: readonly PlanDifference[]): Promise<void> {
  const different = found.length > 0 ? { different: found.slice(0, mostDifferences) } : {};
  const open = (await readStops(world, run.id)).filter((stop) => stop.replanned === null);
  for (const stop of open) await write(world, staleKey(run.id, stop.round), { set: { replanned, differs, ...different } }, present);
}

/** Every stop of a run, oldest first. */
export async function readStops(world: Pick<JobWorld, 'table'>, run: string): Promise<PlanStale[]> {
  const items = await world.table.query(runPartition(run), 'STALE#');
  const stops = items.map(({ pk: _pk, sk: _sk, writeId: _writeId, ttl: _ttl, format: _format, ...stop }) => stop as unknown as PlanStale);
  return stops.sort((a, b) => a.round - b.round);
}
