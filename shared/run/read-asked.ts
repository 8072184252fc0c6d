import { LockkeeperError } from '../errors/error.ts';
import type { Run } from './items.ts';
import type { RunReport } from './report.ts';
import type { ControlWorld } from './world.ts';

/**
 * What was put to people, as it was stored, and how it stands now: every value in it is masked.
 *
 * @throws LockkeeperError RECEIPT_CORRUPT when it is gone.
 */
export async function readAsked({ objects }: Pick<ControlWorld, 'objects'>, run: Run): Promise<RunReport> {
  const stored = run.report === undefined ? undefined : await objects.get(run.report);
  if (!stored) throw new LockkeeperError({ code: 'RECEIPT_CORRUPT', message: `What run ${run.id} asked is not in the bucket.` });
  return asItStands(JSON.parse(stored.body) as RunReport, run);
}

/** The question as it stands now: some of those who must approve it may have, and a freeze may keep it from being applied. */
export function asItStands(report: RunReport, run: Pick<Run, 'approvals' | 'question' | 'frozen'>): RunReport {
  const { approvals, question } = run;
  if (report.status !== 'awaiting' || !report.question) return report;
  const approved = approvals && approvals.q === question?.q && approvals.by.length > 0 ? { required: approvals.required, approvedBy: approvals.by } : {};
  return { ...report, question: { ...report.question, ...approved }, ...frozenOf(run) };
}

function frozenOf({ frozen, question }: Pick<Run, 'question' | 'frozen'>): Pick<RunReport, 'frozen'> {
  if (!frozen || frozen.q !== question?.q) return {};
  const { q: _q, ...freeze } = frozen;
  return { frozen: freeze };
}
