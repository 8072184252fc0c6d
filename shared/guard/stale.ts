import { differences, type MovedValues, movedValues, type PlanDifference } from '../approvals/differences.ts';
import type { PlanDocument } from '../approvals/plan-document.ts';
import { problemOf } from '../errors/error.ts';
import type { Run } from '../run/items.ts';
import type { PlanStale } from '../run/report.ts';
import { runLifetime } from '../run/run-log.ts';
import type { ControlWorld, JobWorld } from '../run/world.ts';
import { absent, all, lacks, present } from '../table/condition.ts';
import { runPartition, staleKey } from '../table/keys.ts';
import { write } from '../table/write.ts';

/** What comes of planning again: the last fields of a record. */
type Replanned = Pick<PlanStale, 'replanned' | 'differs' | 'different' | 'moved'>;

const notYet: Replanned = { replanned: null, differs: null };

/**
 * Records that what was approved no longer holds: `plan.stale`, put if absent before anything else happens; the first cause of a
 * round wins (P7). A store that does not take it stops whoever found it: nothing is applied (R4.18). Returns whether this call was the first.
 *
 * @param found what a recheck has planned: its fresh plan is the one that is asked about next, so that the record is complete at once.
 */
export async function recordStale(
  world: JobWorld,
  run: Pick<Run, 'id' | 'round' | 'honoured' | 'question'>,
  step: string,
  cause: PlanStale['cause'],
  found: Replanned = notYet,
): Promise<boolean> {
  const approved = run.honoured?.digest ?? run.question?.digest ?? '';
  const entry: PlanStale = { round: run.round, step, cause, approved, ...found };
  const ttl = Math.floor(world.clock.now() / 1000) + runLifetime;
  return (await write(world, staleKey(run.id, run.round), { put: { ...entry, format: 1, ttl } }, absent)).won;
}

/** Whether a round is over, whatever the world looks like now: its guard and its lines look here first. */
export async function isStale(world: JobWorld, run: Pick<Run, 'id' | 'round'>): Promise<boolean> {
  return (await world.table.get(staleKey(run.id, run.round))) !== undefined;
}

/** As many resources as are named: people read the plan itself. */
const mostNamed = 20;

/** How the plan that is asked about now compares with the one that was approved: what it would do (R4.9), and beside that with which values. */
export function replannedAs(approved: PlanDocument, fresh: PlanDocument, digest: string): Replanned {
  const different: readonly PlanDifference[] = differences(approved, fresh);
  const moved: readonly MovedValues[] = movedValues(approved, fresh);
  return {
    replanned: digest,
    differs: different.length > 0,
    ...(different.length > 0 ? { different: different.slice(0, mostNamed) } : {}),
    ...(moved.length > 0 ? { moved: moved.slice(0, mostNamed) } : {}),
  };
}

/** Completes the records of a run that are open once the plan made anew has succeeded, in place. */
export async function completeStale(world: JobWorld, run: Run, found: Replanned): Promise<void> {
  const open = (await readStops(world, run.id)).filter((stop) => stop.replanned === null);
  for (const stop of open) await write(world, staleKey(run.id, stop.round), { set: { ...found } }, present);
}

/**
 * Tells the bus of each stop whose record is complete, once. The name of the record goes with it: after a death right here, or an answer that was
 * lost, the same announcement may come again. A bus that does not answer costs a line in the log, since nobody decides by it: whoever
 * tends the question tells it again, and at last whoever ends the run.
 */
export async function announceStops(world: ControlWorld, run: Run): Promise<void> {
  const items = await world.table.query(runPartition(run.id), 'STALE#');
  for (const item of items) {
    const { round, step, cause, approved, replanned, differs } = item as unknown as PlanStale;
    if (replanned === null || item['announced'] === true) continue;
    const { repository, environment, scope, commit } = run;
    const about = { run: run.id, repository: { id: repository.id, owner: repository.owner, name: repository.name }, environment, scope, commit };
    try {
      await world.bus.announce('plan.stale', { id: `${run.id}/${round}`, ...about, step, cause, approved, replanned, differs });
    } catch (error) {
      world.log.warn('a stop was not announced', { run: run.id, code: problemOf(error).code });
      continue;
    }
    await write(world, staleKey(run.id, round), { set: { announced: true } }, all(present, lacks('announced')));
  }
}

/** Every stop of a run, oldest first. */
export async function readStops(world: Pick<JobWorld, 'table'>, run: string): Promise<PlanStale[]> {
  const items = await world.table.query(runPartition(run), 'STALE#');
  const stops = items.map(
    ({ pk: _pk, sk: _sk, writeId: _writeId, ttl: _ttl, format: _format, announced: _announced, ...stop }) => stop as unknown as PlanStale,
  );
  return stops.sort((a, b) => a.round - b.round);
}
