import { userInfo } from 'node:os';
import { cancelRun, isCancelled } from '../../../shared/run/cancel.ts';
import { findRun } from '../../../shared/run/find-run.ts';
import type { RunReport } from '../../../shared/run/report.ts';
import type { Answer } from '../answer.ts';
import { repositoryOf } from '../context/release.ts';
import { atWork } from '../folder/at-work.ts';
import type { Invocation } from '../invocation.ts';
import { restOf } from '../runs/await-run.ts';
import { reportOfRun } from '../runs/run-report.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Typed } from '../typed.ts';
import { runAnswer } from './run-answer.ts';

/**
 * `cancel`: stops a run as the user of this machine, and shows how it ended. A run that an interrupted command left is not finished first:
 * it is what is to be stopped.
 *
 * @throws LockkeeperError NOT_FOUND, USAGE, RUN_OVER.
 */
export async function cancelCommand(invocation: Invocation, surroundings: Surroundings): Promise<Answer> {
  const { repository, folder } = await repositoryOf(surroundings.cwd);
  const { console, signal } = surroundings;
  return atWork(invocation, folder, surroundings, async (sessions) => {
    const { store } = sessions.current();
    const run = await findRun(store, repository.id, invocation.run ?? '');
    if (run.phase === 'done' && isCancelled(run)) console.note(`Run ${run.id.slice(0, 12)} was cancelled before: this is how it ended.`);
    await cancelRun(store, run, { name: userInfo().username });
    const rested = await restOf(sessions, run.id, { progress: console.progress, signal });
    return answerOfCancel(await reportOfRun(sessions.current().store, rested), invocation);
  });
}

/** A run that was stopped has ended as it was told to. One that was on its way to another end tells of that. */
export function answerOfCancel(report: RunReport, typed: Typed): Answer {
  const answer = runAnswer(report, typed);
  if (report.status !== 'cancelled') return answer;
  const { problem: _problem, ...done } = answer;
  return { ...done, exit: 0 };
}
