import { identifierOf } from '../../events/pressed.ts';
import { questionTag } from '../approvals/question.ts';
import type { CheckAction } from '../ports/code-host.ts';
import type { RunReport } from '../run/report.ts';
import { shortDigest } from './approval.ts';

/**
 * The buttons of a check run. GitHub takes at most three, with labels and identifiers of twenty characters and descriptions of forty. Those
 * of a question name it and its digest: what was pressed is what stood beside it.
 */
export function checkActions(report: RunReport): readonly CheckAction[] {
  if (report.status === 'awaiting' && report.question) {
    const names = { digest: shortDigest(report.question.digest), question: questionTag({ run: report.run, q: report.question.q ?? 1 }) };
    return [
      { label: 'Approve', description: 'Do exactly what the plan below says', identifier: identifierOf({ verb: 'approve', ...names }) },
      { label: 'Reject', description: 'End the run; nothing more is applied', identifier: identifierOf({ verb: 'reject', ...names }) },
    ];
  }
  if (editedLines(report).length === 0) return [];
  return [{ label: 'Reconcile', description: 'Put back what was edited outside', identifier: identifierOf({ verb: 'reconcile' }) }];
}

/** Lines of a run that were refused because somebody edited what they hold. */
export const editedLines = ({ kind, lines }: RunReport): string[] =>
  kind === 'apply' ? lines.filter(({ problem }) => problem?.code === 'DRIFT_CHANGED').map(({ id }) => id) : [];
