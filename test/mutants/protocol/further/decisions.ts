/** Decisions, and what stops a run that has them. */
import { decisions } from '../decisions.ts';
import { named } from '../elsewhere.ts';
import type { ProtocolMutant } from '../mutant.ts';

export const ofDecisions: readonly ProtocolMutant[] = [
  {
    ...named(decisions, 'stale entry under a fresh id'),
    name: 'stale entry under a fresh id, of two lines at once',
    caught: {
      case: 'two lines find at once that what they would do is not what was approved',
      says: /^I12: 2 records of a stop and 1 questions, and not 1 and 2/,
    },
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
    caught: {
      case: 'whoever writes a decision down dies before the run is woken, and the click comes again',
      says: /^I11: the run was approved, and rests in awaiting/,
    },
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
      ...named(decisions, 'stale entry not looked at').edits,
    ],
    breaks: 'I12',
    caught: {
      case: 'the guard records that a plan is stale and dies, and what had moved goes back',
      says: /^I12: 1 records of a stop and 1 questions, and not 1 and 2/,
    },
  },
];
