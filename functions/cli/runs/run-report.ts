import { LockkeeperError } from '../../../shared/errors/error.ts';
import { frozen } from '../../../shared/freeze/frozen.ts';
import type { Run } from '../../../shared/run/items.ts';
import { asItStands } from '../../../shared/run/read-asked.ts';
import type { RunReport } from '../../../shared/run/report.ts';
import { wholeReport } from '../../../shared/surfaces/whole-report.ts';
import type { Store } from '../folder/store.ts';

/**
 * The report of a run's newest round: what it did, or would do; and who has approved that so far.
 *
 * @throws LockkeeperError NOT_FOUND while there is none; RECEIPT_CORRUPT, RECEIPT_VERSION.
 */
export async function reportOfRun(
  store: Pick<Store, 'objects' | 'table' | 'clock'>,
  run: Pick<Run, 'id' | 'phase' | 'report' | 'question' | 'approvals' | 'frozen' | 'repository' | 'environment' | 'protects'>,
): Promise<RunReport> {
  const { objects } = store;
  const stored = run.report === undefined ? undefined : await objects.get(run.report);
  if (!stored) throw new LockkeeperError({ code: 'NOT_FOUND', message: `Run ${run.id} has no report: it is ${run.phase}.` });
  const report = parseReport(stored.body, run.id);
  if (!run.question || report.status !== 'awaiting') return report;
  // Looked up here: what the run says of a freeze it says after it has parked, and it has yet to hear of one that is over.
  const { frozen: _told, ...parked } = run;
  const freeze = await frozen(store, run);
  return asItStands(report, freeze ? { ...parked, frozen: { ...freeze, q: run.question.q } } : parked);
}

function parseReport(body: string, run: string): RunReport {
  let report: Partial<RunReport> | undefined;
  try {
    report = JSON.parse(body) as Partial<RunReport>;
  } catch (cause) {
    throw new LockkeeperError({ code: 'RECEIPT_CORRUPT', message: `The report of run ${run} is not JSON.` }, { cause });
  }
  if (typeof report?.format !== 'number' || !Array.isArray(report.lines))
    throw new LockkeeperError({ code: 'RECEIPT_CORRUPT', message: `The report of run ${run} lacks what every report has.` });
  if (report.format !== 1)
    throw new LockkeeperError({ code: 'RECEIPT_VERSION', message: `The report of run ${run} has format ${String(report.format)}; this version reads 1.` });
  return wholeReport(report as RunReport, `The report of run ${run}`);
}
