import { userInfo } from 'node:os';
import type { RunReport } from '../../../shared/run/report.ts';
import { logEvent } from '../../../shared/run/run-log.ts';
import { withdrawAnswer } from '../../../shared/run/withdraw-answer.ts';
import { shortDigest } from '../../../shared/surfaces/approval.ts';
import { utc } from '../../../shared/surfaces/words.ts';
import { fitted } from '../../../shared/surfaces/wrap.ts';
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
    const rested = await restOf(sessions, run.id, { progress: console.progress, signal }, run.question?.q);
    return answerOfWithdrawal(await reportOfRun(sessions.current().store, rested), invocation, userInfo().username);
  });
}

/**
 * That the question is open is what was asked for. The run may have yet to hear of it: whoever took their answer back is not counted any more.
 *
 * @param name whose answer it was.
 */
export function answerOfWithdrawal(asked: RunReport, typed: Typed, name: string): Answer {
  if (asked.status !== 'awaiting' || !asked.question) return runAnswer(asked, typed);
  const { approvedBy = [], ...question } = asked.question;
  const others = approvedBy.filter((one) => one.toLowerCase() !== name.toLowerCase());
  const report = { ...asked, question: { ...question, ...(others.length > 0 && { approvedBy: others }) } };
  const { problem: _problem, text, ...open } = runAnswer(report, typed);
  const said = `You took back your answer to plan ${shortDigest(question.digest)}. The question stays open until ${utc(question.expiresAt)}; nothing is written.`;
  return { ...open, exit: 0, text: (screen) => `${fitted(said, screen.columns)}\n\n${text(screen)}` };
}
