import { wayOf } from '../drift/readers/paths.ts';
import type { ResourceChange } from '../engine/op.ts';
import type { DriftPolicy } from '../policy/types.ts';
import type { ScannedResource } from './scanned-line.ts';

/** What policy lets differ of one line: those of its rules that are about it. */
export type IgnoreRule = Omit<DriftPolicy['ignore'][number], 'line'>;

/** The rules about a line, without its name. */
export const rulesAbout = (line: string, rules: DriftPolicy['ignore']): IgnoreRule[] =>
  rules.filter((rule) => rule.line === undefined || rule.line === line).map(({ line: _line, ...rule }) => rule);

/** Those of a line's rules that are about one of its resources. */
export const rulesOf = (rules: readonly IgnoreRule[], { key, label }: Pick<ResourceChange, 'key' | 'label'>): IgnoreRule[] =>
  rules.filter(({ resource }) => resource === undefined || resource === key || resource === label);

/**
 * What of a drifted resource is not looked at, why, and which fields are left. `all`: nothing of its drift is left. A rule with a path says
 * nothing of a resource that is gone, or that is another one by now.
 */
export function ignoredPaths(
  rules: readonly IgnoreRule[],
  { key, label, fields }: Pick<ResourceChange, 'key' | 'label' | 'fields'>,
  drifted: NonNullable<ScannedResource['drifted']>,
): { readonly reasons: NonNullable<ScannedResource['ignored']>; readonly left: ResourceChange['fields']; readonly all: boolean } {
  const about = rulesOf(rules, { key, label });
  const whole = about.find(({ path }) => path === undefined);
  if (whole) return { reasons: [{ reason: whole.reason }], left: [], all: true };
  if (drifted !== 'changed') return { reasons: [], left: fields, all: false };
  const ruleOf = (path: string) => about.find((rule) => rule.path !== undefined && isAtOrBelow(path, rule.path));
  const reasons = fields.flatMap(({ path }) => {
    const rule = ruleOf(path);
    return rule ? [{ path, reason: rule.reason }] : [];
  });
  const left = fields.filter(({ path }) => ruleOf(path) === undefined);
  return { reasons, left, all: reasons.length > 0 && left.length === 0 };
}

/** Whether a path is another, or lies below it, however either is written: `a.b` and `a["b"]` are one. */
export function isAtOrBelow(path: string, at: string): boolean {
  const [way, above] = [wayOf(path), wayOf(at)];
  if (!way || !above) return path === at;
  return above.length <= way.length && above.every((step, index) => String(step) === String(way[index]));
}

/** What a rule is judged by that names a resource: the rules of each line, and the resources that a look at it has seen; undefined: nobody could look. */
export interface RuledLine {
  readonly rules: readonly IgnoreRule[];
  readonly seen: readonly Pick<ResourceChange, 'key' | 'label'>[] | undefined;
}

/** Resources that rules name and no line has. A rule about a line that nobody could look at says nothing of it. */
export function namesOfNothing(lines: readonly RuledLine[]): string[] {
  const named = new Set(lines.flatMap(({ rules }) => rules.flatMap(({ resource }) => (resource === undefined ? [] : [resource]))));
  return [...named].filter((name) => {
    const about = lines.filter(({ rules }) => rules.some(({ resource }) => resource === name));
    return about.every(({ seen }) => seen !== undefined && !seen.some(({ key, label }) => key === name || label === name));
  });
}
