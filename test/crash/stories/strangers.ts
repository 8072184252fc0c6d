/** What is there already and nobody of ours made: it is seen by a plan, and wanted by a line. */
import { runsOf } from '../../property/stage.ts';
import { pullHook } from '../hooks.ts';
import type { Simulator } from '../simulator.ts';
import { type Story, turn } from '../story.ts';
import { applied } from './releases.ts';

const theirs = 'theirs';

const standsAsItWas = ({ bench }: Simulator): string[] => {
  const value = bench.provider.find(theirs)?.value;
  return value === 'by hand' ? [] : [`I5: what somebody made by hand is ${value}`];
};

const changed = { pull: 7, commit: 'two', things: ['a', 'b', 'more', theirs] };

export const plan: Story = {
  name: 'plan',
  about: 'Somebody has a changed commit planned at a terminal, beside what somebody else made by hand: nothing is written.',
  overtake: (simulator) => turn(simulator, changed),
  async before(simulator) {
    simulator.bench.provider.edit(theirs, 'by hand');
    await applied([
      { id: 'a', things: { a: '1' } },
      { id: 'b', things: { b: { from: 'a.value' } } },
    ])(simulator);
  },
  async play(simulator) {
    const { bench } = simulator;
    bench.pull(7, 'two', [
      { id: 'a', things: { a: '2', more: '1' } },
      { id: 'b', things: { b: { from: 'a.value' } } },
    ]);
    bench.clock.advance(1);
    await bench.command({ intent: 'plan', commit: 'two', scope: 'pr-7', branch: 'feat-7', options: { busy: 'wait' } });
    await simulator.rest();
  },
  after(simulator, { overtaken }) {
    const { bench } = simulator;
    const planned = runsOf(bench).find(({ intent }) => intent === 'plan');
    const things = bench.provider.names().join();
    // Whoever overtook it has closed the pull request.
    return [
      ...(things === `${overtaken ? '' : 'a=1,b=1,'}${theirs}=by hand` ? [] : [`I4: after a plan there is ${things}`]),
      ...(planned?.phase === 'done' ? [] : [`I11: the plan rests in ${planned?.phase}`]),
      ...standsAsItWas(simulator),
    ];
  },
  where: changed,
};

export const taken: Story = {
  name: 'taken',
  about: 'A line wants a name that somebody has given to something made by hand: it is refused, and that stays as it is.',
  overtake: (simulator) => turn(simulator, { pull: 7, commit: 'one' }),
  async before({ bench }) {
    bench.provider.edit(theirs, 'by hand');
  },
  async play(simulator) {
    simulator.bench.pull(7, 'one', [
      { id: 'a', things: { a: '1' } },
      { id: 'b', things: { [theirs]: '2' }, depends_on: ['a'] },
    ]);
    await simulator.hook(pullHook('opened', 7, 'one'));
    await simulator.rest();
  },
  after(simulator, { overtaken }) {
    const { bench } = simulator;
    if (overtaken) return standsAsItWas(simulator);
    const outcome = runsOf(bench).at(-1)?.outcome;
    // The commit is mended: what it must not have it no longer wants.
    bench.pull(7, 'one', [{ id: 'a', things: { a: '1' } }]);
    return [...standsAsItWas(simulator), ...(outcome === 'failed' ? [] : [`I5: a line that wants what is somebody else's ends its run ${outcome}`])];
  },
  where: { pull: 7, commit: 'one', things: ['a', theirs] },
};
