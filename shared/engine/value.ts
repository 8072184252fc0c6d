import { createHash } from 'node:crypto';
import type { Scalar } from '../plan/types.ts';
import type { Fingerprint } from '../secrets/fingerprint.ts';

/**
 * One leaf of a line's parameters after resolution.
 * `known`: the value, `sensitive` when it came from a secret or a sensitive output, `ref` when it came from anywhere but the file.
 * `pending`: the output of another line that is not known yet. `unresolved`: a secret whose source failed. `keep`: what is live stays.
 * A text with outputs in it has `parts`, and itself as it is written for its `ref`; it is pending while one of them is. `once`: it is made of
 * outputs that were given once; kept, when their values are gone.
 */
export type Value =
  | {
      readonly kind: 'known';
      readonly value: Scalar;
      readonly sensitive: boolean;
      readonly ref?: string;
      readonly parts?: readonly TextPiece[];
      readonly once?: readonly OncePart[];
    }
  | { readonly kind: 'pending'; readonly ref: string; readonly sensitive: boolean; readonly parts?: readonly TextPiece[] }
  | { readonly kind: 'unresolved'; readonly ref: string }
  | { readonly kind: 'keep'; readonly ref?: string; readonly once?: readonly OncePart[] };

/** A piece of a value made of once-only outputs: what is no such output, or one by its fingerprint. Without one nobody knows what it was. */
export type OncePart = string | { readonly ref: string; readonly once: Fingerprint | undefined };

/** A piece of a text: what stands there, or the output that does. */
export type TextPiece = string | Output;
export type Output = Extract<Value, { readonly kind: 'known' | 'pending' }> & { readonly ref: string };

/** The outputs that a leaf is made of: none, one, or those in a text. */
export function outputsOf(value: Value): readonly Output[] {
  if (value.kind !== 'known' && value.kind !== 'pending') return [];
  if (value.parts) return value.parts.filter((part) => typeof part !== 'string');
  return value.ref === undefined || value.ref.includes('://') ? [] : [{ ...value, ref: value.ref }];
}

/** The outputs a leaf waits for, as `line.output`. */
export const pendingIn = (value: Value): readonly string[] =>
  value.kind === 'pending' ? outputsOf(value).flatMap(({ kind, ref }) => (kind === 'pending' ? [ref] : [])) : [];

/** A line's parameters after resolution: the file's tree with a `Value` at every leaf. */
export type Resolved = Value | readonly Resolved[] | { readonly [key: string]: Resolved };
export type ResolvedParams = { readonly [name: string]: Resolved };

/** What people see of one side of a change. */
export type Side =
  | { readonly state: 'literal'; readonly value: Scalar }
  | { readonly state: 'sensitive'; readonly ref?: string }
  /** `on`: the outputs that a text waits for, whose reference is the text itself. */
  | { readonly state: 'pending'; readonly ref: string; readonly on?: readonly string[] }
  | { readonly state: 'secret'; readonly ref: string }
  /** `ref`: what it was made of, where its value is gone. */
  | { readonly state: 'kept'; readonly ref?: string }
  | { readonly state: 'absent' }
  /** It is none of those that policy lets people see. */
  | { readonly state: 'unshown' };

/** How a value is shown: literals in clear, everything else by its reference. */
export function sideOf(value: Value): Side {
  switch (value.kind) {
    case 'known':
      if (!value.sensitive) return { state: 'literal', value: value.value };
      if (!value.parts && value.ref?.includes('://')) return { state: 'secret', ref: value.ref };
      return value.ref === undefined ? { state: 'sensitive' } : { state: 'sensitive', ref: value.ref };
    case 'pending':
      return { state: 'pending', ref: value.ref, ...(value.parts ? { on: pendingIn(value) } : {}) };
    case 'unresolved':
      return { state: 'secret', ref: value.ref };
    case 'keep':
      return value.ref === undefined ? { state: 'kept' } : { state: 'kept', ref: value.ref };
  }
}

/** What the engine knows of an attribute beside what people see: SHA-256, hex, of what it has and will have, stored only under a key. */
export interface FieldHashes {
  /** What it has, as the provider says: a function, so that no serialisation can take it along. Shown only where policy wants it ({@link reveal}). */
  readonly live?: () => Scalar;
  /** Absent where there is none, or the provider does not show it. */
  readonly hashBefore?: string;
  /** Absent while it is pending, and where the plan does not say it. */
  readonly hashAfter?: string;
  /** Of the outputs in a pending text that are known already, by `line.output`. */
  readonly hashesKnown?: Readonly<Record<string, string>>;
}

/** SHA-256, hex, of one value as text: every op hashes the value of an attribute so, and the engine that of an output. */
export const hashOfValue = (value: Scalar): string => createHash('sha256').update(String(value), 'utf8').digest('hex');

/**
 * The hashes of an attribute, and what is live of it.
 *
 * @param before the value it has. @param after the value it is to have, as the plan gives it.
 */
export function fieldHashes(before: Scalar | undefined, after: Value | undefined): FieldHashes {
  return {
    ...(before === undefined ? {} : { live: () => before, hashBefore: hashOfValue(before) }),
    ...(after?.kind === 'known' ? { hashAfter: hashOfValue(after.value) } : {}),
    ...(after?.kind === 'pending' && after.parts ? knownHashes(after) : {}),
  };
}

function knownHashes(text: Value): Pick<FieldHashes, 'hashesKnown'> {
  const known = outputsOf(text).flatMap((one) => (one.kind === 'known' ? [[one.ref, hashOfValue(one.value)] as const] : []));
  return known.length === 0 ? {} : { hashesKnown: Object.fromEntries(known) };
}

/** A leaf, told apart from a map by its `kind`. Plan maps cannot collide: their leaves are values, never bare strings. */
export const isValue = (node: Resolved): node is Value => !Array.isArray(node) && typeof (node as { kind?: unknown }).kind === 'string';
