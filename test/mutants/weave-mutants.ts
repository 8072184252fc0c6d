import type { Edit } from './mutants.ts';

/** The dashboard with one of its safeguards taken out, and what the interleavings of `test/weave` say of it. */
export interface WeaveMutant {
  readonly name: string;
  readonly edits: readonly Edit[];
  readonly says: RegExp;
  /** The first seed that is played: a few before the one that finds it, where that is a late one. */
  readonly from?: number;
}

const took = 'shared/dashboard/take-ticks.ts';
const ticked = 'shared/dashboard/ticked-in.ts';

export const weaveMutants: readonly WeaveMutant[] = [
  {
    name: 'only the newest edit is looked at',
    edits: [{ file: took, anchor: 'tickedIn(edits)', replacement: 'tickedIn(edits.slice(0, 2))' }],
    says: /a tick is lost/,
  },
  {
    name: 'the body is written without a look at what stands there',
    edits: [{ file: took, anchor: 'tickedIn(edits)', replacement: 'tickedIn(edits.slice(0, 0))' }],
    says: /a tick is lost/,
  },
  {
    name: 'of two people’s ticks the last one counts',
    edits: [{ file: ticked, anchor: '[...(done.get(text) ?? []), one]', replacement: '[one]' }],
    says: /a tick is lost/,
  },
  {
    name: 'our own edit is read as a person’s',
    edits: [{ file: ticked, anchor: 'by.ours || ', replacement: '' }],
    says: /a tick is lost|nobody's tick/,
  },
  {
    name: 'whoever ticks may',
    edits: [
      { file: 'shared/ticks/judge-tick.ts', anchor: 'if (refused) return refused;', replacement: 'void refused;' },
      { file: 'shared/ticks/honour-ticked.ts', anchor: 'if (!refused) return undefined;', replacement: 'if (refused !== null) return undefined;' },
    ],
    says: /had no say/,
  },
  {
    name: 'what is done is not held against what was ticked',
    edits: [
      {
        file: 'shared/approvals/effect.ts',
        anchor: 'return fresh.every((effect) => {',
        replacement: 'if (left) return true;\n  return fresh.every((effect) => {',
      },
    ],
    says: /not among what was (ticked|decided) \(I7\)/,
  },
  {
    name: 'a tick starts a run whenever it is told of',
    edits: [
      { file: 'shared/ticks/tick-step.ts', anchor: "if (tick.state === 'asked') return", replacement: "if (tick.state !== 'refused') return" },
      { file: 'shared/ticks/answer-tick.ts', anchor: 'if (await joinRun(world, tick, sk)) return;', replacement: 'void joinRun;' },
      { file: 'shared/ticks/run-of-box.ts', anchor: "if (run.phase !== 'done' || isMine) return", replacement: "if (run.phase !== 'done') return" },
      { file: 'shared/ticks/judge-tick.ts', anchor: 'if (old) return old;', replacement: 'void old;' },
    ],
    says: /started twice/,
  },
  {
    name: 'a box of an older page starts a run',
    edits: [{ file: 'shared/ticks/answer-tick.ts', anchor: 'if (tick.late) return', replacement: 'if (tick.late && !tick.by) return' }],
    says: /had been answered/,
    from: 250,
  },
  {
    name: 'an older fact takes a newer one’s place',
    edits: [{ file: 'shared/dashboard/row.ts', anchor: 'b !== undefined && (a.fence < b.fence', replacement: 'b !== undefined && b === null && (a.fence < 0' }],
    says: /an older fact/,
  },
  {
    name: 'the mark is taken away before the body is written',
    edits: [
      {
        file: 'shared/dashboard/show.ts',
        anchor: '({ set: { writing, version } })',
        replacement: "({ set: { writing, version }, remove: ['dirty', 'status', 'since'] })",
      },
    ],
    says: /the body: it is not what the table says|a tick is lost/,
  },
  {
    name: 'the mark is taken away although something was marked meanwhile',
    edits: [{ file: 'shared/dashboard/show.ts', anchor: "all(equal('dirty', mark), ours),", replacement: 'mark === undefined ? ours : ours,' }],
    says: /the body: it is not what the table says|a tick is lost/,
    from: 385,
  },
];
