import type { ProtocolMutant } from './mutant.ts';

const store = 'shared/run/run-store.ts';
const onAttempt = "const mine = all(equal('attempt', line.attempt), equal('round', line.round), equal('phase', line.phase));";

export const jobsAndPhases: readonly ProtocolMutant[] = [
  {
    name: 'until ignored',
    edits: [
      {
        file: store,
        anchor: "const unclaimed = any(lacks('until'), below('until', now - 2 * world.timing.skew));",
        replacement: "const unclaimed = any(lacks('until'), below('until', Number.MAX_SAFE_INTEGER));",
      },
    ],
    breaks: 'I9',
    caught: { case: 'a line is delivered again while its create is under way, and the pull request is closed meanwhile' },
  },
  {
    name: 'result not on attempt',
    edits: [{ file: store, anchor: onAttempt, replacement: "const mine = all(equal('round', line.round), equal('phase', line.phase));" }],
    breaks: 'I9',
    caught: { case: 'a worker writes the result of its line after its claim has run out, while the next attempt is at work' },
  },
  {
    // A result is of its phase, too: with that net, an attempt that begins at 1 again is no other one’s.
    name: 'attempt restarts with the phase',
    edits: [
      {
        file: 'shared/run/enter-phase.ts',
        anchor: 'const change = { set: { spec, round, phase, until: 0, ...applied }, remove };',
        replacement: 'const change = { set: { spec, round, phase, attempt: 0, until: 0, ...applied }, remove };',
      },
      { file: store, anchor: onAttempt, replacement: "const mine = equal('attempt', line.attempt);" },
    ],
    breaks: 'I9',
    caught: { case: 'a worker of the apply writes its result while the rollback of its line is at work' },
  },
  {
    name: 'control step unclaimed',
    edits: [{ file: store, anchor: 'if (run.step && now <= free) throw new Again(', replacement: 'if (run.step && now < 0) throw new Again(' }],
    breaks: 'I9',
    caught: { case: 'two deliveries of one prepare: the first has ledger lines to make still when the pull request is closed' },
  },
  {
    // The schedule looks for ready lines without a live claim: with that net, a lost message costs minutes.
    name: 'duplicate acknowledged under a live claim',
    edits: [
      {
        file: 'shared/run/work-line.ts',
        anchor: "if ('live' in answer) throw new Again(",
        replacement: "if ('live' in answer) return undefined;\n  if (answer === undefined) throw new Again(",
      },
      {
        file: 'shared/run/advance.ts',
        anchor: 'open.filter((work) => work.after.length === 0 && idle.has(work.line)).map((work) => work.line),',
        replacement: '[],',
      },
    ],
    breaks: 'I11',
    caught: { case: 'a message is delivered twice, whoever has the second goes, and whoever has the claim dies' },
  },
];
