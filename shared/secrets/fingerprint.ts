import { createHmac } from 'node:crypto';
import type { FingerprintKey } from './keys.ts';

/** What is stored of a value: a keyed hash (hex), and which key it was made under. */
export interface Fingerprint {
  readonly key: string;
  readonly mac: string;
}

export function fingerprint(key: FingerprintKey, text: string): Fingerprint {
  return { key: key.id, mac: createHmac('sha256', key.key).update(text).digest('hex') };
}

/** `not-comparable`: made under different keys. That is never a change (design "Values"); the next clean read renews it. */
export function compare(a: Fingerprint, b: Fingerprint): 'same' | 'different' | 'not-comparable' {
  if (a.key !== b.key) return 'not-comparable';
  return a.mac === b.mac ? 'same' : 'different';
}
