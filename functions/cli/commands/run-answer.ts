import type { RunReport } from '../../../shared/run/report.ts';
import { renderTerminal } from '../../../shared/surfaces/terminal.ts';
import type { Answer, Screen } from '../answer.ts';
import { exitOfReport, problemOfReport } from '../exit-code.ts';

/** What only a plan tells. */
export interface PlanFacts {
  readonly planHash: string;
  readonly requiresApproval: boolean;
  /** Who was at work in the scope when the plan was made. */
  readonly lock: { readonly holder: string; readonly acquiredAt: string; readonly expiresAt: string } | null;
}

/** How a run's report is answered. */
export function runAnswer(report: RunReport, facts?: PlanFacts): Answer {
  const exit = exitOfReport(report);
  const { drift, warnings } = report;
  const document =
    report.kind === 'plan'
      ? { environment: report.environment, scope: report.scope, run: report.run, ...facts, lines: report.lines, drift, warnings }
      : { receipt: report, drift, warnings };
  return {
    exit,
    ...(exit === 0 ? {} : { problem: problemOfReport(report) }),
    document,
    text: (screen) =>
      renderTerminal(report, screen) + (report.status === 'partial' ? goesOn : '') + (report.kind === 'plan' && facts ? factsText(facts, screen) : ''),
  };
}

/** No webhook reaches a terminal: a person tells that the event has happened. */
const goesOn = 'Run the same command again, with the same flags, when what is waited for has happened.\n';

function factsText({ requiresApproval, lock }: PlanFacts, { paint }: Screen): string {
  const approval = requiresApproval ? `${paint('open', '?')} It writes in production: apply needs an approval.\n` : '';
  const held = lock
    ? `${paint('open', '?')} Run ${lock.holder} is at work in this scope since ${lock.acquiredAt}, until ${lock.expiresAt} at the latest.\n`
    : '';
  return approval + held;
}
