/** A line that waits for a deployment. */
import { commitOf } from '../../ports/workbench.ts';
import { deploymentHook, pullHook } from '../hooks.ts';
import { newest, type Story, turn } from '../story.ts';
import { isComplete } from './releases.ts';

const where = { pull: 7, commit: 'one', things: ['a', 'b', 'w'] };

const lines = [
  { id: 'a', things: { a: '1' } },
  { id: 'b', things: { b: '1' }, depends_on: ['a'] },
  { id: 'w', things: { w: { from: 'a.url' } } },
];

export const waiting: Story = {
  name: 'waiting',
  about: 'A line waits for the deployment of its commit: the run ends in part, and goes on when the platform tells of it.',
  overtake: (simulator) => turn(simulator, where),
  async play(simulator) {
    const { bench } = simulator;
    bench.pull(7, 'one', lines);
    await simulator.hook(pullHook('opened', 7, 'one'));
    await simulator.rest();
    bench.provider.deploy(commitOf('one'), 'success');
    await simulator.hook(deploymentHook('one', 'success'));
    await simulator.rest();
    // What the platform told somebody who died is found by the schedule, an hour later at most.
    for (let times = 0; times < 3 && newest(simulator)?.phase === 'waiting'; times += 1) {
      bench.clock.advance(61 * 60_000);
      await (await simulator.schedule()).run();
      await simulator.rest();
    }
  },
  after: isComplete,
  where,
};
