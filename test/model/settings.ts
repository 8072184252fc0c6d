/** Where the model begins, and how often each thing may happen on one way. */

/** How often something may happen on one way from the beginning. */
export interface Budget {
  /** Answers of all people together. */
  readonly answers: number;
  /** An answer that is taken back, so that it was never given. */
  readonly withdrawals: number;
  /** A person lets nothing new be applied. */
  readonly freezes: number;
  /** A run that a person stops. */
  readonly cancels: number;
  /** A console edit, or a thing removed. */
  readonly edits: number;
  /** Another writer's record in the ledger. */
  readonly records: number;
  /** A newer commit. */
  readonly commits: number;
  /** The same commit once more. */
  readonly again: number;
  /** A provider that refuses what is written to x from then on. */
  readonly refusals: number;
  /** A deployment of commit one that ends well: what its second line may wait for. */
  readonly deployments: number;
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
  /**
   * Elsewhere than at the open question: its token is still on the way to it; or ann has approved it, and nobody has been woken yet; or its run has applied what it could, and waits for
   * the deployment of its commit.
   */
  readonly begins?: 'asking' | 'approved' | 'waiting';
  /** Whose functions die or stand still; absent: everybody's. */
  readonly faulty?: 'control' | 'lines';
  /** How many states of it the small model goes on from. */
  readonly states: number;
  readonly budget: Budget;
}

const plan = (x: string, y: string | object): object[] => [
  { id: 'a', things: { x } },
  { id: 'b', things: { y }, depends_on: ['a'] },
];

export const nothing: Budget = {
  answers: 0,
  freezes: 0,
  withdrawals: 0,
  cancels: 0,
  edits: 0,
  records: 0,
  commits: 0,
  again: 0,
  refusals: 0,
  deployments: 0,
  twice: 0,
  deaths: 0,
  stills: 0,
  minutes: 0,
  sweeps: 0,
  days: 0,
};

const base: Omit<Setting, 'name' | 'budget'> = {
  stack: 'deployed',
  people: ['ann', 'bob'],
  required: 1,
  states: 20_000,
  commits: { zero: plan('1', '2'), one: plan('2', '3'), two: plan('4', '5') },
};

/** A beginning like the others. */
export const settingOf = (name: string, budget: Budget, more: Partial<Setting> = {}): Setting => ({
  ...base,
  budget,
  ...more,
  name,
  commits: { ...base.commits, ...more.commits },
});

/** Of lines that do not wait for each other. */
export const apart = (x: string, y: string): object[] => [
  { id: 'a', things: { x } },
  { id: 'b', things: { y } },
];
const parallel: Partial<Setting> = { commits: { zero: apart('1', '2'), one: apart('2', '3'), two: apart('4', '5') } };

/** The second line is given where the commit is deployed, once it is: its run gives the lease back and waits for it. */
const waits: Partial<Setting> = { commits: { one: plan('2', { from: 'a.url' }) } };
const waiting: Partial<Setting> = { ...waits, begins: 'waiting' };

/** The beginnings that are explored. */
export const settings: readonly Setting[] = [
  settingOf('the world moves', { ...nothing, answers: 2, edits: 1, records: 1 }, { states: 12_000 }),
  settingOf('a newer commit comes', { ...nothing, answers: 2, commits: 1, records: 1 }, { states: 7000 }),
  settingOf('the same commit comes again', { ...nothing, answers: 2, again: 1 }, { states: 5000 }),
  settingOf('time passes', { ...nothing, answers: 2, days: 1, sweeps: 1, minutes: 1 }, { states: 5000 }),
  settingOf('messages come twice', { ...nothing, answers: 2, twice: 2, edits: 1 }, { states: 4000 }),
  settingOf('two have to approve', { ...nothing, answers: 4, records: 1 }, { required: 2, states: 5000 }),
  settingOf('every line is looked at again', { ...nothing, answers: 2, edits: 1, records: 1 }, { recheck: true, states: 6000 }),
  settingOf('a run is cancelled', { ...nothing, answers: 1, cancels: 1, withdrawals: 1, edits: 1, records: 1 }, { states: 5000 }),
  settingOf('production is frozen', { ...nothing, answers: 2, freezes: 1, records: 1 }, { states: 3000 }),
  settingOf(
    'production is frozen while every line is looked at again',
    { ...nothing, answers: 1, freezes: 1, edits: 1 },
    { recheck: true, begins: 'approved', states: 1500 },
  ),
  settingOf('a run waits for a deployment', { ...nothing, answers: 1, deployments: 1, edits: 1, records: 1, cancels: 1 }, { ...waits, states: 3000 }),
  settingOf('a run waits while the world moves', { ...nothing, answers: 2, deployments: 1, edits: 1, records: 1, sweeps: 1 }, { ...waiting, states: 2000 }),
  settingOf('a run waits long', { ...nothing, answers: 1, deployments: 1, freezes: 1, days: 1, commits: 1 }, { ...waiting, states: 2500 }),
  settingOf('a run that waits meets deaths and a cancel', { ...nothing, deployments: 1, cancels: 1, deaths: 2, minutes: 1 }, { ...waiting, states: 1200 }),
  settingOf('lines stand side by side', { ...nothing, answers: 1, edits: 2, refusals: 1, records: 1 }, { ...parallel, states: 3000 }),
  settingOf('steps die', { ...nothing, answers: 1, deaths: 1, records: 1, minutes: 1 }, { faulty: 'control', states: 700 }),
  settingOf('steps of a recheck die', { ...nothing, answers: 1, deaths: 1, edits: 1, minutes: 1 }, { recheck: true, faulty: 'control', states: 700 }),
  settingOf('lines die', { ...nothing, answers: 1, deaths: 1, edits: 1, minutes: 1 }, { faulty: 'lines', states: 700 }),
  settingOf('a death meets a cancel', { ...nothing, cancels: 1, deaths: 1, minutes: 1, sweeps: 1 }, { begins: 'approved', states: 1500 }),
  settingOf('steps stand still', { ...nothing, answers: 2, stills: 1, withdrawals: 1 }, { faulty: 'control', states: 700 }),
  settingOf('lines stand still', { ...nothing, answers: 1, stills: 1, edits: 1, refusals: 1 }, { ...parallel, faulty: 'lines', states: 700 }),
];
