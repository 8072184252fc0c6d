import { splitReference } from '../plan/references.ts';
import { isFrom, isKeep, isSecret, isText, type Params, type PlanValue, type Scalar, type TextForm } from '../plan/types.ts';
import type { Fingerprint } from '../secrets/fingerprint.ts';
import { isValue, type OncePart, type Output, type Resolved, type ResolvedParams, type TextPiece, type Value } from './value.ts';

/** Where references get their values from. */
export interface ValueSources {
  output(line: string, output: string): OutputSource;
  /** The secret's value, or undefined when its source failed. */
  secret(reference: string): string | undefined;
}

/** An output's value, undefined while it is not known, and whether it is sensitive. */
export interface OutputSource {
  readonly value: Scalar | undefined;
  readonly sensitive: boolean;
  /** It is given once alone: the fingerprint of what was given, where that is known. Without a value, and not `awaited`, the value is gone. */
  readonly once?: { readonly of: Fingerprint | undefined; readonly awaited?: true };
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

/** A text is known when all of it is, and as sensitive as its most sensitive part. With a value that is gone in it, it can only be kept. */
function resolveText({ from, parts: written }: TextForm, sources: ValueSources): Value {
  const resolved = written.map((part) => (typeof part === 'string' ? part : resolveOutput(part.from, sources)));
  const parts = resolved.filter((part) => typeof part === 'string' || part.kind !== 'keep') as TextPiece[];
  const sensitive = parts.some((part) => typeof part !== 'string' && part.sensitive);
  if (parts.some((part) => typeof part !== 'string' && part.kind === 'pending')) return { kind: 'pending', ref: from, sensitive, parts };
  const pieces = resolved.flatMap((part): readonly OncePart[] => (typeof part === 'string' ? [part] : onceOf(part)));
  const once = pieces.every((piece) => typeof piece === 'string') ? {} : { once: pieces };
  if (parts.length < resolved.length) return { kind: 'keep', ref: from, ...once };
  const value = parts.map((part) => (typeof part === 'string' ? part : textOf(part))).join('');
  return { kind: 'known', value, sensitive, ref: from, parts, ...once };
}

const textOf = (value: Value): string => (value.kind === 'known' ? String(value.value) : '');
const onceOf = (value: Value): readonly OncePart[] => ((value.kind === 'known' || value.kind === 'keep') && value.once ? value.once : [textOf(value)]);

function resolveOutput(from: string, sources: ValueSources): Output | Extract<Value, { kind: 'keep' }> {
  const { line, output } = splitReference(from);
  const { value, sensitive, once } = sources.output(line, output);
  const parts = once ? { once: [{ ref: from, once: once.of }] } : {};
  if (value === undefined && once && !once.awaited) return { kind: 'keep', ref: from, ...parts };
  return value === undefined ? { kind: 'pending', ref: from, sensitive } : { kind: 'known', value, sensitive, ref: from, ...parts };
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
