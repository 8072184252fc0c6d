import { type Check, checkName, LONGEST_TEXT, renderCheck } from './check.ts';
import { asciiJson, code, jsonBlock, prose } from './escape.ts';
import { shorten } from './shorten.ts';
import type { ShownReport } from './shown-report.ts';
import { count } from './words.ts';

const said = [
  'This is what merging this commit would ask about, or do. It was planned with credentials that can only read: nothing was written, no secret was opened,',
  'and nobody is asked by it. The policy is that of the default branch. Lines that wait for the merge are planned then; why, stands beside them.',
].join(' ');

/** The check of what a merge would do. Whatever stands in it, nothing can be decided by it. */
export function renderAfterMerge(report: ShownReport): Check {
  const check = renderCheck(report, `${said}\n`);
  return { ...check, name: afterMergeName(report.plan.name, report.environment), actions: [] };
}

export const afterMergeName = (plan: string, environment: string): string => `${checkName(plan, environment)} after merge`;

/** A line that nothing looks at before the merge, and why; `refused`: policy does not let it be merged as it is. */
export interface LaterLine {
  readonly id: string;
  readonly why: string;
  readonly refused: boolean;
}

/** The check of what a merge would do, where nothing of it may be looked at before: the lines, and what keeps each of them. */
export function renderPlannedLater(plan: string, environment: string, commit: string, lines: readonly LaterLine[]): Check {
  const refused = lines.filter((line) => line.refused).length;
  const rows = lines.map((line) => `- ${code(line.id)}: ${line.refused ? 'refused by policy' : 'planned after merge'} (${prose(line.why)})`);
  const rest = shorten([{ head: '\n', items: rows, tail: '', left: (n) => count(n, 'line'), rank: 0 }], LONGEST_TEXT);
  const left = rest.left.length === 0 ? '' : `\nLeft out for length: ${rest.left.join(', ')}.\n`;
  const status = {
    format: 1,
    status: 'planned-after-merge',
    plan: plan.slice(0, 200),
    environment: environment.slice(0, 200),
    commit,
    lines: lines.length,
    refused,
  };
  const planned = refused === lines.length ? '' : `${count(lines.length - refused, 'line')} planned after merge`;
  const title = [planned, refused === 0 ? '' : `${refused} refused by policy`].filter((part) => part !== '').join(', ');
  return {
    name: afterMergeName(plan, environment),
    title,
    summary: `Merging this commit would work on ${count(lines.length, 'line')} in ${code(environment, 100)}. Policy names nothing there that may be looked at before: no secret was opened, and no provider was asked. To have lines planned here, name credentials that can only read under ${code('read_credentials')} in the policy of the default branch.`,
    text: `${rest.text}${left}\n${jsonBlock(asciiJson(status))}\n`,
    conclusion: 'neutral',
    actions: [],
  };
}
