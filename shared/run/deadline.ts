import type { WriteGuard } from '../engine/bind.ts';
import type { Clock } from '../ports/clock.ts';
import { Again } from './again.ts';

/** A job's own deadline: the earlier of its claim's `until` and its tenure's, on the own clock (P1.2). */
export interface Deadline extends WriteGuard {
  /** Throws unless a write that takes `ms` at most would end before the deadline. The job is then handed back, not failed. */
  beforeWrite(ms: number): void;
}

export function deadline(clock: Clock, ...instants: readonly number[]): Deadline {
  const at = Math.min(...instants);
  return {
    beforeWrite(ms) {
      if (clock.now() + ms > at) throw new Again('too little time is left to start a write', 1);
    },
  };
}
