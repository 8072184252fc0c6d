import { dropOpenRuns } from '../ledger/head.ts';
import { all, equal, lacks, present } from '../table/condition.ts';
import { runKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import { reportOf } from './assemble.ts';
import type { Run } from './items.ts';
import { managedNow } from './managed.ts';
import { queueStep } from './phase.ts';
import { storeReport } from './reports.ts';
import { runScope } from './run-scope.ts';
import { readRun, readRunLines, saveRun } from './run-store.ts';
import type { ControlWorld } from './world.ts';

/** Ends the scope's runs that wait for an event: this run, under the lease, takes their place. */
export async function supersedeOpenRuns(world: ControlWorld, by: Run, openRuns: readonly string[]): Promise<void> {
  const others = openRuns.filter((id) => id !== by.id);
  for (const id of others) await supersede(world, id, by);
  await dropOpenRuns(world, runScope(by), openRuns);
}

async function supersede(world: ControlWorld, id: string, by: Run): Promise<void> {
  const run = await readRun(world.table, id);
  if (run?.phase === 'awaiting') return stopAsked(world, run);
  if (run?.phase !== 'waiting') return;
  const problem = { code: 'SUPERSEDED' as const, message: `Run ${by.id} took its place.` };
  const lines = (await readRunLines(world.table, id)).filter((line) => line.round === run.round);
  const managed = await managedNow(world, run);
  const report = reportOf(run, { status: 'superseded', lines, managed, finishedAt: new Date(world.clock.now()).toISOString(), problem });
  const key = await storeReport(world, report);
  await saveRun(world, run, { phase: 'done', outcome: 'superseded', status: 'superseded', problem, report: key }, ['since', 'resumeAt']);
}

/** A run that waits for a decision: `stopping` first; its own step closes the question and completes the token (P6). */
async function stopAsked(world: ControlWorld, run: Run): Promise<void> {
  const stopping = { cause: 'superseded', round: run.round };
  // A new version: the step that is at work on it now must not take the run past its stop. One whose guard has begun goes first.
  const asked = all(present, lacks('stopping'), equal('phase', 'awaiting'));
  await write(world, runKey(run.id), (writeId) => ({ set: { stopping, version: writeId } }), asked);
  await queueStep(world, run);
}
