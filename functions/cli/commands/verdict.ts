import { userInfo } from 'node:os';
import type { Decision } from '../../../shared/approvals/decision.ts';
import { LockkeeperError } from '../../../shared/errors/error.ts';
import { answerQuestion } from '../../../shared/run/answer-question.ts';
import type { Run } from '../../../shared/run/items.ts';
import type { RunReport } from '../../../shared/run/report.ts';
import type { Answer } from '../answer.ts';
import { repositoryOf } from '../context/release.ts';
import { atWork } from '../folder/at-work.ts';
import type { Store } from '../folder/store.ts';
import type { Invocation, VerdictCommand } from '../invocation.ts';
import { restOf } from '../runs/await-run.ts';
import { finishLeftRuns } from '../runs/left-runs.ts';
import { answeredBefore, findQuestion } from '../runs/questions.ts';
import { reportOfRun } from '../runs/run-report.ts';
import type { Surroundings } from '../surroundings.ts';
import { runAnswer } from './run-answer.ts';

type Verdict = Decision['verdict'];

/** `approve`, `reject`: answers a question as the user of this machine, lets its run go on, and shows how it rests. */
export async function verdictCommand(invocation: Invocation & { command: VerdictCommand }, surroundings: Surroundings): Promise<Answer> {
  const { repository, folder } = await repositoryOf(surroundings.cwd);
  return atWork(invocation, folder, surroundings, async (sessions) => {
    const patience = { progress: surroundings.console.progress, signal: surroundings.signal };
    await finishLeftRuns(sessions, patience, surroundings.console.note);
    const answer = { verdict: invocation.command, person: { name: userInfo().username, through: 'machine' as const } };
    const { run, q } = await answered(sessions.current().store, repository.id, invocation.digest ?? '', answer, surroundings.console.note);
    const rested = await restOf(sessions, run.id, patience, q);
    return answerOf(invocation, await reportOfRun(sessions.current().store, rested));
  });
}

/**
 * Writes the answer and wakes the run. An answer that was given before, by a command that did not live to tell what came of it, is
 * not given twice: what came of it is shown.
 *
 * @throws LockkeeperError USAGE, QUESTION_UNKNOWN; ALREADY_DECIDED when the same person has answered otherwise.
 */
async function answered(store: Store, repository: string, wanted: string, answer: Pick<Decision, 'verdict' | 'person'>, note: (text: string) => void) {
  try {
    const open = await findQuestion(store, repository, wanted);
    const stands = await answerQuestion(store, open.run, open, answer);
    if (stands.verdict !== answer.verdict) throw alreadyDecided(stands, open.run);
    return open;
  } catch (error) {
    const unknown = error instanceof LockkeeperError && error.code === 'QUESTION_UNKNOWN';
    const before = unknown ? await answeredBefore(store, repository, wanted, answer) : undefined;
    if (!before) throw error;
    note(`You ${said[answer.verdict]} plan ${before.digest.slice(0, 12)} at ${before.decision.at}: this is what came of it.`);
    return before;
  }
}

/** A rejection has done what it was to do when its run ended so. */
function answerOf(invocation: Invocation, report: RunReport): Answer {
  const answer = runAnswer(report, invocation);
  if (invocation.command !== 'reject' || report.status !== 'rejected') return answer;
  const { problem: _problem, ...done } = answer;
  return { ...done, exit: 0 };
}

const said: Readonly<Record<Verdict, string>> = { approve: 'approved', reject: 'rejected' };

/** A person answers a question once. The run was woken all the same: it may not have heard the first answer. */
function alreadyDecided({ verdict, at }: Decision, { id }: Run): LockkeeperError {
  return new LockkeeperError({ code: 'ALREADY_DECIDED', message: `You ${said[verdict]} this plan of run ${id.slice(0, 12)} at ${at}, and that stands.` });
}
