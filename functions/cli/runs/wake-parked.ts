import { runOf } from '../../../shared/run/items.ts';
import { queueStep } from '../../../shared/run/phase.ts';
import { readRun } from '../../../shared/run/run-store.ts';
import type { LastingSession } from '../folder/lasting-session.ts';
import { type Patience, untilRest } from './await-run.ts';

/**
 * Wakes every run that is parked at a question: its execution lived in the process that started it, and is started again by the
 * run's next step. Nobody waits for an answer; but a question whose time is over ends, and one that a death left out is put, before
 * anything else begins.
 */
export async function wakeParked(sessions: LastingSession, patience: Patience, note: (text: string) => void): Promise<void> {
  const { store, holds } = sessions.current();
  if (!holds) return;
  const listed = await store.table.list({ index: 'due', partition: 'awaiting' });
  for (const { id } of listed.map(runOf)) {
    const run = await readRun(store.table, id);
    if (run?.phase !== 'awaiting' || run.question === undefined) continue;
    await queueStep(store, run);
    const over = run.question.expiresAt <= store.clock.now();
    if (over) note(`Nobody answered ${run.question.digest.slice(0, 12)} of run ${run.id.slice(0, 8)} in time: it ends.`);
    await untilRest(sessions, id, patience, over ? run.question.q : undefined);
  }
}
