/** Lines of a phase: who works on them, what follows from their ends. */
import type { Edit } from '../../mutants.ts';
import { named } from '../elsewhere.ts';
import { jobsAndPhases } from '../jobs-and-phases.ts';
import type { ProtocolMutant } from '../mutant.ts';
import { again } from './again.ts';

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
    caught: {
      case: 'somebody makes the thing right before its create arrives, which is refused because it exists',
      says: /^I5: run \w+ sent DELETE for a \(id-1-\), which is not ours/,
    },
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
    caught: {
      case: 'of the two lines that a third waits for both are at their tails at once, and the one that empties its set dies',
      says: /^I11: run \w+ rests in applying/,
    },
  },
  {
    name: 'a step that comes again queues nothing',
    edits: [readyQueued],
    breaks: 'I11',
    caught: { case: 'the step that begins a phase dies right after the swap, before it queues what is ready', says: /^I11: run \w+ rests in applying/ },
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
    caught: { case: 'a line is delivered while the items of its phase are still being put', says: /^I11: run \w+ rests in applying/ },
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
    caught: { case: 'the end of a phase is told while its lines are at work, again and again', says: /^I9: run \w+ sent POST a while \w+ had the lease/ },
  },
  again(
    'until ignored',
    'I9',
    'a step that put no item yet goes on when its claim is over, and a line of its phase is at work',
    /^I9: run \w+ sent POST w while \w+ had the lease/,
  ),
  again(
    'until ignored',
    'I11',
    'a message of a line is a dead letter while another worker is at the line',
    /^I11: a dead letter failed a line that a worker is at/,
  ),
  {
    name: 'a dead letter of a line that is over is forgotten',
    edits: [
      { file: 'shared/run/dead-letter.ts', anchor: 'if (line.result) return tail(world, run, line);', replacement: 'if (line.result) return;' },
      tailsRepeated,
    ],
    breaks: 'I11',
    caught: {
      case: 'a line dies as often as its queue allows, and the handler of dead letters dies before it says so',
      says: /^I11: run \w+ rests in applying/,
    },
  },
  again(
    'state of a dependency not looked at',
    'I2',
    'a line of the rollback is refused: what it stands on stays, and both are named',
    /^I2: b could not be taken back, and what is left is b/,
  ),
  again(
    'state of a dependency not looked at',
    'I2',
    'the line that a waiting one needs fails, and the schedule takes it out of its set before the stop is written',
    /^I2: b, which needs a, was made, and a was refused/,
  ),
];
