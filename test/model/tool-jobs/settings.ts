import type { Faults } from './state.ts';

/** What may go wrong on one way, and what the second run does. */
export interface Setting {
  readonly name: string;
  readonly faults: Faults;
  readonly second: 'applies' | 'seals';
}

const nothing: Faults = { deaths: 0, lapses: 0, doubles: 0, losses: 0, crashes: 0, deadlines: 0 };
const some = (name: string, faults: Partial<Faults>, second: Setting['second'] = 'seals'): Setting => ({ name, faults: { ...nothing, ...faults }, second });

/** Seconds of a processor: with every run of the tests. */
export const small: readonly Setting[] = [
  some('two runs apply, the lease runs out once', { lapses: 1 }, 'applies'),
  some('the lease runs out twice', { lapses: 2 }),
  some('a function dies', { lapses: 1, deaths: 1 }),
  some('the answer to a start is lost', { lapses: 1, losses: 1 }),
  some('a process is gone without a word', { lapses: 1, crashes: 1 }),
  some('a deadline passes', { lapses: 1, deadlines: 1 }),
  some('the line is delivered twice, and the answer to a start is lost', { doubles: 1, losses: 1 }),
];

/** Minutes: `npm run model -- tool-jobs`. */
export const large: readonly Setting[] = [
  ...small,
  some('a function dies, and the answer to a start is lost', { lapses: 1, deaths: 1, losses: 1 }),
  some('two functions die', { lapses: 1, deaths: 2 }),
  some('the line is delivered twice', { lapses: 1, doubles: 1 }),
  some('the line is delivered twice, and a process is gone without a word', { lapses: 1, doubles: 1, crashes: 1 }),
  some('a deadline passes, and a function dies', { lapses: 1, deadlines: 1, deaths: 1 }),
  some('two runs apply, and a function dies', { lapses: 1, deaths: 1 }, 'applies'),
  some('two runs apply, and the answer to a start is lost', { lapses: 1, losses: 1 }, 'applies'),
  some('two runs apply, the lease runs out twice, and a deadline passes', { lapses: 2, deadlines: 1 }, 'applies'),
];

export const faultsOf = (faults: Partial<Faults>): Faults => ({ ...nothing, lapses: 1, ...faults });
