import { monotonicFactory } from 'ulid';
import type { Ids } from '../ports/ids.ts';

/** ULIDs, in order of creation even within one millisecond of one process. */
export function ulids(): Ids {
  const next = monotonicFactory();
  return { fresh: () => next() };
}
