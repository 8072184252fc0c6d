import { z } from 'zod';
import { canonicalJson } from '../../approvals/canonical-json.ts';
import { isValue, type Resolved, type ResolvedParams, type Value } from '../../engine/value.ts';
import type { Scalar } from '../../plan/types.ts';
import { scalar, value } from '../../plan/value-forms.ts';
import { invalid, known } from '../param.ts';

/** What a body holds: a value in any of its forms, or lists and maps of them. */
export const valueTree: z.ZodType = z
  .union([
    value(scalar),
    z.array(z.lazy(() => valueTree)),
    z.record(
      z.string(),
      z.lazy(() => valueTree),
    ),
  ])
  .meta({ id: 'tree', description: 'A value, or lists and maps of values.' });

/** The part of a line's parameters at a path of names; undefined where the line leaves it out. */
export function partAt(params: ResolvedParams, ...names: readonly string[]): Resolved | undefined {
  let here: Resolved | undefined = params as Resolved;
  for (const name of names) {
    if (here === undefined || isValue(here) || Array.isArray(here)) return undefined;
    here = Object.hasOwn(here, name) ? (here as ResolvedParams)[name] : undefined;
  }
  return here;
}

/** A text, number or boolean of the plan file, which takes no value form. */
export function literalAt(params: ResolvedParams, ...names: readonly string[]): Scalar | undefined {
  const part = partAt(params, ...names);
  return part !== undefined && isValue(part) && part.kind === 'known' ? part.value : undefined;
}

export function textAt(params: ResolvedParams, ...names: readonly string[]): string | undefined {
  const literal = literalAt(params, ...names);
  return literal === undefined ? undefined : String(literal);
}

/** A list of literals, or a map's entries; empty where the line leaves it out. */
export function numbersAt(params: ResolvedParams, name: string): readonly number[] {
  const part = partAt(params, name);
  return Array.isArray(part) ? part.flatMap((item: Resolved) => (isValue(item) && item.kind === 'known' ? [Number(item.value)] : [])) : [];
}

export function entriesAt(params: ResolvedParams, ...names: readonly string[]): readonly [string, Resolved][] {
  const part = partAt(params, ...names);
  return part === undefined || isValue(part) || Array.isArray(part) ? [] : Object.entries(part as ResolvedParams);
}

/**
 * A tree as the JSON that is sent.
 *
 * @throws LockkeeperError PARAM_INVALID for `keep` inside it, INTERNAL for a value that is not known yet.
 */
export function plain(tree: Resolved, name: string): unknown {
  if (Array.isArray(tree)) return tree.map((item: Resolved) => plain(item, name));
  if (!isValue(tree)) return Object.fromEntries(Object.entries(tree).map(([key, inside]) => [key, plain(inside as Resolved, name)]));
  if (tree.kind === 'keep') throw invalid(`\`${name}\` cannot be \`keep\` in a part of it: only a whole field can.`);
  if (tree.kind !== 'known') known(tree, name);
  return tree.kind === 'known' ? tree.value : undefined;
}

/** A tree as one value: a list or map as its canonical JSON, sensitive when anything in it is, pending while anything in it is. */
export function whole(tree: Resolved, name: string): Value {
  if (isValue(tree)) return tree;
  const inside = leavesOf(tree);
  const waiting = inside.find((leaf) => leaf.kind === 'pending' || leaf.kind === 'unresolved');
  if (waiting) return waiting;
  const sensitive = inside.some((leaf) => leaf.kind === 'known' && leaf.sensitive);
  return { kind: 'known', value: canonicalJson(plain(tree, name)), sensitive };
}

function leavesOf(tree: Resolved): readonly Value[] {
  if (isValue(tree)) return [tree];
  return (Array.isArray(tree) ? tree : Object.values(tree)).flatMap((inside: Resolved) => leavesOf(inside));
}

/** JSON as one value of an attribute, as {@link whole} writes it. */
export const asScalar = (json: unknown): Scalar =>
  typeof json === 'string' || typeof json === 'number' || typeof json === 'boolean' ? json : canonicalJson(json);

export const sameJson = (one: unknown, other: unknown): boolean => one !== undefined && other !== undefined && canonicalJson(one) === canonicalJson(other);
