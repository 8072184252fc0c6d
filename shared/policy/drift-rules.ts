/** What the rules of drift in the policy file must say to mean anything. */
import { wayOf } from '../drift/readers/paths.ts';
import type { Problem } from '../errors/error.ts';
import { didYouMean, nearest } from '../errors/nearest.ts';
import { isPlainMap, listed, quoted } from '../errors/quoted.ts';
import type { Add } from '../yaml/findings.ts';
import type { PositionOf } from '../yaml/place.ts';
import { inEnvironment } from './policy.ts';
import { policyPath } from './policy-file.ts';
import { selected, selectedTexts } from './selected.ts';
import type { Policy } from './types.ts';

type Root = Readonly<Record<string, unknown>>;

const rules = ['environments', '*', 'drift', 'ignore', '*'] as const;

/** A rule that leaves everything, and a path that nothing has. */
export function judgeDrift(root: Root, positionOf: PositionOf, add: Add): void {
  const refuse = (path: readonly (string | number)[], message: string) =>
    add(() => ({ code: 'POLICY_INVALID', message: `${quoted(path.join('.'))}: ${message}`, at: positionOf(path) }));
  for (const { value, path } of selected(root, rules)) {
    if (isPlainMap(value) && ['line', 'resource', 'path'].every((key) => value[key] === undefined))
      refuse(path, 'this leaves whatever was edited, in every line: name a `line`, a `resource` or a `path`');
  }
  for (const { value, path } of selectedTexts(root, [...rules, 'path'])) judgePath(value, (message) => refuse(path, message));
  for (const { value, path } of selectedTexts(root, ['environments', '*', 'drift', 'show', '*'])) {
    const [, attribute] = value.split('#');
    if (attribute !== undefined) judgePath(attribute, (message) => refuse(path, message));
  }
}

/** Keys are written as they are: a `*` would be one that is called so. */
function judgePath(path: string, refuse: (message: string) => void): void {
  const way = wayOf(path);
  if (way === undefined) refuse(`${quoted(path)} is no path: write keys as \`a.b\` or \`a["b.c"]\`, and places in a list as \`a[0]\``);
  else if (way.includes('*') && !path.includes('"*"'))
    refuse(
      `there is no wildcard: a path is of all that is below it, so write ${way[0] === '*' ? 'the key' : quoted(path.slice(0, path.indexOf('*')).replace(/\.$/, ''))}`,
    );
}

/** Types of `show` that are nearly one of a line, or would be of an adapter that has no such op: other tools' types are called otherwise. */
export function doubtfulShown(root: Root, positionOf: PositionOf, types: readonly string[]): readonly Problem[] {
  const adapters = new Set(types.map((type) => type.split('.')[0]));
  return selectedTexts(root, ['environments', '*', 'drift', 'show', '*']).flatMap(({ value, path }): Problem[] => {
    const [type = ''] = value.split('#');
    const isStrange = !types.includes(type) && type.includes('.') && (adapters.has(type.split('.')[0]) || nearest(type, types) !== undefined);
    if (!isStrange) return [];
    const message = `no line makes a ${quoted(type)}${didYouMean(type, types)}: use ${listed(types, 'or')}, or the type of another tool’s resource`;
    return [{ code: 'POLICY_DOUBTFUL', message, at: positionOf(path) }];
  });
}

/**
 * Lines that the rules of an environment name and a plan does not have there: said of a run, since the policy file does not know the plan. Where
 * there are several plans a line may be another one's.
 */
export function unknownLines(policy: Policy, environment: string, lines: readonly string[]): Problem[] {
  if (policy.plans.length > 1) return [];
  const { drift } = inEnvironment(policy, environment);
  const asked = [
    ...(drift.lines ?? []).map((line) => ({ line, what: 'drift.lines', so: 'nothing is looked at because of it' })),
    ...drift.ignore.flatMap(({ line }) => (line === undefined ? [] : [{ line, what: 'drift.ignore', so: 'nothing is ignored because of it' }])),
  ];
  const told = new Map(asked.filter(({ line }) => !lines.includes(line)).map((one) => [`${one.what} ${one.line}`, one]));
  return [...told.values()].map(({ line, what, so }) => ({
    code: 'POLICY_DOUBTFUL',
    message: `${policyPath}: ${quoted(what)} of ${environment} names ${quoted(line)}, and the plan has no such line there${didYouMean(line, lines)}: ${so}.`,
  }));
}
