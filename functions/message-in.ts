import type { z } from 'zod';
import { LockkeeperError } from '../shared/errors/error.ts';

/** How many mistakes are told. */
const most = 5;

/**
 * The message in a record's body.
 *
 * @throws LockkeeperError MESSAGE_UNREADABLE, which says where it is not as it should be, and nothing of what stands there: whoever sent it
 * may have put anything into it.
 */
export function messageIn<M>(body: string, shape: z.ZodType<M>): M {
  const read = shape.safeParse(json(body));
  if (read.success) return read.data;
  const mistakes = read.error.issues.slice(0, most).map(({ path, code }) => `${path.length > 0 ? path.join('.') : 'as a whole'} (${code})`);
  throw unreadable(`The message is of no format that this version knows: ${mistakes.join(', ')}.`);
}

function json(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw unreadable('The message is no JSON.');
  }
}

const unreadable = (message: string): LockkeeperError => new LockkeeperError({ code: 'MESSAGE_UNREADABLE', message });
