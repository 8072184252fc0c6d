import type { Decision } from '../../../shared/approvals/decision.ts';
import { LockkeeperError } from '../../../shared/errors/error.ts';
import { alreadyDecided, answerQuestion, saidVerdict } from '../../../shared/run/answer-question.ts';
import { type Answered, answeredBefore, findQuestion } from '../../../shared/run/questions.ts';
import type { RunReport } from '../../../shared/run/report.ts';
import { wayOnFrom } from '../../../shared/run/what-became.ts';
import { utc } from '../../../shared/surfaces/words.ts';
import type { Answer } from '../answer.ts';
import type { Store } from '../folder/store.ts';
import type { Typed } from '../typed.ts';
import { runAnswer } from './run-answer.ts';

type Verdict = Decision['verdict'];

/** Writes an answer and wakes the run; returns the answer of that person that stands. */
export type Give = (store: Store, ...question: Parameters<typeof answerQuestion> extends [unknown, ...infer Rest] ? Rest : never) => Promise<Decision>;

/**
 * Writes the answer and wakes the run. An answer that was given before, by a command that did not live to tell what came of it, is
 * not given twice: what came of it is shown.
 *
 * @throws LockkeeperError USAGE, QUESTION_UNKNOWN; ALREADY_DECIDED when the same person has answered otherwise. The newest question of a plan counts.
 */
export async function answered(
  store: Store,
  repository: string,
  wanted: string,
  answer: Pick<Decision, 'verdict' | 'person'>,
  note: (text: string) => void,
  give: Give = answerQuestion,
) {
  try {
    const open = await findQuestion(store, repository, wanted);
    const stands = await give(store, open.run, open, answer);
    if (stands.verdict !== answer.verdict) throw alreadyDecided(stands, open.run);
    return open;
  } catch (error) {
    const unknown = error instanceof LockkeeperError && error.code === 'QUESTION_UNKNOWN';
    const before = unknown ? await answeredBefore(store, repository, wanted, answer) : undefined;
    if (!before) throw error;
    if (before.decision.verdict !== answer.verdict) throw answeredOtherwise(before);
    note(`You ${saidVerdict[answer.verdict]} plan ${before.digest.slice(0, 12)} at ${utc(before.decision.at)}: this is what came of it.`);
    return before;
  }
}

/** The question is closed, by the other answer of the same person: what came of that is not what is wanted now. */
function answeredOtherwise({ run, digest, decision }: Answered): LockkeeperError {
  const is = run.phase === 'done' ? `which has ended as ${run.outcome}` : `which is at work (${run.phase})`;
  const message = `Plan ${digest.slice(0, 12)} is not open any more: you ${saidVerdict[decision.verdict]} it at ${utc(decision.at)} in run ${run.id.slice(0, 12)}, ${is}.`;
  const hint = wayOnFrom(run);
  return new LockkeeperError({ code: 'QUESTION_UNKNOWN', message, ...(hint === undefined ? {} : { hint }) });
}

/** A rejection has done what it was to do when its run ended so. */
export function answerOfVerdict(verdict: Verdict, report: RunReport, typed: Typed): Answer {
  const answer = runAnswer(report, typed);
  if (verdict !== 'reject' || report.status !== 'rejected') return answer;
  const { problem: _problem, ...done } = answer;
  return { ...done, exit: 0 };
}
