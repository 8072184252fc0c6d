import type { RunReport } from '../../shared/run/report.ts';
import type { Workbench } from '../ports/workbench.ts';

export type Report = RunReport;

/** Every report of a run, oldest first: of each round, and of each question. */
export function reportsOf(bench: Workbench, run: string): Report[] {
  const key = bench.memory.peek(`RUN#${run}`, 'META')?.['report'] as string | undefined;
  return key === undefined ? [] : bench.bucket.bodies(key).map((body) => JSON.parse(body) as Report);
}
