import { readDecisions } from '../../../shared/approvals/decision.ts';
import { frozen } from '../../../shared/freeze/frozen.ts';
import { questionOf, type Run } from '../../../shared/run/items.ts';
import { openQuestions } from '../../../shared/run/questions.ts';
import type { Store } from '../folder/store.ts';

/** Whether the person of this machine has answered the question that a run is parked at: one word is enough there, whatever policy says. */
export async function isAnswered({ table }: Pick<Store, 'table'>, run: Run): Promise<boolean> {
  return (await readDecisions(table, { ...questionOf(run), run: run.id })).length > 0;
}

/** Whether a parked run goes on as soon as its step looks: it was answered, and no freeze keeps it where it is. */
export async function isOnItsWay(store: Pick<Store, 'table' | 'clock'>, run: Run): Promise<boolean> {
  return (await isAnswered(store, run)) && !(await frozen(store, run));
}

/** The runs of a repository that were answered, and are kept at their question. */
export async function answeredRuns(store: Store, repository: string): Promise<Run[]> {
  const open = await openQuestions(store, repository);
  const answered = await Promise.all(open.map(async ({ run }) => ((await isAnswered(store, run)) ? [run] : [])));
  return answered.flat();
}
