import { userInfo } from 'node:os';
import type { RunReport } from '../../../shared/run/report.ts';
import { logEvent } from '../../../shared/run/run-log.ts';
import { withdrawAnswer } from '../../../shared/run/withdraw-answer.ts';
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
 * `withdraw`: takes back what the user of this machine answered, and shows the question, which stays open.
 *
 * @throws LockkeeperError USAGE, QUESTION_UNKNOWN, NOT_FOUND, TOO_LATE.
 */
export async function withdrawCommand(invocation: Invocation, surroundings: Surroundings): Promise<Answer> {
  const { repository, folder } = await repositoryOf(surroundings.cwd);
  const { console, signal } = surroundings;
  return atWork(invocation, folder, surroundings, async (sessions) => {
    const { store } = sessions.current();
    const run = await withdrawAnswer(store, repository.id, invocation.digest ?? '', { name: userInfo().username, through: 'machine' });
    await logEvent(store, run, 'withdrawn', { detail: `by ${userInfo().username}` });
    const rested = await restOf(sessions, run.id, { progress: console.progress, signal });
    return answerOfWithdrawal(await reportOfRun(sessions.current().store, rested), invocation);
  });
}

/** That the question is open is what was asked for. */
export function answerOfWithdrawal(report: RunReport, typed: Typed): Answer {
  const answer = runAnswer(report, typed);
  if (report.status !== 'awaiting') return answer;
  const { problem: _problem, ...open } = answer;
  return { ...open, exit: 0 };
}
