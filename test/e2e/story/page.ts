import type { Run } from '../../../shared/run/items.ts';

/** What a chapter writes on: the telling decides how it looks. */
export interface Page {
  /** One step: what happened outside, and what Lockkeeper did about it. */
  step(outside: string, lockkeeper: string): void;
  /** Waits for something long, showing how far it is. `expectedMs` is a guess; `lastly` is asked when it is over. */
  wait<T>(what: string, expectedMs: number, coming: Promise<T>): Promise<T>;
  /** Notes a run for the closing table. */
  run(run: Run, note?: string): void;
}
