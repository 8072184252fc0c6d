import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Whether `header` (`x-hub-signature-256`) signs exactly these bytes with `secret`, compared in constant time.
 * https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
 *
 * @throws Error for an empty secret: with one, anybody could sign.
 */
export function isSignedBy(secret: string, bytes: Uint8Array, header: string | undefined): boolean {
  if (secret === '') throw new Error('the webhook secret is empty');
  const given = /^sha256=([0-9a-f]{64})$/i.exec(header ?? '')?.[1];
  if (given === undefined) return false;
  return timingSafeEqual(Buffer.from(given, 'hex'), createHmac('sha256', secret).update(bytes).digest());
}
