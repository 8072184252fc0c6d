import { createHash } from 'node:crypto';

/** SHA-256 of a text, hex. Stored only under a key (HMAC): on its own it would let a short value be guessed. */
export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** SHA-256, hex, of named attributes, whatever order they are written in. */
export function stateDigest(state: Readonly<Record<string, string | null>>): string {
  const sorted = Object.entries(state).sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify(sorted));
}
