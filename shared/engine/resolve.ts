import { isFrom, isKeep, isSecret, type Params, type PlanValue, type Scalar } from '../plan/types.ts';
import { isValue, type Resolved, type ResolvedParams, type Value } from './value.ts';

/** Where references get their values from. */
export interface ValueSources {
  /** The output's value, or undefined while it is not known; and whether it is sensitive. */
  output(line: string, output: string): { readonly value: Scalar | undefined; readonly sensitive: boolean };
  /** The secret's value, or undefined when its source failed. */
  secret(reference: string): string | undefined;
}

/** Replaces every value form by what it stands for; literals stay. */
export function resolveParams(params: Params, sources: ValueSources): ResolvedParams {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, resolve(value, sources)]));
}

function resolve(value: PlanValue, sources: ValueSources): Resolved {
  if (Array.isArray(value)) return value.map((item) => resolve(item as PlanValue, sources));
  if (isFrom(value)) return resolveOutput(value.from, sources);
  if (isSecret(value)) return resolveSecret(value.secret, sources);
  if (isKeep(value)) return { kind: 'keep' };
  if (typeof value === 'object') return resolveParams(value as Params, sources);
  return { kind: 'known', value, sensitive: false };
}

function resolveOutput(from: string, sources: ValueSources): Value {
  const dot = from.indexOf('.');
  const { value, sensitive } = sources.output(from.slice(0, dot), from.slice(dot + 1));
  return value === undefined ? { kind: 'pending', ref: from, sensitive } : { kind: 'known', value, sensitive, ref: from };
}

function resolveSecret(reference: string, sources: ValueSources): Value {
  const value = sources.secret(reference);
  return value === undefined ? { kind: 'unresolved', ref: reference } : { kind: 'known', value, sensitive: true, ref: reference };
}

/** Every leaf of a parameter tree, with its dotted path. */
export function leaves(params: ResolvedParams): { path: string; value: Value }[] {
  const found: { path: string; value: Value }[] = [];
  const walk = (node: Resolved, path: string): void => {
    if (Array.isArray(node)) for (const [index, item] of node.entries()) walk(item as Resolved, `${path}.${index}`);
    else if (isValue(node)) found.push({ path, value: node });
    else for (const [name, child] of Object.entries(node)) walk(child as Resolved, path === '' ? name : `${path}.${name}`);
  };
  walk(params as Resolved, '');
  return found;
}
