import type { RunReport } from '../run/report.ts';
import { type Check, checkName, renderCheck } from './check.ts';

const said = [
  'This is what merging this commit would ask about, or do. It was planned with credentials that can only read: nothing was written, no secret was opened,',
  'and nobody is asked by it. The policy is that of the default branch. Lines that wait for the merge are planned then; why, stands beside them.',
].join(' ');

/** The check of what a merge would do. Whatever stands in it, nothing can be decided by it. */
export function renderAfterMerge(report: RunReport): Check {
  const check = renderCheck(report, `${said}\n`);
  return { ...check, name: afterMergeName(report.plan.name, report.environment), actions: [] };
}

export const afterMergeName = (plan: string, environment: string): string => `${checkName(plan, environment)} after merge`;
