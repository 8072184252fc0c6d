/** Cases that no other mutant breaks, each with what it takes to: a safeguard of its own, or one of the list's that holds there, too. */
import type { Edit } from '../mutants.ts';
import { named } from './elsewhere.ts';
import { jobsAndPhases } from './jobs-and-phases.ts';
import type { ProtocolMutant } from './mutant.ts';

/** One of the list's once more, where another case shows it. */
const again = (name: string, breaks: ProtocolMutant['breaks'], where: string): ProtocolMutant => ({
  ...named(jobsAndPhases, name),
  name: `${name}, where ${where}`,
  breaks,
  caught: { case: where },
});

/** The schedule, and whoever comes late, queue what is ready and nobody works on. */
const readyQueued: Edit = {
  file: 'shared/run/advance.ts',
  anchor: 'open.filter((work) => work.after.length === 0 && idle.has(work.line)).map((work) => work.line),',
  replacement: '[],',
};
/** They repeat the tails of lines that are over. */
const tailsRepeated: Edit = {
  file: 'shared/run/advance.ts',
  anchor: 'for (const line of finished.filter((one) => holding.has(one.spec.id))) await tail(world, run, line);',
  replacement: 'void tail;',
};
const intakesSwept: Edit = { file: 'shared/run/sweep.ts', anchor: "(await wake('recorded', now - patience))", replacement: '0' };

export const ofLines: readonly ProtocolMutant[] = [
  {
    name: 'a create that was refused because the thing exists keeps its intent',
    edits: [
      {
        file: 'shared/engine/apply-line.ts',
        anchor: "if (problem.details?.['exists'] === true && create && others.length === 0) await forgetIntent(job, create);",
        replacement: 'void forgetIntent;',
      },
    ],
    breaks: 'I5',
    caught: { case: 'somebody makes the thing right before its create arrives, which is refused because it exists' },
  },
  {
    name: 'a line is queued by whoever emptied its set',
    edits: [
      {
        file: 'shared/run/phase.ts',
        anchor: '  after.delete(line);\n  return after.size === 0 ? dependant : undefined;',
        replacement: '  return after.delete(line) && after.size === 0 ? dependant : undefined;',
      },
      readyQueued,
    ],
    breaks: 'I11',
    caught: { case: 'of the two lines that a third waits for both are at their tails at once, and the one that empties its set dies' },
  },
  {
    name: 'a step that comes again queues nothing',
    edits: [readyQueued],
    breaks: 'I11',
    caught: { case: 'the step that begins a phase dies right after the swap, before it queues what is ready' },
  },
  {
    // Whoever finds its line over repeats the tail: that net goes, too.
    name: 'a line is worked on before its phase has begun',
    edits: [
      {
        file: 'shared/run/work-line.ts',
        anchor: 'if (!claimed || !run || !isSameWork(run, message)) return;',
        replacement: 'if (!claimed || !run) return;',
      },
      ...named(jobsAndPhases, 'tail not repeated').edits,
    ],
    breaks: 'I11',
    caught: { case: 'a line is delivered while the items of its phase are still being put' },
  },
  {
    name: 'whoever wakes a run is believed that its phase is over',
    edits: [
      {
        file: 'shared/run/advance.ts',
        anchor: 'if (open.length === 0) return phaseDone(world, run);',
        replacement: 'if (open.length >= 0) return phaseDone(world, run);',
      },
    ],
    breaks: 'I9',
    caught: { case: 'the end of a phase is told while its lines are at work, again and again' },
  },
  again('until ignored', 'I9', 'a step that put no item yet goes on when its claim is over, and a line of its phase is at work'),
  again('until ignored', 'I11', 'a message of a line is a dead letter while another worker is at the line'),
  {
    name: 'a dead letter of a line that is over is forgotten',
    edits: [
      { file: 'shared/run/dead-letter.ts', anchor: 'if (line.result) return tail(world, run, line);', replacement: 'if (line.result) return;' },
      tailsRepeated,
    ],
    breaks: 'I11',
    caught: { case: 'a line dies as often as its queue allows, and the handler of dead letters dies before it says so' },
  },
  again('state of a dependency not looked at', 'I2', 'a line of the rollback is refused: what it stands on stays, and both are named'),
  again(
    'state of a dependency not looked at',
    'I2',
    'the line that a waiting one needs fails, and the schedule takes it out of its set before the stop is written',
  ),
];

