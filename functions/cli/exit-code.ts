import { codes } from '../../shared/errors/codes.ts';
import type { Problem } from '../../shared/errors/error.ts';
import { frozenProblem } from '../../shared/freeze/frozen.ts';
import { isRemoval, type RunReport, type RunStatus } from '../../shared/run/report.ts';
import { approvalsText, askedAgain, isOutlasted, keptBy } from '../../shared/surfaces/approval.ts';
import { badLines, waitsForPerson } from '../../shared/surfaces/outcome.ts';
import { utc } from '../../shared/surfaces/words.ts';
import { answersTo, goesOnText, type Typed } from './typed.ts';

/** How a run ends a command, by its status, where lines were worked on. */
export const byStatus: Readonly<Record<RunStatus, number>> = {
  complete: 0,
  partial: 0,
  awaiting: 2,
  rejected: 1,
  expired: 1,
  cancelled: 1,
  superseded: 0,
  stale: 0,
  failed: 1,
  'fenced-out': 3,
};

/** Ctrl-C, as shells count it: 128 and the signal's number. */
export const interruptedExit = 130;

/**
 * How a command exits that ran this run. A code decides when the run stopped on it before any line was worked on; a line that
 * fails makes 1 whatever its code (design 5).
 */
export function exitOfReport(report: RunReport): number {
  if (report.problem && report.lines.length === 0) return codes[report.problem.code].exit;
  if (waitsForPerson(report)) return codes.MANUAL_STEP_PENDING.exit;
  return byStatus[report.status];
}

/**
 * What a report that does not end with 0 says of the reason.
 *
 * @param typed the flags by which the next command finds the same run.
 */
export function problemOfReport(report: RunReport, typed?: Typed): Problem {
  const decided = problemOfQuestion(report, typed);
  if (decided) return decided;
  const waiting = waitsForPerson(report) ? report.lines.find((line) => line.manual)?.problem : undefined;
  const found = waiting ?? report.problem ?? badLines(report)[0]?.problem ?? report.lines.find((line) => line.problem)?.problem;
  return found ?? { code: 'INTERNAL', message: `Run ${report.run} ended as ${report.status} and did not say why.` };
}

/** The reason of a run that stands, or ended, at its question. */
function problemOfQuestion(report: RunReport, typed?: Typed): Problem | undefined {
  const { status, kind, run, question, decisions, stays, problem } = report;
  const plan = question ? `plan ${question.digest.slice(0, 12)}` : 'the plan';
  const kept = keptBy(report);
  if (kept) {
    const { code, message } = frozenProblem(kept);
    return {
      code,
      message: `${capital(plan)} is approved, and ${message}`,
      hint: isOutlasted(report)
        ? `It runs out before the freeze ends, at ${utc(question?.expiresAt ?? '')}. \`lockkeeper unfreeze ${kept.environment}\` ends the freeze before; ${askedAgain(report)}`
        : `${typed ? `${goesOnText(typed)} ` : ''}\`lockkeeper unfreeze ${kept.environment}\` ends it before.`,
    };
  }
  if (status === 'awaiting') {
    const commands = typed && question && answersTo(question.digest, typed);
    const hint = commands ? { hint: `Type \`${commands.approve}\` or \`${commands.reject}\`.` } : {};
    const approved = question && question.approvedBy !== undefined ? approvalsText(question) : undefined;
    const message = approved === undefined ? `Nobody has approved ${plan} yet.` : `Not enough people have approved ${plan} yet: ${approved}.`;
    return { code: 'ENV_NOT_APPROVED', message, ...hint };
  }
  const nothing = `Nothing of it was ${isRemoval(kind) ? 'removed' : 'applied'};`;
  const before = stays ? `What was applied before stays; \`lockkeeper undo ${run.slice(0, 12)}\` removes what it created,` : nothing;
  const hint = `${before} \`lockkeeper retry ${run.slice(0, 12)}\` plans and asks again.`;
  if (status === 'rejected') {
    const who = decisions?.find(({ verdict }) => verdict === 'reject')?.person ?? 'Somebody';
    return { code: 'REJECTED', message: `${who} rejected ${plan}.`, hint };
  }
  if (status !== 'expired') return undefined;
  // Approved in time: what kept it is the run's own problem.
  return { code: 'EXPIRED', message: whyExpired(plan, problem, decisions), hint };
}

/** Approved in time, what kept it is the run's own problem. */
function whyExpired(plan: string, problem: Problem | undefined, decisions: RunReport['decisions'] = []): string {
  if (problem?.code === 'FROZEN') return `${capital(plan)} was approved, and ran out while it was kept: ${problem.message}`;
  if (problem?.code === 'EXPIRED') return problem.message;
  return `${decisions.length > 0 ? 'Not enough people' : 'Nobody'} approved ${plan} in time.`;
}

const capital = (words: string): string => `${words[0]?.toUpperCase()}${words.slice(1)}`;
