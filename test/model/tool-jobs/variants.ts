import type { Without } from './model.ts';
import { faultsOf } from './settings.ts';
import type { Faults } from './state.ts';

/** The protocol with one rule taken away, and the invariant that breaks. */
export interface Variant {
  readonly name: string;
  readonly without: keyof Without;
  readonly faults: Faults;
  readonly breaks: RegExp;
}

const variant = (name: string, without: keyof Without, breaks: RegExp, faults: Partial<Faults> = {}): Variant => ({
  name,
  without,
  faults: faultsOf(faults),
  breaks,
});

const sealed = /under a sealed lease/;
const notOver = /told to have ended cannot write/;

export const variants: readonly Variant[] = [
  variant('the record is written after the work was handed over', 'recordFirst', sealed),
  variant('a record is written under an older fence', 'fencedRecord', sealed),
  variant('a redelivery starts another job', 'foundRecord', sealed),
  variant('a redelivery of a line that nobody else wants starts another job', 'foundRecord', /never two tools/, { lapses: 0 }),
  variant('the record goes when the answer is written down', 'keptRecord', /a repeated job is the same job/, { deaths: 1 }),
  variant('a takeover ends no job', 'endAtSealing', sealed),
  variant('a takeover stops the job and does not wait for its end', 'waitForEnd', notOver),
  variant('a takeover leaves hello open to a start that is on its way', 'closedHello', notOver, { losses: 1 }),
  variant('a takeover leaves the input open to a worker that stood still', 'closedInput', notOver),
  variant('every process says hello', 'exclusiveHello', notOver, { losses: 1 }),
  variant('the process that the runner answered is looked at', 'helloNamesProcess', notOver, { losses: 1 }),
  variant('a result is looked for before it is asked whether its process is gone', 'stateBeforeResult', /a result that is there is taken/),
];
