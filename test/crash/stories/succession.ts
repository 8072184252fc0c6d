/** A branch's scope that a pull request takes over (P4). */
import { watchOwners } from '../../ports/owners.ts';
import { commitOf, planOf, planPath } from '../../ports/workbench.ts';
import { pullHook } from '../hooks.ts';
import type { Simulator } from '../simulator.ts';
import { type Story, turn } from '../story.ts';
import { isComplete } from './releases.ts';

const where = { pull: 7, commit: 'one', things: ['x', 'y'] };

const lines = [{ id: 'a', things: { x: '1', y: '1' } }];

/** What was seen between two writes of the table. */
const strays = new WeakMap<Simulator, string[]>();

export const succession: Story = {
  name: 'succession',
  about: 'A branch was released from a terminal; its pull request is opened, and takes over what was made.',
  overtake: (simulator) => turn(simulator, where),
  // A claim moves on condition of the claim: no condition of one item knows of two leases.
  guardedByTime: ({ port, about }) => port === 'table' && about.includes('"sk":"CLAIM"'),
  async before(simulator) {
    const { bench } = simulator;
    bench.code.commit(commitOf('zero'), planPath, planOf(lines));
    await bench.command({ commit: 'zero', branch: 'feat-7', scope: 'branch-feat-7' });
    await simulator.rest();
    bench.clock.advance(1000);
  },
  async play(simulator) {
    const unowned: string[] = [];
    strays.set(simulator, unowned);
    const unwatch = watchOwners(simulator.bench, where.things, (sentence) => void unowned.push(sentence));
    simulator.bench.pull(7, 'one', lines);
    await simulator.hook(pullHook('opened', 7, 'one'));
    await simulator.rest();
    unwatch();
  },
  after(simulator, befallen) {
    // Whoever overtakes closes the pull request: there is nothing to own then.
    const unowned = befallen.overtaken ? [] : (strays.get(simulator) ?? []);
    const made = simulator.sent.filter(({ method, done }) => method === 'POST' && done).length;
    return [...isComplete(simulator, befallen), ...unowned.slice(0, 3), ...(made === 2 ? [] : [`I5: ${made} things were made of two that were taken over`])];
  },
  where,
};
