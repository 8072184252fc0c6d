/** Events that come late, in another order, or of which only a record is left (P6): the world is judged, not the event. */
import { commitOf, planOf, planPath } from '../../ports/workbench.ts';
import { pullHook } from '../hooks.ts';
import type { Simulator } from '../simulator.ts';
import type { Case } from './case.ts';
import { close } from './deliveries.ts';

type Told = readonly ['opened' | 'synchronize' | 'reopened' | 'closed', string];

/** Each commit's plan makes the same thing, with the commit's name as its value. */
const changesOf = (commit: string): object[] => [{ id: 'a', things: { a: commit } }];

/** GitHub's pull request as it stands, without telling anybody. */
function stands({ bench }: Simulator, commit: string, isOpen: boolean): void {
  bench.pull(7, commit, changesOf(commit));
  const pull = bench.code.pulls.get(7);
  if (pull) bench.code.pulls.set(7, { ...pull, open: isOpen, head: { ...pull.head, sha: commitOf(commit) } });
}

/** What the environment holds in the end is what the pull request's present state demands, whatever came when. */
function judgeEnvironment({ bench }: Simulator, commit: string | undefined): void {
  const held = bench.provider.names().join();
  if (commit === undefined && held !== '') throw new Error(`I8: the pull request is closed, and its environment holds ${held}`);
  if (commit !== undefined && held !== `a=${commit}`)
    throw new Error(`I10: the pull request is open at ${commit}, and its environment holds ${held || 'nothing'}`);
}

/** First what happened and was told in order, then the pull request's last state, then its events in the order in which they arrive. */
function outOfOrder(name: string, source: string, { first, last, told }: { first: Told; last: readonly [string, boolean]; told: readonly Told[] }): Case {
  return {
    name,
    source,
    guards: ['I8', 'I10'],
    async play(simulator) {
      stands(simulator, first[1], true);
      await simulator.hook(pullHook(first[0], 7, first[1]));
      await simulator.rest();
      const [commit, isOpen] = last;
      for (const [, at] of told) simulator.bench.code.commit(commitOf(at), planPath, planOf(changesOf(at)));
      stands(simulator, commit, isOpen);
      for (const [action, at] of told) {
        simulator.bench.clock.advance(1_000);
        await simulator.hook(pullHook(action, 7, at));
        await simulator.rest();
      }
      judgeEnvironment(simulator, isOpen ? commit : undefined);
    },
  };
}

export const intakeCases: readonly Case[] = [
  outOfOrder('a pull request is moved and closed, and the move is told after the close', 'm5-intake 5-event open, sync, close', {
    first: ['opened', 'one'],
    last: ['two', false],
    told: [
      ['closed', 'two'],
      ['synchronize', 'two'],
    ],
  }),
  outOfOrder('a pull request is closed and opened again, and the close is told last', 'm5-intake 5-event open, close, reopen', {
    first: ['opened', 'one'],
    last: ['one', true],
    told: [
      ['reopened', 'one'],
      ['closed', 'one'],
    ],
  }),
  outOfOrder('a pull request is closed, opened again and closed, and that it was opened again is told last', 'm5-intake 5-event open, close, reopen, close', {
    first: ['opened', 'one'],
    last: ['one', false],
    told: [
      ['closed', 'one'],
      ['closed', 'one'],
      ['reopened', 'one'],
    ],
  }),
  outOfOrder('another commit is pushed over the first, and the first is told after it', 'm5-intake 5-event open c1, force-push to unrelated d1', {
    first: ['opened', 'before'],
    last: ['other', true],
    told: [
      ['synchronize', 'other'],
      ['synchronize', 'one'],
    ],
  }),
  outOfOrder(
    'a branch is set back to its first commit, and that is told before what it is set back from',
    'm5-intake 5-event open c2, reset to its parent c1',
    {
      first: ['opened', 'one'],
      last: ['one', true],
      told: [
        ['synchronize', 'one'],
        ['synchronize', 'two'],
      ],
    },
  ),
  {
    name: 'an event is recorded, and its message is lost',
    source: 'm5-intake 5-nosweep, findings 26',
    guards: ['I11'],
    async play(simulator) {
      stands(simulator, 'one', true);
      const empty = simulator.bench.queues.keep();
      await simulator.hook(pullHook('opened', 7, 'one'));
      empty();
      await simulator.rest();
      judgeEnvironment(simulator, 'one');
    },
  },
  {
    name: 'a run is recorded by its intake, which dies before it queues it, and its message is lost',
    source: 'm5-intake 5-nosweep, findings 26',
    guards: ['I11'],
    async play(simulator) {
      stands(simulator, 'one', true);
      await simulator.hook(pullHook('opened', 7, 'one'));
      const intake = await simulator.take();
      await intake.until('queues.control');
      const empty = simulator.bench.queues.keep();
      intake.die();
      empty();
      await simulator.rest();
      judgeEnvironment(simulator, 'one');
      await close(simulator);
      await simulator.rest();
      judgeEnvironment(simulator, undefined);
    },
  },
];
