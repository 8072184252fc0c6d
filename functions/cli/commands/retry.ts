import { findRun } from '../../../shared/run/find-run.ts';
import { retryRun } from '../../../shared/run/retry.ts';
import { runScope } from '../../../shared/run/run-scope.ts';
import type { Answer } from '../answer.ts';
import { repositoryOf } from '../context/release.ts';
import { atWork } from '../folder/at-work.ts';
import type { Invocation } from '../invocation.ts';
import { restOf } from '../runs/await-run.ts';
import { finishLeftRuns, whenBusy } from '../runs/left-runs.ts';
import { reportOfRun } from '../runs/run-report.ts';
import type { Surroundings } from '../surroundings.ts';
import { runAnswer } from './run-answer.ts';

/** `retry`: runs an ended run again, and shows how the new one rests. @throws LockkeeperError NOT_FOUND, USAGE, RUN_NOT_OVER. */
export async function retryCommand(invocation: Invocation, surroundings: Surroundings): Promise<Answer> {
  const { repository, folder } = await repositoryOf(surroundings.cwd);
  const { console, signal } = surroundings;
  return atWork(invocation, folder, surroundings, async (sessions) => {
    const patience = { progress: console.progress, signal };
    await finishLeftRuns(sessions, patience, console.note);
    const run = await findRun(sessions.current().store, repository.id, invocation.run ?? '');
    const busy = run.kind === 'plan' ? 'fail' : await whenBusy(sessions, runScope(run), console.note);
    const id = await retryRun(sessions.current().store, { ...run, options: { ...run.options, busy } });
    const rested = await restOf(sessions, id, patience);
    return runAnswer(await reportOfRun(sessions.current().store, rested), invocation);
  });
}
