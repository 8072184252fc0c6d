import { quoted } from '../errors/quoted.ts';
import type { Add } from '../yaml/findings.ts';
import type { PositionOf } from '../yaml/place.ts';
import { principalOf } from './principal.ts';
import { type SelectedText, selected, selectedTexts } from './selected.ts';

interface Mapped {
  readonly login: string;
  readonly arn: SelectedText;
  /** Undefined: the role, which is every one of its sessions. */
  readonly one: string | undefined;
}

/** One AWS principal is one person in the whole file: whoever calls through it must not be able to be two people. */
export function judgePrincipals(root: Readonly<Record<string, unknown>>, positionOf: PositionOf, add: Add): void {
  const families = new Map<string, Mapped[]>();
  for (const { path } of selected(root, ['environments', '*', 'approvers', '*'])) {
    const [arn] = selectedTexts(root, [...path, 'aws']);
    const [login] = selectedTexts(root, [...path, 'github']);
    if (arn === undefined || login === undefined) continue;
    const principal = principalOf(arn.value);
    if (principal === undefined) continue;
    const mapped: Mapped = { login: login.value.toLowerCase(), arn, one: principal.one };
    const family = families.get(principal.family) ?? [];
    families.set(principal.family, family);
    const other = family.find((earlier) => earlier.login !== mapped.login && overlap(earlier, mapped));
    if (other !== undefined) add(() => ({ code: 'POLICY_INVALID', message: twoPeople(mapped, other, positionOf), at: positionOf(arn.path) }));
    if (!family.some(({ login, one }) => login === mapped.login && one === mapped.one)) family.push(mapped);
  }
}

const overlap = (a: Mapped, b: Mapped): boolean => a.one === undefined || b.one === undefined || a.one === b.one;

function twoPeople({ arn }: Mapped, other: Mapped, positionOf: PositionOf): string {
  const { line, column } = positionOf(other.arn.path);
  const who = `a caller through this principal is ${quoted(other.login)} too, by ${line}:${column}`;
  return `${quoted(arn.path.join('.'))}: ${who}: give each person a principal of their own`;
}

/** One Slack member is one person in the whole file, for the same reason. */
export function judgeMembers(root: Readonly<Record<string, unknown>>, positionOf: PositionOf, add: Add): void {
  const first = new Map<string, { readonly login: string; readonly slack: SelectedText }>();
  for (const { path } of selected(root, ['environments', '*', 'approvers', '*'])) {
    const [slack] = selectedTexts(root, [...path, 'slack']);
    const [login] = selectedTexts(root, [...path, 'github']);
    if (slack === undefined || login === undefined) continue;
    const earlier = first.get(slack.value);
    if (earlier === undefined) first.set(slack.value, { login: login.value.toLowerCase(), slack });
    else if (earlier.login !== login.value.toLowerCase()) {
      const { line, column } = positionOf(earlier.slack.path);
      const message = `${quoted(slack.path.join('.'))}: this member is ${quoted(earlier.login)} too, by ${line}:${column}: name each person's own`;
      add(() => ({ code: 'POLICY_INVALID', message, at: positionOf(slack.path) }));
    }
  }
}
