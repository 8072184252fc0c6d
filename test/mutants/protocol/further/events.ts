/** Events, and whoever waits for one. */
import type { Edit } from '../../mutants.ts';
import type { ProtocolMutant } from '../mutant.ts';
import { again } from './again.ts';

const intakesSwept: Edit = { file: 'shared/run/sweep.ts', anchor: "(await wake('recorded', now - patience))", replacement: '0' };

export const ofEvents: readonly ProtocolMutant[] = [
  again(
    'event judged instead of the world',
    'I10',
    'a pull request is closed and opened again, and the close is told last',
    /^I10: the pull request is open at one, and its environment holds nothing/,
  ),
  again(
    'event judged instead of the world',
    'I8',
    'a pull request is closed, opened again and closed, and that it was opened again is told last',
    /^I8: the pull request is closed, and its environment holds a=one/,
  ),
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
      caught: { case: where, says: /^I10: the pull request is open at (other|one), and its environment holds a=(one|two)/ },
    }),
  ),
  ...['an event is recorded, and its message is lost', 'a run is recorded by its intake, which dies before it queues it, and its message is lost'].map(
    (where): ProtocolMutant => ({
      name: `the schedule does not look at what was recorded, where ${where}`,
      edits: [intakesSwept],
      breaks: 'I11',
      caught: { case: where, says: /^I11: intake \w+ was never looked at/ },
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
    caught: { case: 'a run notes that it waits right before the lease is given back', says: /^I11: the lease is free, and run \w+ waits for it in preparing/ },
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
    caught: {
      case: 'a deployment is ready before its run says that it waits for it',
      says: /^I11: the deployment is ready, and the run that waits for it is partial in waiting/,
    },
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
    caught: {
      case: 'a deployment is noted, and whoever has it dies before it wakes the run that waits',
      says: /^I11: the deployment is ready, and the run that waits for it is partial in waiting/,
    },
  },
];
