import type { Edit } from '../mutants.ts';
import { ofGate, ofModel } from './elsewhere.ts';
import type { ProtocolMutant } from './mutant.ts';

const again = 'shared/guard/plan-again.ts';

/** With one more net taken away that stands behind what it takes out. */
const withoutNet = (mutant: ProtocolMutant, edit: Edit): ProtocolMutant => ({ ...mutant, edits: [...mutant.edits, edit] });

export const decisions: readonly ProtocolMutant[] = [
  {
    ...ofModel('decisions looked at before the token is stored', 'I11', 'model: decisions are looked at before the token is stored'),
    caught: {
      case: 'the step that brings a question’s token is late, and people’s answer is found by another one meanwhile',
      says: /^I11: the run is over, and 1 executions wait for its answer/,
    },
  },
  {
    ...ofGate('older token stored over a newer one', 'I11'),
    caught: {
      case: 'the state that asks was entered twice, and the earlier entry’s message is delivered last',
      says: /^I11: the run is over, and an execution waits for its answer/,
    },
  },
  // A newer question takes an older one's place by itself: that net goes, too.
  {
    ...withoutNet(ofGate('parked step ignores stopping', 'I11'), {
      file: 'shared/run/tend-question.ts',
      anchor: 'if (newer) return endAsked(',
      replacement: 'if (newer && newer === asked) return endAsked(',
    }),
    caught: {
      case: 'another run takes the place of one that asks, before the token of its question is stored',
      says: /^I11: the run is not over, in awaiting, and not superseded/,
    },
  },
  {
    ...ofGate('decision keyed by digest and person only', 'I7'),
    caught: {
      case: 'a plan is approved, its question runs out before anybody hears that, and the same plan is asked about anew',
      says: /^I7: run \w+ sent POST a=1 in production: nobody approved/,
    },
  },
  {
    ...ofModel('decision keyed by run only', 'I7', 'model: a decision is keyed by the run alone'),
    caught: {
      case: 'what was approved is found stale, and nobody has answered what is asked instead',
      says: /^I7: run \w+ sent POST b=2 in production: nobody approved/,
    },
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
    caught: { case: 'the step that is told to plan again dies once it has noted that, and its message comes again', says: /^I12: round 3 after one stop/ },
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
    caught: { case: 'somebody cancels a run in the moment in which it is found stale', says: /^I12: a run that was cancelled asks again/ },
  },
  {
    ...ofModel('stale entry under a fresh id', 'I12', 'model: a stop under an id of its own'),
    caught: { case: 'the guard records that a plan is stale, and dies', says: /^I12: 2 records of a stop and 2 questions, and not 1 and 2/ },
  },
  {
    ...ofModel('stale entry not looked at', 'I12', 'model: a line does not look for the stop'),
    caught: {
      case: 'a line records that its effects moved and dies, and what had moved goes back',
      says: /^I12: a stop was recorded, and its line was applied under the decision of before/,
    },
  },
  {
    ...ofGate('guard skips the state digest', 'I12'),
    caught: {
      case: 'somebody else releases between what a plan reads of a line and what is asked about it',
      says: /^I12: what had moved since it was planned was applied without another question/,
    },
  },
  {
    ...ofModel('stale wins over a failed line', 'I12', 'model: a stop wins over a line that failed'),
    caught: { case: 'one line is refused after another has found the plan stale', says: /^I12: a line was refused, and the run is complete/ },
  },
  {
    ...ofModel('effects equal instead of among', 'I12', 'model: effects must be equal'),
    caught: { case: 'a line writes what was approved and dies before it records that', says: /^I12: 1 records of a stop and 1 questions, and not 0 and 1/ },
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
    caught: {
      case: 'somebody else releases between what a plan reads of a line and what is asked about it',
      says: /^I12: what had moved since it was planned was applied without another question/,
    },
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
    caught: { story: 'rollback', says: /^I1: a secret is in object receipts\/\S+/ },
  },
];
