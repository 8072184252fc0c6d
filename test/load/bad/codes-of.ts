import type { Run } from '../../../shared/run/items.ts';
import type { Workbench } from '../../ports/workbench.ts';
import { reportsOf } from '../../property/report.ts';

/** Why a run did not do what it was to do: codes of the run, of its newest report and of its lines, sorted. */
export function codesOf(bench: Workbench, { id, problem }: Run): string[] {
  const report = reportsOf(bench, id).at(-1);
  return [...new Set([problem, report?.problem, ...(report?.lines ?? []).map((line) => line.problem)].flatMap((one) => one?.code ?? []))].sort();
}
