import { findRun } from '../../../shared/run/find-run.ts';
import { runScope } from '../../../shared/run/run-scope.ts';
import { undoRun } from '../../../shared/run/undo.ts';
import type { Answer } from '../answer.ts';
import { repositoryOf } from '../context/release.ts';
import { atWork } from '../folder/at-work.ts';
import type { Invocation } from '../invocation.ts';
import { restOf } from '../runs/await-run.ts';
import { finishLeftRuns, whenBusy } from '../runs/left-runs.ts';
import { reportOfRun } from '../runs/run-report.ts';
import type { Surroundings } from '../surroundings.ts';
import { runAnswer } from './run-answer.ts';

/** `undo`: removes what a run that is over created, in a run of its own, and shows how that rests. @throws LockkeeperError NOT_FOUND, USAGE, RUN_NOT_OVER. */
export async function undoCommand(invocation: Invocation, surroundings: Surroundings): Promise<Answer> {
  const { repository, folder } = await repositoryOf(surroundings.cwd);
  const { console, signal } = surroundings;
  return atWork(invocation, folder, surroundings, async (sessions) => {
    const patience = { progress: console.progress, signal };
    await finishLeftRuns(sessions, patience, console.note);
    const run = await findRun(sessions.current().store, repository.id, invocation.run ?? '');
    const busy = await whenBusy(sessions, runScope(run), console.note);
    const id = await undoRun(sessions.current().store, run, { busy });
    const rested = await restOf(sessions, id, patience);
    return runAnswer(await reportOfRun(sessions.current().store, rested), invocation);
  });
}
