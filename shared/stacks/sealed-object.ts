/**
 * The format of an encrypted object of the bucket (a commit's source, a saved plan), frozen by a golden test:
 *
 *     lko1.<nonce>.<ciphertext and tag>      both in base64url
 *
 * AES-256-GCM under a key of its own, with the object's name authenticated: what was put elsewhere does not open here.
 */
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { LockkeeperError } from '../errors/error.ts';
import type { SealedObject } from './tool-work.ts';

const format = 'lko1';
const tagLength = 16;

/**
 * What is to be put below `object`, and what opens it.
 *
 * @param randomBytes of the platform; the key is never used for anything else.
 */
export function sealedObject(
  object: string,
  bytes: Uint8Array,
  randomBytes: (count: number) => Uint8Array,
): { readonly body: string; readonly opens: SealedObject } {
  const [key, nonce] = [randomBytes(32), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(`${format}\n${object}`));
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  const body = [format, Buffer.from(nonce).toString('base64url'), sealed.toString('base64url')].join('.');
  return { body, opens: { object, key: Buffer.from(key).toString('base64'), sha256: sha256Of(bytes) } };
}

/**
 * What is inside. Whether it is what was meant, its SHA-256 says: whoever opens it compares.
 *
 * @throws LockkeeperError SEAL_UNREADABLE: another key, another object, changed since, or of a format that is not known.
 */
export function openObject(body: string, { object, key }: Pick<SealedObject, 'object' | 'key'>): Buffer {
  const [is, nonce, sealed, ...more] = body.split('.');
  if (is !== format || !nonce || !sealed || more.length > 0) throw unreadable(object);
  const bytes = Buffer.from(sealed, 'base64url');
  try {
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'base64'), Buffer.from(nonce, 'base64url'), { authTagLength: tagLength });
    decipher.setAAD(Buffer.from(`${format}\n${object}`));
    decipher.setAuthTag(bytes.subarray(-tagLength));
    return Buffer.concat([decipher.update(bytes.subarray(0, -tagLength)), decipher.final()]);
  } catch {
    throw unreadable(object);
  }
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const unreadable = (object: string) =>
  new LockkeeperError({ code: 'SEAL_UNREADABLE', message: `The encrypted object ${object} cannot be opened: another key, or it was changed.` });
