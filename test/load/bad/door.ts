import type { Random } from '../../weave/random.ts';

/** What came of one bad input. */
export interface Answered {
  /** A status, a code, or what a queue does: from a small set, for the table. */
  readonly answer: string;
  /** What is wrong with that, a sentence; absent: a clear answer, and nothing half done. */
  readonly wrong?: string;
}

/** A place where strangers hand something in. */
export interface Door {
  readonly name: string;
  /** How many inputs it is given. */
  readonly count: number;
  /** Makes one input by chance, hands it in, and judges the answer. What it throws is no clear answer. */
  readonly send: (random: Random) => Promise<Answered>;
}
