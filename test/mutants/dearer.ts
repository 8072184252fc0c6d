import type { Edit } from './mutants.ts';

/** The product made dearer or slower in one place, and the budget that has to notice. */
export interface Dearer {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** Part of the bench that measures it. */
  readonly part: string;
  /** What the bench says. */
  readonly says: RegExp;
}

const detours = 6;

export const dearer: readonly Dearer[] = [
  {
    name: 'a write more for every line',
    edits: [
      {
        file: 'shared/run/phase.ts',
        anchor: '{ delete: true }, present);',
        replacement: '{ delete: true }, present);\n  await write(world, openKey(run.id, line.round, line.phase, line.spec.id), { delete: true }, present);',
      },
    ],
    part: 'writes',
    says: /writes per line: plan: 5\.00, budget ≤ 4\n.*writes per line: unchanged: 7\.00, budget ≤ 6\n.*writes per line: create: 10\.00, budget ≤ 9/,
  },
  {
    name: 'a ready line waits a second',
    edits: [{ file: 'shared/run/phase.ts', anchor: 'lines: readonly string[], delaySeconds = 0)', replacement: 'lines: readonly string[], delaySeconds = 1)' }],
    part: 'time',
    says: /time of the bound, N 60, L 100 ms, C 50, K 60: \d+ %, budget ≥ 85 %/,
  },
  {
    name: 'the state machine takes detours',
    edits: [
      { file: 'infra/approval-states.ts', anchor: "StartAt: 'Enter',", replacement: "StartAt: 'Detour0'," },
      {
        file: 'infra/approval-states.ts',
        anchor: "Done: { Type: 'Succeed' },",
        replacement: `Done: { Type: 'Succeed' }, ${Array.from({ length: detours }, (_, at) => `Detour${at}: { Type: 'Pass', Next: '${at + 1 < detours ? `Detour${at + 1}` : 'Enter'}' },`).join(' ')}`,
      },
    ],
    part: 'transitions',
    says: /transitions per question: gated run of 100 lines: 12, budget ≤ 10/,
  },
];
