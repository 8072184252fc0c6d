import { createHash, createHmac } from 'node:crypto';
import { LockkeeperError } from '../errors/error.ts';

/** Key of the stored fingerprints (HMAC-SHA256). `id` tells it from the key before it, and says nothing about either. */
export interface FingerprintKey {
  readonly id: string;
  readonly key: Uint8Array;
}

/** Key of what is sealed (AES-256-GCM). Every call of `nonce` gives 12 fresh random bytes. */
export interface SealingKey {
  readonly id: string;
  readonly key: Uint8Array;
  nonce(): Uint8Array;
}

/** A shorter secret is one that somebody typed. */
const shortestSecret = 32;

/**
 * The fingerprint key made of a secret's text: 32 bytes; the id is the first 8 hex digits of a hash of its own.
 *
 * @throws LockkeeperError KEY_INVALID for a text that is too short to be a key.
 */
export function fingerprintKey(secret: string): FingerprintKey {
  return derive(secret, 'fingerprint');
}

/**
 * The sealing key made of a secret's text, as above. The same text gives two unrelated keys for the two uses.
 *
 * @throws LockkeeperError KEY_INVALID
 */
export function sealingKey(secret: string, randomBytes: (count: number) => Uint8Array): SealingKey {
  return { ...derive(secret, 'sealing'), nonce: () => randomBytes(12) };
}

/** The part of a run's own key that lies beside the run. The other part is the stack's key: neither opens anything alone. */
export const freshSalt = ({ nonce }: SealingKey): string => Buffer.concat([nonce(), nonce()]).toString('base64url');

/** The key of one run's outputs. Once its salt is deleted, nothing that was sealed under it can be opened any more. */
export function keyOfRun(stack: SealingKey, salt: string): SealingKey {
  const key = createHmac('sha256', stack.key).update(`lockkeeper key of a run\n${salt}`).digest();
  const id = hashOf(`lockkeeper key of a run, id\n${salt}`).toString('hex').slice(0, 8);
  return { key, id, nonce: stack.nonce };
}

/** The key of one member's drift records, made of whoever reads it: what is the same in two members has no fingerprint in common. */
export function keyOfMember({ id, key }: FingerprintKey, member: string): FingerprintKey {
  const own = createHmac('sha256', key).update(`lockkeeper key of a member\n${member}`).digest();
  return { key: own, id: hashOf(`lockkeeper key of a member, id\n${id}\n${member}`).toString('hex').slice(0, 8) };
}

function derive(secret: string, use: 'fingerprint' | 'sealing'): { id: string; key: Uint8Array } {
  const text = materialOf(secret);
  if (text.length < shortestSecret) {
    throw new LockkeeperError({ code: 'KEY_INVALID', message: `The ${use} key is shorter than ${shortestSecret} characters.` });
  }
  const key = hashOf(`lockkeeper ${use} key\n${text}`);
  const id = hashOf(`lockkeeper ${use} key id\n${text}`).toString('hex').slice(0, 8);
  return { id, key };
}

/** The stack keeps `{ "id", "key" }`; a bare text does as well. Our id comes from the text, so that a replaced key never passes for the old one. */
function materialOf(secret: string): string {
  try {
    const parsed: unknown = JSON.parse(secret);
    if (typeof parsed === 'object' && parsed !== null && 'key' in parsed && typeof parsed.key === 'string') return parsed.key;
  } catch {
    // Not JSON: the text itself is the key.
  }
  return secret.trim();
}

const hashOf = (text: string) => createHash('sha256').update(text).digest();
