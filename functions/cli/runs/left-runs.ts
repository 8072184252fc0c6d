import { isLive, readLease } from '../../../shared/lease/lease.ts';
import { type Run, runOf } from '../../../shared/run/items.ts';
import { queueStep } from '../../../shared/run/phase.ts';
import { readRun } from '../../../shared/run/run-store.ts';
import { utc } from '../../../shared/surfaces/words.ts';
import type { LastingSession } from '../folder/lasting-session.ts';
import type { Store } from '../folder/store.ts';
import { type Patience, rests, untilRest } from './await-run.ts';
import { wakeParked } from './wake-parked.ts';

/** Runs that are at work, oldest first: whoever has just taken the folder knows that nobody works on them. */
export async function openRuns(store: Store): Promise<Run[]> {
  const listed = await store.table.list({ index: 'due', partition: 'open' });
  const runs = await Promise.all(listed.map((item) => readRun(store.table, runOf(item).id)));
  return runs.filter((run) => run !== undefined && !rests(run)) as Run[];
}

/**
 * Finishes the runs that an interrupted or killed command left, before anything new is started, and wakes those that wait for an
 * answer. Attached to another command, there is nothing to do: its runs are at work.
 *
 * @param spared digest of the question that the command itself is about to answer, or its beginning.
 */
export async function finishLeftRuns(sessions: LastingSession, patience: Patience, note: (text: string) => void, spared?: string): Promise<void> {
  if (!sessions.current().holds) return;
  for (const run of await openRuns(sessions.current().store)) {
    note(`Run ${run.id.slice(0, 12)} (${run.intent} of ${run.environment}, ${run.scope}) was interrupted: it is finished first.`);
    await untilRest(sessions, run.id, patience);
  }
  await wakeParked(sessions, patience, note, spared);
}

/**
 * What a run does when the lease of its scope is taken. In a folder that was just taken nobody lives who holds it: one waits
 * until it has run out. Otherwise another command is at work, and this one is told so.
 */
export async function whenBusy(sessions: LastingSession, scope: string, note: (text: string) => void): Promise<'wait' | 'fail'> {
  const { holds, since, store } = sessions.current();
  const lease = await readLease(store, scope);
  if (!holds || !lease || !isLive(lease, store.clock.now()) || lease.grantedAt >= since) return 'fail';
  const holder = await readRun(store.table, lease.holder);
  if (holder) await queueStep(store, holder);
  note(
    `Run ${lease.holder.slice(0, 12)} ended without giving its lease back: it is taken over at ${utc(new Date(lease.expiresAt).toISOString())} at the latest.`,
  );
  return 'wait';
}
