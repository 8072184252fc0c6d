import type { Edit } from '../mutants.ts';
import { ofGate, ofModel } from './elsewhere.ts';
import type { ProtocolMutant } from './mutant.ts';

const again = 'shared/guard/plan-again.ts';

/** With one more net taken away that stands behind what it takes out. */
const withoutNet = (mutant: ProtocolMutant, edit: Edit): ProtocolMutant => ({ ...mutant, edits: [...mutant.edits, edit] });

export const decisions: readonly ProtocolMutant[] = [
  {
    ...ofModel('decisions looked at before the token is stored', 'I11', 'model: decisions are looked at before the token is stored'),
    caught: { case: 'the step that brings a question’s token is late, and people’s answer is found by another one meanwhile' },
  },
  {
    ...ofGate('older token stored over a newer one', 'I11'),
    caught: { case: 'the state that asks was entered twice, and the earlier entry’s message is delivered last' },
  },
  // A newer question takes an older one's place by itself: that net goes, too.
  {
    ...withoutNet(ofGate('parked step ignores stopping', 'I11'), {
      file: 'shared/run/tend-question.ts',
      anchor: 'if (newer) return endAsked(',
      replacement: 'if (newer && newer === asked) return endAsked(',
    }),
    caught: { case: 'another run takes the place of one that asks, before the token of its question is stored' },
  },
  {
    ...ofGate('decision keyed by digest and person only', 'I7'),
    caught: { case: 'a plan is approved, its question runs out before anybody hears that, and the same plan is asked about anew' },
  },
  {
    ...ofModel('decision keyed by run only', 'I7', 'model: a decision is keyed by the run alone'),
    caught: { case: 'what was approved is found stale, and nobody has answered what is asked instead' },
  },
  ofModel('question and round one number', 'I12', 'model: question and round are one number'),
  {
    name: 'Replan adds a round',
    edits: [
      {
        file: 'shared/run/arrive.ts',
        anchor: 'return saveOrAgain(world, run, { [name]: { token, entered } });',
        replacement: "return saveOrAgain(world, run, { [name]: { token, entered }, ...(name === 'replan' ? { round: run.round + 1 } : {}) });",
      },
    ],
    breaks: 'I12',
    caught: { case: 'the step that is told to plan again dies once it has noted that, and its message comes again' },
  },
  {
    // The swap fails of a stop that is written meanwhile: that net goes, too.
    name: 'stop cleared with the round',
    edits: [
      {
        file: again,
        anchor: "const raised = await saveOrAgain(world, run, next, ['honoured', 'cursor']);",
        replacement: "const raised = await saveOrAgain(world, (await readRun(world.table, run.id)) ?? run, next, ['honoured', 'cursor', 'stopping']);",
      },
      { file: again, anchor: 'import { freedStep, saveOrAgain } from', replacement: 'import { freedStep, readRun, saveOrAgain } from' },
    ],
    breaks: 'I12',
    caught: { case: 'somebody cancels a run in the moment in which it is found stale' },
  },
  {
    ...ofModel('stale entry under a fresh id', 'I12', 'model: a stop under an id of its own'),
    caught: { case: 'the guard records that a plan is stale, and dies' },
  },
  {
    ...ofModel('stale entry not looked at', 'I12', 'model: a line does not look for the stop'),
    caught: { case: 'a line records that its effects moved and dies, and what had moved goes back' },
  },
  {
    ...ofGate('guard skips the state digest', 'I12'),
    caught: { case: 'somebody else releases between what a plan reads of a line and what is asked about it' },
  },
  {
    ...ofModel('stale wins over a failed line', 'I12', 'model: a stop wins over a line that failed'),
    caught: { case: 'one line is refused after another has found the plan stale' },
  },
  {
    ...ofModel('effects equal instead of among', 'I12', 'model: effects must be equal'),
    caught: { case: 'a line writes what was approved and dies before it records that' },
  },
  {
    // Each line compares what it would write with what was approved: that net goes, too.
    name: 'ledger read last',
    edits: [
      {
        file: 'shared/run/plan-state.ts',
        anchor: 'return JSON.parse(stored.body) as LineState[];',
        replacement: 'return stateOf(await readLedger(world.table, runScope(run)));',
      },
      {
        file: 'shared/run/plan-state.ts',
        anchor: "import type { LineState } from '../approvals/plan-document.ts';",
        replacement:
          "import { type LineState, stateOf } from '../approvals/plan-document.ts';\nimport { readLedger } from '../ledger/ledger-line.ts';\nimport { runScope } from './run-scope.ts';",
      },
      {
        file: 'shared/approvals/effect.ts',
        anchor: 'return fresh.every((effect) => {',
        replacement: 'if (left) return true;\n  return fresh.every((effect) => {',
      },
    ],
    breaks: 'I12',
    caught: { case: 'somebody else releases between what a plan reads of a line and what is asked about it' },
  },
  {
    name: 'redactor off',
    edits: [
      {
        file: 'shared/redact/redactor.ts',
        anchor: 'const mask = (text: string): string => replaced(text, scanner.spans(text));',
        replacement: 'const mask = (text: string): string => text;',
      },
    ],
    breaks: 'I1',
    caught: { story: 'rollback' },
  },
];
