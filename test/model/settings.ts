/** Where the model begins, and how often each thing may happen on one way. */

/** How often something may happen on one way from the beginning. */
export interface Budget {
  /** Answers of all people together. */
  readonly answers: number;
  /** A console edit, or a thing removed. */
  readonly edits: number;
  /** Another writer's record in the ledger. */
  readonly records: number;
  /** A newer commit. */
  readonly commits: number;
  /** A message that comes twice. */
  readonly twice: number;
  /** A function that dies. */
  readonly deaths: number;
  /** A function that stands still while something else happens. */
  readonly stills: number;
  /** A minute that passes. */
  readonly minutes: number;
  /** The schedule's step. */
  readonly sweeps: number;
  /** The time that a question is open. */
  readonly days: number;
}

export interface Setting {
  readonly name: string;
  readonly stack: 'embedded' | 'deployed';
  /** Those whom policy lists. */
  readonly people: readonly string[];
  /** How many of them it takes. */
  readonly required: number;
  readonly recheck?: boolean;
  /** The lines of each commit's plan. `zero` is applied before the model begins, where it is there; `one` is asked about when it begins. */
  readonly commits: Readonly<Record<string, readonly object[]>>;
  readonly budget: Budget;
}

const plan = (x: string, y: string): object[] => [
  { id: 'a', things: { x } },
  { id: 'b', things: { y }, depends_on: ['a'] },
];

export const nothing: Budget = { answers: 0, edits: 0, records: 0, commits: 0, twice: 0, deaths: 0, stills: 0, minutes: 0, sweeps: 0, days: 0 };

const base = {
  stack: 'deployed',
  people: ['ann', 'bob'],
  required: 1,
  commits: { zero: plan('1', '2'), one: plan('2', '3'), two: plan('4', '5') },
} as const;

export const settings: readonly Setting[] = [
  { ...base, name: 'moved', budget: { ...nothing, answers: 2, edits: 1, records: 1 } },
  { ...base, name: 'overtaken', budget: { ...nothing, answers: 2, commits: 1, records: 1 } },
  { ...base, name: 'late', budget: { ...nothing, answers: 2, days: 1, sweeps: 1, minutes: 1 } },
  { ...base, name: 'twice', budget: { ...nothing, answers: 2, twice: 2, records: 1 } },
  { ...base, name: 'deaths', budget: { ...nothing, answers: 1, deaths: 1, records: 1, minutes: 2, sweeps: 1 } },
];
