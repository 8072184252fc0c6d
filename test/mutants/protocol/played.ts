/** What else turns a counterexample of the models true again: choices that a model tried, and one mutant where it breaks in another place, too. */
import { decisions } from './decisions.ts';
import type { ProtocolMutant } from './mutant.ts';

const of = (all: readonly ProtocolMutant[], name: string): ProtocolMutant => {
  const found = all.find((one) => one.name === name);
  if (!found) throw new Error(`there is no mutant ${name}`);
  return found;
};

export const played: readonly ProtocolMutant[] = [
  {
    ...of(decisions, 'stale entry under a fresh id'),
    name: 'stale entry under a fresh id, of two lines at once',
    caught: { case: 'two lines find at once that what they would do is not what was approved' },
  },
  {
    // The schedule looks at whatever asks: that net goes, too.
    name: 'an answer that is written down already wakes nobody',
    edits: [
      {
        file: 'shared/run/answer-question.ts',
        anchor: '  await queueStep(world, run);\n',
        replacement: '  if (stands === decision) await queueStep(world, run);\n',
      },
      { file: 'shared/run/sweep.ts', anchor: "const parked = await wake('awaiting');", replacement: 'const parked = 0;' },
    ],
    breaks: 'I11',
    caught: { case: 'whoever writes a decision down dies before the run is woken, and the click comes again' },
  },
  {
    // Each line looks for it as well: that net goes, too.
    name: 'the guard does not look for the stop',
    edits: [
      {
        file: 'shared/guard/guard.ts',
        anchor: 'if (await isStale(world, run)) return planAgain(world, run);',
        replacement: 'void isStale;',
      },
      ...of(decisions, 'stale entry not looked at').edits,
    ],
    breaks: 'I12',
    caught: { case: 'the guard records that a plan is stale and dies, and what had moved goes back' },
  },
];
