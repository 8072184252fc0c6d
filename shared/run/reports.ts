import type { RunReport } from './report.ts';
import type { ControlWorld } from './world.ts';

/** Object of a report that stands in no chain: a plan, or a run that ended before it held a lease. */
const reportKey = (run: string, round: number): string => `runs/${run}/report-${round}.json`;

/** Stores such a report. Written once: a repeated step finds its own. */
export async function storeReport(world: ControlWorld, report: RunReport): Promise<string> {
  const key = reportKey(report.run, report.round);
  await world.objects.put(key, JSON.stringify(report), { ifAbsent: true });
  return key;
}
