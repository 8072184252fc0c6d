import { createHash } from 'node:crypto';
import type { Scalar } from '../plan/types.ts';

/**
 * One leaf of a line's parameters after resolution.
 * `known`: the value, `sensitive` when it came from a secret or a sensitive output, `ref` when it came from anywhere but the file.
 * `pending`: the output of another line that is not known yet. `unresolved`: a secret whose source failed. `keep`: what is live stays.
 */
export type Value =
  | { readonly kind: 'known'; readonly value: Scalar; readonly sensitive: boolean; readonly ref?: string }
  | { readonly kind: 'pending'; readonly ref: string; readonly sensitive: boolean }
  | { readonly kind: 'unresolved'; readonly ref: string }
  | { readonly kind: 'keep' };

/** A line's parameters after resolution: the file's tree with a `Value` at every leaf. */
export type Resolved = Value | readonly Resolved[] | { readonly [key: string]: Resolved };
export type ResolvedParams = { readonly [name: string]: Resolved };

/** What people see of one side of a change. */
export type Side =
  | { readonly state: 'literal'; readonly value: Scalar }
  | { readonly state: 'sensitive'; readonly ref?: string }
  | { readonly state: 'pending'; readonly ref: string }
  | { readonly state: 'secret'; readonly ref: string }
  | { readonly state: 'kept' }
  | { readonly state: 'absent' };

/** How a value is shown: literals in clear, everything else by its reference. */
export function sideOf(value: Value): Side {
  switch (value.kind) {
    case 'known':
      if (!value.sensitive) return { state: 'literal', value: value.value };
      if (value.ref?.includes('://')) return { state: 'secret', ref: value.ref };
      return value.ref === undefined ? { state: 'sensitive' } : { state: 'sensitive', ref: value.ref };
    case 'pending':
      return { state: 'pending', ref: value.ref };
    case 'unresolved':
      return { state: 'secret', ref: value.ref };
    case 'keep':
      return { state: 'kept' };
  }
}

/** SHA-256, hex, of what an attribute has and will have. Stored only under a key. */
export interface FieldHashes {
  /** Absent where there is none, or the provider does not show it. */
  readonly hashBefore?: string;
  /** Absent while it is pending, and where the plan does not say it. */
  readonly hashAfter?: string;
}

/** SHA-256, hex, of one value as text: every op hashes the value of an attribute so, and the engine that of an output. */
export const hashOfValue = (value: Scalar): string => createHash('sha256').update(String(value), 'utf8').digest('hex');

/**
 * The hashes of an attribute.
 *
 * @param before the value it has. @param after the value it is to have, as the plan gives it.
 */
export function fieldHashes(before: Scalar | undefined, after: Value | undefined): FieldHashes {
  return {
    ...(before === undefined ? {} : { hashBefore: hashOfValue(before) }),
    ...(after?.kind === 'known' ? { hashAfter: hashOfValue(after.value) } : {}),
  };
}

/** A leaf, told apart from a map by its `kind`. Plan maps cannot collide: their leaves are values, never bare strings. */
export const isValue = (node: Resolved): node is Value => !Array.isArray(node) && typeof (node as { kind?: unknown }).kind === 'string';
