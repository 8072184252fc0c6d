import { codes } from '../../../shared/errors/codes.ts';
import type { Problem } from '../../../shared/errors/error.ts';
import type { RunReport } from '../../../shared/run/report.ts';
import { whoMayDecide } from '../../../shared/surfaces/approval.ts';
import { plain } from '../../../shared/surfaces/escape.ts';
import { waitsForPerson } from '../../../shared/surfaces/outcome.ts';
import { renderTerminal } from '../../../shared/surfaces/terminal.ts';
import { problemText } from '../../../shared/surfaces/terminal-problem.ts';
import { fitted } from '../../../shared/surfaces/wrap.ts';
import type { Answer, Screen } from '../answer.ts';
import { exitOfReport, problemOfReport } from '../exit-code.ts';
import type { PlanFacts } from '../runs/plan-facts.ts';
import { answersTo, goesOnText, reportAsTyped, type Typed, withFlags } from '../typed.ts';

/**
 * How a run's report is answered.
 *
 * @param typed the flags by which the next command finds the same run.
 */
export function runAnswer(report: RunReport, typed: Typed, facts?: PlanFacts): Answer {
  const exit = exitOfReport(report);
  const asks = report.status === 'awaiting' ? report.question : undefined;
  const commands = asks && answersTo(asks.digest, typed);
  return {
    exit,
    ...(exit === 0 ? {} : { problem: problemOfReport(report, typed) }),
    document: { ...documentOf(report, facts), ...(asks ? { run: report.run, digest: asks.digest, expiresAt: asks.expiresAt, commands } : {}) },
    text: (screen) =>
      renderTerminal(reportAsTyped(report, typed), {
        ...screen,
        asTyped: (said) => withFlags(said, typed),
        ...(commands ? { commands, goesOn: goesOnText(typed), ...decidesOf(asks, typed) } : {}),
      }) +
      (report.status === 'partial' && !waitsForPerson(report) ? goesOn : '') +
      (report.kind === 'plan' && facts ? factsText(report, facts, screen) : ''),
  };
}

/** The same for a command that has waited as long as it was told to. */
export const lateAnswer = (answer: Answer, problem: Problem): Answer => ({
  ...answer,
  exit: codes[problem.code].exit,
  problem,
  text: (screen) => `${answer.text(screen)}${screen.paint('bad', '!')} ${problemText(problem)}\n`,
});

function documentOf(report: RunReport, facts: PlanFacts | undefined): Answer['document'] {
  const { drift, warnings } = report;
  const todo = report.lines.flatMap(({ id, manual }) => (manual ? [{ line: id, ...manual }] : []));
  const manual = todo.length > 0 ? { manual: todo } : {};
  return report.kind === 'plan'
    ? { environment: report.environment, scope: report.scope, run: report.run, ...facts, lines: report.lines, drift, warnings, ...manual }
    : { receipt: report, drift, warnings, ...manual };
}

/** No webhook reaches a terminal: a person tells that the event has happened. */
const goesOn = 'Run the same command again, with the same flags, when what is waited for has happened.\n';

/** Who may answer. At a person's own machine nobody is looked up, so that the policy's people are named and not waited for (ADR 0058). */
function decidesOf(question: NonNullable<RunReport['question']>, { stack }: Typed): { decides: string } {
  if (stack !== undefined) return { decides: whoMayDecide(question) };
  const { approvers } = question;
  if (!approvers || approvers.length === 0) return { decides: 'you: on your own machine your own word is enough' };
  return { decides: `${approvers.join(', ')} by your policy; on your own machine your own word is enough` };
}

/** What an apply of this plan would add to it: a question, or waiting for whoever is at work. A plan that comes to nothing asks nobody. */
function factsText(report: RunReport, { requiresApproval, protects, lock }: PlanFacts, { paint, columns }: Screen): string {
  const where = protects.map((environment) => plain(environment)).join(', ');
  const asks = requiresApproval && report.status !== 'failed' && report.lines.some(({ status }) => status !== 'unchanged');
  const approval = asks
    ? `${paint('open', '?')} It writes where a person decides (${where}): apply plans it anew, and asks for an approval of exactly what that finds.\n`
    : '';
  const held = lock
    ? `${paint('open', '?')} Run ${lock.holder} is at work in this scope since ${lock.acquiredAt}, until ${lock.expiresAt} at the latest.\n`
    : '';
  return fitted(approval + held, columns);
}
