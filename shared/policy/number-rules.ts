/** Numbers that only make sense beside others: more approvals than there are approvers, and a lease shorter than the work under it. */
import { quoted } from '../errors/quoted.ts';
import type { Add } from '../yaml/findings.ts';
import type { PositionOf } from '../yaml/place.ts';
import { durationMs, leasePattern } from './duration.ts';
import { type Selected, selected, selectedTexts } from './selected.ts';

type Root = Readonly<Record<string, unknown>>;

/** No lease is shorter (P3), but on stacks whose own is. */
export const usualLeastLeaseMs = 5 * 60_000;

export function judgeNumbers(root: Root, positionOf: PositionOf, add: Add, leastLeaseMs: number): void {
  const refuse = ({ path }: Selected, message: string) =>
    add(() => ({ code: 'POLICY_INVALID', message: `${quoted(path.join('.'))}: ${message}`, at: positionOf(path) }));
  for (const { path } of selected(root, ['environments', '*'])) {
    const [required] = selected(root, [...path, 'required']);
    const can = mostThatCanBeHad(root, path);
    if (required !== undefined && can !== undefined && typeof required.value === 'number' && required.value > can)
      refuse(required, `only ${can === 1 ? 'one person is' : `${can} people are`} listed as approvers: write ${can} or less, or list more`);
    for (const lease of selectedTexts(root, [...path, 'lease_ttl'])) {
      if (leasePattern.test(lease.value) && durationMs(lease.value) < leastLeaseMs)
        refuse(lease, `a lease must outlive nine attempts at a line, and five minutes: write \`${Math.ceil(leastLeaseMs / 1000)}s\` or more for this stack`);
    }
  }
}

/** How many people the list names; undefined where a team is in it, or where there is none: nobody can tell from the file. */
function mostThatCanBeHad(root: Root, path: Selected['path']): number | undefined {
  const people = selectedTexts(root, [...path, 'approvers', '*', 'github']);
  const teams = selected(root, [...path, 'approvers', '*', 'team']);
  return people.length === 0 || teams.length > 0 ? undefined : new Set(people.map(({ value }) => value.toLowerCase())).size;
}
