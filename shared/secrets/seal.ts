/**
 * The format of a sealed text, frozen by a golden test:
 *
 *     lk1.<key id>.<nonce>.<ciphertext and tag>      nonce and ciphertext in base64url
 *
 * AES-256-GCM. The first two parts and the caller's associated data are authenticated with it, so a sealed text opens only
 * where it was meant to lie.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { LockkeeperError } from '../errors/error.ts';
import type { SealingKey } from './keys.ts';

const version = 'lk1';
const tagLength = 16;

/** The id of the key that a text was sealed under. */
export const sealedUnder = (sealed: string): string | undefined => sealed.split('.')[1];

/** @param associatedData where the text belongs: a run's id, a resource's identity. Not secret, not stored with it. */
export function seal(key: SealingKey, plaintext: string, associatedData: string): string {
  const nonce = key.nonce();
  const cipher = createCipheriv('aes-256-gcm', key.key, nonce);
  cipher.setAAD(authenticated(key.id, associatedData));
  const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return [version, key.id, Buffer.from(nonce).toString('base64url'), sealed.toString('base64url')].join('.');
}

/**
 * @throws LockkeeperError SEAL_UNREADABLE: another key, another place, an unknown format, or changed since.
 */
export function open(key: SealingKey, sealed: string, associatedData: string): string {
  const [format, keyId, nonce, body, ...more] = sealed.split('.');
  if (format !== version || !keyId || !nonce || !body || more.length > 0) throw unreadable('its format is not known to this version');
  if (keyId !== key.id) throw unreadable(`it was sealed under key ${keyId}, and the key in use is ${key.id}`);

  const bytes = Buffer.from(body, 'base64url');
  const nonceBytes = Buffer.from(nonce, 'base64url');
  if (nonceBytes.length !== 12 || bytes.length < tagLength) throw unreadable('it is cut off');
  const decipher = createDecipheriv('aes-256-gcm', key.key, nonceBytes, { authTagLength: tagLength });
  decipher.setAAD(authenticated(keyId, associatedData));
  decipher.setAuthTag(bytes.subarray(-tagLength));
  try {
    return decipher.update(bytes.subarray(0, -tagLength), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    throw unreadable('it was changed, or belongs to another place');
  }
}

const authenticated = (keyId: string, associatedData: string) => Buffer.from(`${version}.${keyId}\n${associatedData}`);

const unreadable = (why: string) => new LockkeeperError({ code: 'SEAL_UNREADABLE', message: `A sealed value cannot be opened: ${why}.` });
