import { splitReference } from '../plan/references.ts';
import { isFrom, isKeep, isSecret, isText, type Params, type PlanValue, type Scalar, type TextForm } from '../plan/types.ts';
import { isValue, type Output, type Resolved, type ResolvedParams, type Value } from './value.ts';

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
  if (isText(value)) return resolveText(value, sources);
  if (isFrom(value)) return resolveOutput(value.from, sources);
  if (isSecret(value)) return resolveSecret(value.secret, sources);
  if (isKeep(value)) return { kind: 'keep' };
  if (typeof value === 'object') return resolveParams(value as Params, sources);
  return { kind: 'known', value, sensitive: false };
}

/** A text is known when all of it is, and as sensitive as its most sensitive part. */
function resolveText({ from, parts: written }: TextForm, sources: ValueSources): Value {
  const parts = written.map((part) => (typeof part === 'string' ? part : resolveOutput(part.from, sources)));
  const texts = parts.map((part) => (typeof part === 'string' ? part : part.kind === 'known' ? String(part.value) : undefined));
  const sensitive = parts.some((part) => typeof part !== 'string' && part.sensitive);
  if (texts.includes(undefined)) return { kind: 'pending', ref: from, sensitive, parts };
  return { kind: 'known', value: texts.join(''), sensitive, ref: from, parts };
}

function resolveOutput(from: string, sources: ValueSources): Output {
  const { line, output } = splitReference(from);
  const { value, sensitive } = sources.output(line, output);
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