export const ofEvents: readonly ProtocolMutant[] = [
  again('event judged instead of the world', 'I10', 'a pull request is closed and opened again, and the close is told last'),
  again('event judged instead of the world', 'I8', 'a pull request is closed, opened again and closed, and that it was opened again is told last'),
  ...[
    'another commit is pushed over the first, and the first is told after it',
    'a branch is set back to its first commit, and that is told before what it is set back from',
  ].map(
    (where): ProtocolMutant => ({
      name: `a commit is applied whatever the head is, where ${where}`,
      edits: [
        {
          file: 'shared/run/world-judgement.ts',
          anchor: "if (pullRequest.head.sha === run.commit) return { is: 'apply' };",
          replacement: "if (pullRequest.head.sha.length === run.commit.length) return { is: 'apply' };",
        },
      ],
      breaks: 'I10',
      caught: { case: where },
    }),
  ),
  ...['an event is recorded, and its message is lost', 'a run is recorded by its intake, which dies before it queues it, and its message is lost'].map(
    (where): ProtocolMutant => ({
      name: `the schedule does not look at what was recorded, where ${where}`,
      edits: [intakesSwept],
      breaks: 'I11',
      caught: { case: where },
    }),
  ),
  {
    name: 'whoever gives a lease back wakes nobody',
    edits: [
      {
        file: 'shared/lease/lease.ts',
        anchor: 'return leaseOf(result.before)?.waiters ?? lease.waiters;',
        replacement: 'return lease.waiters.slice(lease.waiters.length);',
      },
    ],
    breaks: 'I11',
    caught: { case: 'a run notes that it waits right before the lease is given back' },
  },
  {
    name: 'a run that begins to wait does not look at the notes',
    edits: [
      {
        file: 'shared/run/ending.ts',
        anchor: 'if (head && head.notes.length > 0 && head.openRuns.includes(waiting.id)) await resumeRun(world, waiting);',
        replacement: 'void resumeRun;',
      },
    ],
    breaks: 'I11',
    caught: { case: 'a deployment is ready before its run says that it waits for it' },
  },
  {
    name: 'what is noted already wakes nobody',
    edits: [
      {
        file: 'shared/intake/deployment.ts',
        anchor: 'if (!(await noteEvent(world, scope, note))) return;',
        replacement: 'if ((await readHead(world.table, scope))?.notes.includes(note) || !(await noteEvent(world, scope, note))) return;',
      },
    ],
    breaks: 'I11',
    caught: { case: 'a deployment is noted, and whoever has it dies before it wakes the run that waits' },
  },
];

const linkedOnTop: Edit = { file: 'shared/receipts/chain.ts', anchor: "if (newest && newest.fence > own.fence) return 'lost';", replacement: '' };

export const ofReceipts: readonly ProtocolMutant[] = [
  {
    name: 'a receipt is linked on top of a newer one',
    edits: [linkedOnTop],
    breaks: 'I6',
    caught: { case: 'a settle comes late to its own receipt' },
  },
  {
    name: 'whoever has lost the lease links a receipt again',
    edits: [
      linkedOnTop,
      {
        file: 'shared/receipts/chain.ts',
        anchor: "if (lease?.holder !== own.run || !isLive(lease, world.clock.now())) return 'lost';",
        replacement: 'void lease;',
      },
    ],
    breaks: 'I6',
    caught: { case: 'a settle comes late to the newest receipt' },
  },
  {
    name: 'a head is written whatever it is by then',
    edits: [
      {
        file: 'shared/ledger/head.ts',
        anchor: "const unmoved = all(equal('version', before.version), atMost('fence', tenure.fence));",
        replacement: 'const unmoved = present;',
      },
    ],
    breaks: 'I9',
    caught: { case: 'a settle comes late to the head' },
  },
];
