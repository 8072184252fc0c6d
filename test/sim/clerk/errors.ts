import { createHash } from 'node:crypto';
import type { Answer } from '../wire/answer.ts';

/** Clerk's error shape. */
export function clerkError(status: number, code: string, message: string): Answer {
  const trace = createHash('sha256').update(`${code}${message}`).digest('hex').slice(0, 32);
  return { status, body: { errors: [{ message, long_message: message, code }], clerk_trace_id: trace } };
}
