import type { ProtocolMutant } from './mutant.ts';

/** Safeguards that the protocol's list does not name, and the stories that cannot end as they should without each. */
export const further: readonly ProtocolMutant[] = [
  {
    name: 'every delivery is new',
    edits: [
      {
        file: 'functions/github-webhook/record.ts',
        anchor: 'const id = intakeIdOf(deliveryId);',
        replacement: 'const id = intakeIdOf(deliveryId + ports.ids.fresh());',
      },
    ],
    breaks: 'I10',
    caught: { story: 'first-apply' },
  },
  {
    name: 'receipts unlinked',
    edits: [{ file: 'shared/receipts/chain.ts', anchor: 'previous: top ? digestOf(top.body) : null', replacement: 'previous: null' }],
    breaks: 'I6',
    caught: { story: 'update' },
  },
  {
    name: 'nobody need decide',
    edits: [
      {
        file: 'shared/run/decided.ts',
        anchor: 'if (decisions.length === 0) return { counted: [],',
        replacement: "if (decisions.length === 0) return { verdict: 'approve', counted: [],",
      },
    ],
    breaks: 'I7',
    caught: { story: 'approval' },
  },
  {
    name: 'a plan goes on',
    edits: [{ file: 'shared/run/prepare.ts', anchor: "if (run.intent === 'plan') return preparePlan(world, run);", replacement: 'void preparePlan;' }],
    breaks: 'I4',
    caught: { story: 'plan' },
  },
  {
    name: 'what nobody knows is taken over',
    edits: [
      {
        file: 'shared/engine/judge.ts',
        anchor: "if (mayAdopt) return { do: 'update', adopts: true };",
        replacement: "if (mayAdopt || op) return { do: 'update', adopts: true };",
      },
    ],
    breaks: 'I5',
    caught: { story: 'taken' },
  },
];
