import { LockkeeperError } from '../errors/error.ts';
import type { Run } from './items.ts';
import type { RunReport } from './report.ts';
import type { ControlWorld } from './world.ts';

/**
 * What was put to people, as it was stored, and who has approved it so far: every value in it is masked.
 *
 * @throws LockkeeperError RECEIPT_CORRUPT when it is gone.
 */
export async function readAsked({ objects }: Pick<ControlWorld, 'objects'>, run: Run): Promise<RunReport> {
  const stored = run.report === undefined ? undefined : await objects.get(run.report);
  if (!stored) throw new LockkeeperError({ code: 'RECEIPT_CORRUPT', message: `What run ${run.id} asked is not in the bucket.` });
  return withApprovals(JSON.parse(stored.body) as RunReport, run);
}

/** The question as it stands now: some of those who must approve it may have. */
export function withApprovals(report: RunReport, { approvals, question }: Pick<Run, 'approvals' | 'question'>): RunReport {
  if (!report.question || !approvals || approvals.q !== question?.q || approvals.by.length === 0) return report;
  return { ...report, question: { ...report.question, required: approvals.required, approvedBy: approvals.by } };
}
