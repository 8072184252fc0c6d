import { isValue, type ResolvedParams, type Value } from '../engine/value.ts';
import { LockkeeperError } from '../errors/error.ts';
import type { Scalar } from '../plan/types.ts';

/** A parameter that is one value; undefined when the line leaves it out. */
export function oneValue(params: ResolvedParams, name: string): Value | undefined {
  const node = Object.hasOwn(params, name) ? params[name] : undefined;
  if (node === undefined) return undefined;
  if (isValue(node)) return node;
  throw invalid(`\`${name}\` takes one value.`);
}

/** A parameter that is a map of values, in the file's order; empty when the line leaves it out. */
export function manyValues(params: ResolvedParams, name: string): [string, Value][] {
  const node = Object.hasOwn(params, name) ? params[name] : undefined;
  if (node === undefined) return [];
  if (Array.isArray(node) || isValue(node)) throw invalid(`\`${name}\` takes a map of names to values.`);
  return Object.entries(node).map(([key, entry]) => {
    if (!isValue(entry)) throw invalid(`\`${name}.${key}\` takes one value.`);
    return [key, entry];
  });
}

/**
 * A parameter that goes into a resource's key. Keys are stored and shown in clear, so nothing secret may become part of one.
 *
 * @throws LockkeeperError SECRET_IN_IDENTITY for a secret or sensitive value, PARAM_INVALID for `keep` or a missing one.
 */
export function keyText(params: ResolvedParams, name: string): string {
  const value = oneValue(params, name);
  if (value === undefined) throw invalid(`\`${name}\` is missing.`);
  if (value.kind === 'keep') throw invalid(`\`${name}\` names the resource, so it cannot be \`keep\`.`);
  if (value.kind === 'unresolved' || value.sensitive) {
    throw new LockkeeperError({
      code: 'SECRET_IN_IDENTITY',
      message: `\`${name}\` names the resource, so it cannot come from a secret.`,
      details: { param: name },
    });
  }
  return known(value, name);
}

/** The value as the text that is sent. The engine calls `apply` only when every value is known. */
export function known(value: Value, name: string): string {
  if (value.kind === 'known') return String(value.value satisfies Scalar);
  throw new LockkeeperError({ code: 'INTERNAL', message: `\`${name}\` was used before its value was known (${value.kind}).` });
}

export const invalid = (message: string): LockkeeperError => new LockkeeperError({ code: 'PARAM_INVALID', message });
