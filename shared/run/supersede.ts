import { addOpenRun, dropOpenRuns, ensureHead, readHead } from '../ledger/head.ts';
import { all, equal, lacks, present } from '../table/condition.ts';
import { runKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import { endWaiting } from './end-waiting.ts';
import type { Run } from './items.ts';
import { canReplace, isNewer, newerOpenRun, othersOf } from './open-runs.ts';
import { queueStep } from './phase.ts';
import { runAddress, runScope } from './run-scope.ts';
import { readRun } from './run-store.ts';
import type { ControlWorld } from './world.ts';

/**
 * A run takes the scope's one place for a question: it is noted as open, and only then looks for others, so that of two that ask at
 * once at least one sees the other. Returns the newer run that has the place, whose question is not this one's to end.
 */
export async function takePlace(world: ControlWorld, run: Run): Promise<Run | undefined> {
  await ensureHead(world, runAddress(run), { fence: 0, deadline: 0 });
  await addOpenRun(world, runScope(run), run.id);
  return newerOpenRun(world, run);
}

/** Ends the older runs of the scope that are parked or wait for an event, and whose place this one takes. */
export async function supersedeOlderRuns(world: ControlWorld, by: Run): Promise<void> {
  const openRuns = (await readHead(world.table, runScope(by)))?.openRuns ?? [];
  const staying = new Set((await othersOf(world, by, openRuns)).filter((other) => isNewer(other, by) || !canReplace(by, other)).map(({ id }) => id));
  await endOpenRuns(
    world,
    by,
    openRuns.filter((id) => !staying.has(id)),
  );
}

/**
 * Ends the scope's runs that are parked or wait for an event: this run, under the lease, takes their place and needs none of its own. The
 * scope is the run's own, unless it takes over another.
 */
export async function supersedeOpenRuns(world: ControlWorld, by: Run, openRuns: readonly string[], scope: string = runScope(by)): Promise<void> {
  await endOpenRuns(world, by, openRuns, scope);
  if (openRuns.includes(by.id)) await dropOpenRuns(world, scope, [by.id]);
}

async function endOpenRuns(world: ControlWorld, by: Run, ids: readonly string[], scope: string = runScope(by)): Promise<void> {
  const ended: string[] = [];
  for (const id of ids) if (id !== by.id && (await supersede(world, id, by))) ended.push(id);
  await dropOpenRuns(world, scope, ended);
}

/** Returns whether it has ended. One that is parked ends in a step of its own; one that is at work goes first. */
async function supersede(world: ControlWorld, id: string, by: Run): Promise<boolean> {
  const run = await readRun(world.table, id);
  if (!run || run.phase === 'done') return true;
  if (run.phase === 'awaiting') await stopAsked(world, run, by);
  if (run.phase !== 'waiting') return false;
  return endWaiting(world, run, 'superseded', tookItsPlace(by, run));
}

/** A run that waits for a decision: `stopping` first; its own step closes the question and completes the token (P6). */
async function stopAsked(world: ControlWorld, run: Run, by: Run): Promise<void> {
  const stopping = { cause: 'superseded', round: run.round, problem: tookItsPlace(by, run) };
  // A new version: the step that is at work on it now must not take the run past its stop. One whose guard has begun goes first.
  const asked = all(present, lacks('stopping'), equal('phase', 'awaiting'));
  await write(world, runKey(run.id), (writeId) => ({ set: { stopping, version: writeId } }), asked);
  await queueStep(world, run);
}

/** Why a run gives way; `of` says where both are of one commit, which is no newer release. */
export const tookItsPlace = (by: Pick<Run, 'id' | 'commit'>, of?: Pick<Run, 'commit'>) => ({
  code: 'SUPERSEDED' as const,
  message: `Run ${by.id}${of?.commit === by.commit ? ', of the same commit,' : ''} took its place.`,
});
