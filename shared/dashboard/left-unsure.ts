import type { RunReport } from '../run/report.ts';

/** It was refused or broken before a line was worked on: what would be written is not known. */
export const wroteNothing = ({ lines }: Pick<RunReport, 'lines'>): boolean => !lines.some(({ status }) => tried.has(status));
const tried: ReadonlySet<string> = new Set(['applied', 'failed', 'rolled_back', 'rollback_failed', 'waiting', 'destroyed', 'destroy_failed']);

/** Whether it is of the kind that takes away what the plan wants, or brings back what a receipt tells. A prune of orphans touches no line of the plan. */
export const tookAway = ({ kind, undoes, recovery }: Pick<RunReport, 'kind' | 'undoes' | 'recovery'>): boolean =>
  kind === 'destroy' || (kind === 'prune' && undoes !== undefined) || (kind === 'recover' && recovery?.dry !== true);

/** Whether it has tried lines and not come to its end. Of one that was fenced out, whoever has the lease now will tell. */
export const leftUnsure = (report: Pick<RunReport, 'status' | 'lines'>): boolean =>
  report.status !== 'complete' && report.status !== 'partial' && report.status !== 'fenced-out' && !wroteNothing(report);

/** Drift kept it from beginning. Its preview succeeded: what stands in the way is drift, and the row shows that where it is known. */
export const metDrift = ({ status, problem, lines }: Pick<RunReport, 'status' | 'problem' | 'lines'>): boolean =>
  status === 'failed' && [problem, ...lines.map((line) => line.problem)].some((one) => one?.code === 'DRIFT_CHANGED');
