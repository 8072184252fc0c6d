import { createHmac, timingSafeEqual } from 'node:crypto';

/** How far a request's time stamp may be from now, either way: beyond that it may be an old one, sent again by somebody else. */
export const WINDOW_MS = 5 * 60_000;

/** What Slack puts beside a body: when it was sent, seconds since the epoch, and the signature over both. */
export interface SignedHeaders {
  readonly 'x-slack-request-timestamp'?: string | undefined;
  readonly 'x-slack-signature'?: string | undefined;
}

/**
 * Whether the headers sign exactly these bytes, sent within five minutes of now; compared in constant time.
 * https://docs.slack.dev/authentication/verifying-requests-from-slack
 *
 * @param now epoch ms. @throws Error for an empty secret: with one, anybody could sign.
 */
export function isSignedBySlack(secret: string, bytes: Uint8Array, headers: SignedHeaders, now: number): boolean {
  if (secret === '') throw new Error('the signing secret is empty');
  const sent = headers['x-slack-request-timestamp'] ?? '';
  if (!/^\d{1,12}$/.test(sent) || Math.abs(now - Number(sent) * 1000) > WINDOW_MS) return false;
  const given = /^v0=([0-9a-f]{64})$/i.exec(headers['x-slack-signature'] ?? '')?.[1];
  if (given === undefined) return false;
  const expected = createHmac('sha256', secret).update(`v0:${sent}:`).update(bytes).digest();
  return timingSafeEqual(Buffer.from(given, 'hex'), expected);
}
