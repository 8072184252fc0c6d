/** What lines of an infrastructure tool have in common, whichever tool it is. */
import { z } from 'zod';
import type { OutputSpec, StackLine } from '../engine/op.ts';
import { isValue, type ResolvedParams } from '../engine/value.ts';
import type { Params, Scalar } from '../plan/types.ts';
import { invalid, manyValues } from './param.ts';

const below = /^(?:\.|(?!.*(?:^|\/)\.{0,2}(?:\/|$))[^/\\\p{Cc}][^\\\p{Cc}]*(?<!\/))$/u;

/** A path that leads out of nothing. */
export const pathBelow = z.string().regex(below, 'this takes a path below it, as in `infra/network`: no `..`, no `//`, no `/` at either end');

export const exactVersion = (example: string) => z.string().regex(/^\d+\.\d+\.\d+$/, `write the whole version, as in \`${example}\``);

/** The outputs that a line says other lines may use. Whether one is sensitive the tool alone knows. */
export function outputsNamed(line: Params, name: z.ZodType<string>, about: string): Record<string, OutputSpec> {
  const names = z.array(name).safeParse(line['outputs'] ?? []);
  return Object.fromEntries((names.success ? names.data : []).map((output): [string, OutputSpec] => [output, { available: 'immediate', about }]));
}

/**
 * The values that the tool is given, and which of them are secret. Those that are pending are left out.
 *
 * @throws LockkeeperError PARAM_INVALID for `keep`: `instead` says what is meant by it.
 */
export function valuesGiven(given: ResolvedParams, param: string, instead: string): Pick<StackLine, 'variables' | 'secretVariables'> {
  const values = manyValues(given, param);
  const kept = values.find(([, one]) => one.kind === 'keep');
  if (kept) throw invalid(`\`${param}.${kept[0]}\` cannot be \`keep\`: ${instead}`);
  const known = values.flatMap(([name, one]) => (one.kind === 'known' ? [{ name, value: one.value, sensitive: one.sensitive }] : []));
  return {
    variables: Object.fromEntries(known.map(({ name, value }): [string, Scalar] => [name, value])),
    secretVariables: known.filter(({ sensitive }) => sensitive).map(({ name }) => name),
  };
}

/** A parameter that is one text; undefined where it is left out or pending. */
export function textGiven(given: ResolvedParams, name: string): string | undefined {
  const node = given[name];
  return node !== undefined && isValue(node) && node.kind === 'known' ? String(node.value) : undefined;
}
