import { randomUUID } from 'node:crypto';
import type { Answer } from '../wire/answer.ts';

/** Neon's error shape. */
export function neonError(status: number, code: string, message: string): Answer {
  return { status, body: { request_id: randomUUID(), code, message } };
}

export const missing = (what: string): Answer => neonError(404, `${what.toUpperCase()}_NOT_FOUND`, `${what} not found`);

export const locked = (): Answer => neonError(423, 'LOCKED', 'the project has running operations that conflict; no new one is scheduled');
