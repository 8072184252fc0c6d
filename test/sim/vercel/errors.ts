import type { Answer, Json } from '../wire/answer.ts';

/** Vercel's error shape. */
export function vercelError(status: number, code: string, message: string, more: Json = {}): Answer {
  return { status, body: { error: { code, message, ...more } } };
}
