import type { Ids } from '../../shared/ports/ids.ts';

/** Ids in order: 26 characters, the count in the last ones, after `prefix` when two makers of ids must not meet. */
export function countingIds(prefix = ''): Ids {
  let count = 0;
  return { fresh: () => prefix + String(++count).padStart(26 - prefix.length, '0') };
}
