import { findRun } from '../../../shared/run/find-run.ts';
import type { Run, RunOptions } from '../../../shared/run/items.ts';
import { runScope } from '../../../shared/run/run-scope.ts';
import type { Answer } from '../answer.ts';
import { repositoryOf } from '../context/release.ts';
import { atWork } from '../folder/at-work.ts';
import type { Store } from '../folder/store.ts';
import type { Invocation } from '../invocation.ts';
import { restOf } from '../runs/await-run.ts';
import { finishLeftRuns, whenBusy } from '../runs/left-runs.ts';
import { reportOfRun } from '../runs/run-report.ts';
import type { Surroundings } from '../surroundings.ts';
import { runAnswer } from './run-answer.ts';

/**
 * Makes a run out of one that is over, which the command names, and shows how the new one rests.
 *
 * @param make the new run's id. @throws LockkeeperError NOT_FOUND, USAGE; what `make` throws.
 */
export async function runAnew(
  invocation: Invocation,
  surroundings: Surroundings,
  make: (store: Store, run: Run, busy: RunOptions['busy']) => Promise<string>,
): Promise<Answer> {
  const { repository, folder } = await repositoryOf(surroundings.cwd);
  const { console, signal } = surroundings;
  return atWork(invocation, folder, surroundings, async (sessions) => {
    const patience = { progress: console.progress, signal };
    await finishLeftRuns(sessions, patience, console.note);
    const run = await findRun(sessions.current().store, repository.id, invocation.run ?? '');
    const busy = run.kind === 'plan' ? 'fail' : await whenBusy(sessions, runScope(run), console.note);
    const id = await make(sessions.current().store, run, busy);
    const rested = await restOf(sessions, id, patience);
    return runAnswer(await reportOfRun(sessions.current().store, rested), invocation);
  });
}
