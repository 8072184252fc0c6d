/** A run that somebody stops in its middle, by a comment on the pull request (P1). */
import { runsOf } from '../../property/stage.ts';
import { commentHook, pullHook } from '../hooks.ts';
import type { Simulator } from '../simulator.ts';
import { type Story, turn } from '../story.ts';

const where = { pull: 7, commit: 'one', things: ['a', 'b', 'c'] };

/** The second line is at it for a while: its provider says a few times that it is not there yet. */
const lines = [
  { id: 'a', things: { a: '1' } },
  { id: 'b', things: { b: '1' }, busy: 3, depends_on: ['a'] },
  { id: 'c', things: { c: '1' }, depends_on: ['b'] },
];

const comment = 71;

const isMaking = ({ sent }: Simulator): boolean => sent.some(({ method, name, done }) => method === 'POST' && name === 'b' && done);

export const cancel: Story = {
  name: 'cancel',
  about: 'Somebody cancels a run whose second line is being made: that is finished, the third never begins, and the next release makes it.',
  overtake: (simulator) => turn(simulator, where),
  async before({ bench }) {
    bench.code.people.set('mona', 'write');
  },
  async play(simulator) {
    const { bench } = simulator;
    bench.pull(7, 'one', lines);
    await simulator.hook(pullHook('opened', 7, 'one'));
    while (!isMaking(simulator) && bench.queues.nextAt() !== undefined) await (await simulator.take()).run();
    const run = runsOf(bench)[0]?.id.slice(0, 12) ?? 'none';
    const body = `/lockkeeper cancel ${run}`;
    bench.code.written.set(comment, { login: 'mona', body });
    // The provider takes its time: whoever looks after the comment comes first, and is tried again before the line goes on.
    simulator.hold = ({ queue }) => queue === 'lines';
    await simulator.hook(commentHook(7, comment, body));
    await simulator.rest();
  },
  after({ bench }, { mayFail, fault, overtaken }) {
    const run = runsOf(bench)[0];
    const made = bench.provider.names().join();
    // Whoever overtook it has closed the pull request.
    if (overtaken) return made === '' ? [] : [`I8: the pull request is closed, and there is ${made}`];
    if (mayFail && run?.outcome !== 'cancelled') return [];
    // GitHub, or whoever stood still, has told of it when all was over.
    const tooLate = fault !== undefined && run?.stopping === undefined && run?.outcome === 'complete';
    if (tooLate) return made === 'a=1,b=1,c=1' ? [] : [`I2: a run that ended complete has made ${made}`];
    return [
      ...(run?.outcome === 'cancelled' ? [] : [`I11: a run that was cancelled ended ${run?.outcome} in ${run?.phase}`]),
      ...(made === 'a=1,b=1' ? [] : [`P1: a run that was cancelled while b was made has made ${made}`]),
    ];
  },
  where,
};
