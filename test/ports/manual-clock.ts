import type { Clock } from '../../shared/ports/clock.ts';

export interface ManualClock extends Clock {
  advance(ms: number): void;
  set(now: number): void;
  /** Every wait that was asked for, in ms. */
  readonly slept: number[];
}

/** A clock the test drives. Sleeping moves it and returns at once. */
export function manualClock(start: number = Date.UTC(2026, 0, 1)): ManualClock {
  let now = start;
  const slept: number[] = [];
  return {
    now: () => now,
    sleep: async (ms) => {
      slept.push(ms);
      now += ms;
    },
    advance: (ms) => {
      now += ms;
    },
    set: (to) => {
      now = to;
    },
    slept,
  };
}
