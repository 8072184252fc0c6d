import { type Run, runOf } from '../../../shared/run/items.ts';
import { queueStep } from '../../../shared/run/phase.ts';
import { readRun } from '../../../shared/run/run-store.ts';
import type { LastingSession } from '../folder/lasting-session.ts';
import type { Store } from '../folder/store.ts';
import { isAnswered, isOnItsWay } from './answered-runs.ts';
import { type Patience, untilRest } from './await-run.ts';

/**
 * Wakes every run that is parked at a question: its execution lived in the process that started it, and is started again by the
 * run's next step. Nobody waits for an answer; but a question whose time is over ends, one that a death left out is put, and what was
 * answered and is kept by nothing any more goes on, before anything else begins: nothing is applied behind another command's back.
 *
 * @param spared digest of the question that the command itself is about to answer, or its beginning.
 */
export async function wakeParked(sessions: LastingSession, patience: Patience, note: (text: string) => void, spared?: string): Promise<void> {
  const { store, holds } = sessions.current();
  if (!holds) return;
  const listed = await store.table.list({ index: 'due', partition: 'awaiting' });
  for (const { id } of listed.map(runOf)) {
    const run = await readRun(store.table, id);
    if (run?.phase !== 'awaiting' || run.question === undefined) continue;
    const { digest, q, expiresAt } = run.question;
    const over = expiresAt <= store.clock.now();
    if (spared !== undefined && digest.startsWith(spared) && !over) continue;
    const goesOn = !over && (await isOnItsWay(store, run));
    if (over) note(await overText(store, run, digest));
    if (goesOn) note(goesOnText(run));
    await queueStep(store, run);
    await untilRest(sessions, id, patience, over || goesOn ? q : undefined);
  }
}

const goesOnText = ({ id, intent, environment, scope }: Run): string =>
  `Run ${id.slice(0, 12)} (${intent} of ${environment}, ${scope}) has been answered, and nothing keeps it any more: it goes on first.`;

async function overText(store: Store, run: Run, digest: string): Promise<string> {
  const [plan, ofRun] = [digest.slice(0, 12), run.id.slice(0, 12)];
  if (await isAnswered(store, run)) return `Plan ${plan} of run ${ofRun} was answered, and not applied in time: it ends.`;
  return `Nobody answered ${plan} of run ${ofRun} in time: it ends.`;
}
