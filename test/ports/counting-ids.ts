import type { Ids } from '../../shared/ports/ids.ts';

export interface CountingIds extends Ids {
  /** What lets them go on from where they are now, as often as it is called. */
  keep(): () => void;
}

/** Ids in order: 26 characters, the count in the last ones, after `prefix` when two makers of ids must not meet. */
export function countingIds(prefix = ''): CountingIds {
  let count = 0;
  return {
    fresh: () => prefix + String(++count).padStart(26 - prefix.length, '0'),
    keep() {
      const kept = count;
      return () => {
        count = kept;
      };
    },
  };
}
