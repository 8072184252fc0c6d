/** A pull request's releases: made, changed, failed, taken down. */
import { LockkeeperError } from '../../../shared/errors/error.ts';
import { secrets } from '../../property/plan.ts';
import { pullHook } from '../hooks.ts';
import type { Simulator } from '../simulator.ts';
import { type Befallen, close, gone, newest, type Story, thingsAt, turn } from '../story.ts';

/** Eight lines: a chain of three, one that takes from two, and some that stand alone. */
const eight = [
  { id: 'a', things: { a: '1' } },
  { id: 'b', things: { b: { from: 'a.id' } } },
  { id: 'c', things: { c: { from: 'b.token' } } },
  { id: 'd', things: { d: '1', dd: '2' } },
  { id: 'e', things: { e: { from: 'd.value' } }, depends_on: ['c'] },
  { id: 'f', things: { f: { secret: 'env://DATABASE_URL' } } },
  { id: 'g', things: { g: '1' } },
  { id: 'h', things: { h: '1' } },
];
const eightThings = ['a', 'b', 'c', 'd', 'dd', 'e', 'f', 'g', 'h'];

const three = [
  { id: 'a', things: { a: '1' } },
  { id: 'b', things: { b: { from: 'a.value' } } },
  { id: 'c', things: { c: '1', cc: '1' } },
];
const threeThings = ['a', 'b', 'c', 'cc'];

const changed = [
  { id: 'a', things: { a: '2' } },
  { id: 'b', things: { b: { from: 'a.value' } } },
  { id: 'c', things: { c: '3', cc: '1' } },
];

const where = { pull: 7, commit: 'one' };

/** The first commit is applied, and nothing befalls. */
export const applied =
  (changes: readonly object[], commit = 'one') =>
  async (simulator: Simulator): Promise<void> => {
    for (const [name, value] of Object.entries(secrets)) simulator.bench.secrets.set(name, value);
    simulator.bench.pull(7, commit, changes);
    await simulator.hook(pullHook('opened', 7, commit));
    await simulator.rest();
    simulator.bench.clock.advance(1000);
  };

/** The run that began last is complete, unless what befell may fail it; of one that overtook it the ending tells. */
export const isComplete = (simulator: Simulator, { mayFail, overtaken }: Befallen): string[] => {
  const run = newest(simulator);
  return run?.outcome === 'complete' || mayFail || overtaken ? [] : [`I11: the run ended ${run?.outcome} in ${run?.phase}, and nothing had failed for good`];
};

export const firstApply: Story = {
  name: 'first-apply',
  about: 'A pull request is opened: eight lines, a chain of three among them, are made.',
  play: applied(eight),
  overtake: (simulator) => turn(simulator, where),
  after: isComplete,
  where: { ...where, things: eightThings },
};

export const update: Story = {
  name: 'update',
  about: 'A commit changes two values and what is taken from one of them.',
  overtake: (simulator) => turn(simulator, { pull: 7, commit: 'two' }),
  before: applied(three),
  async play(simulator) {
    simulator.bench.pull(7, 'two', changed);
    await simulator.hook(pullHook('synchronize', 7, 'two'));
    await simulator.rest();
  },
  after(simulator, befallen) {
    const values = simulator.bench.provider.names().join();
    // Whoever overtook it has closed the pull request.
    const isThere = befallen.overtaken ? values === '' : befallen.mayFail || values === 'a=2,b=2,c=3,cc=1';
    return [...isComplete(simulator, befallen), ...(isThere ? [] : [`I2: the update left ${values}`])];
  },
  where: { pull: 7, commit: 'two', things: threeThings },
};

export const again: Story = {
  name: 'again',
  about: 'A release is told of once more, and nothing has changed: nothing is written.',
  overtake: (simulator) => turn(simulator, where),
  async before(simulator) {
    await applied(three)(simulator);
    begun.set(simulator, simulator.sent.length);
  },
  async play(simulator) {
    await simulator.hook(pullHook('synchronize', 7, 'one'));
    await simulator.rest();
  },
  after(simulator, befallen) {
    const sent = befallen.overtaken ? [] : simulator.sent.slice(begun.get(simulator));
    return [...isComplete(simulator, befallen), ...sent.map(({ method, name }) => `I3: a second apply sent ${method} ${name}`)];
  },
  where: { ...where, things: threeThings },
};

/** How much had been sent when it began. */
const begun = new WeakMap<Simulator, number>();

const refused = new LockkeeperError({ code: 'PROVIDER_INVALID', message: 'The provider refuses this.' });

export const rollback: Story = {
  name: 'rollback',
  about: 'The last line of a chain is refused: what the run made is taken back, what it changed is put back or named.',
  overtake: (simulator) => turn(simulator, { pull: 7, commit: 'two' }),
  before: applied([{ id: 'kept', things: { kept: '1' } }]),
  async play(simulator) {
    const { bench } = simulator;
    bench.provider.faults.fail(({ method, name }) => method === 'POST' && name === 'never', refused, Number.POSITIVE_INFINITY);
    bench.pull(7, 'two', [
      { id: 'kept', things: { kept: '2' } },
      { id: 'made', things: { made: { from: 'kept.id' }, more: '1' } },
      { id: 'beside', things: { beside: '1' } },
      { id: 'never', things: { never: { secret: 'env://DATABASE_URL' } }, depends_on: ['beside', 'made'] },
    ]);
    await simulator.hook(pullHook('synchronize', 7, 'two'));
    await simulator.rest();
  },
  async after(simulator, { mayFail, overtaken }) {
    const { bench } = simulator;
    const run = newest(simulator);
    bench.provider.faults.clear();
    const left = thingsAt(bench).join();
    const wrong = [
      ...(run?.outcome === 'failed' || overtaken ? [] : [`I11: a run whose line is refused ended ${run?.outcome}`]),
      ...(left === (overtaken ? '' : 'kept') || mayFail ? [] : [`I2: the rollback left ${left}`]),
    ];
    if (overtaken || wrong.length > 0) return wrong;
    // Taken down as it is, and opened again.
    const here = { pull: 7, commit: 'two' };
    await close(simulator, here);
    await simulator.rest();
    wrong.push(...gone(simulator, here));
    await turn(simulator, here);
    await simulator.rest();
    return wrong;
  },
  where: { pull: 7, commit: 'two', things: ['beside', 'kept', 'made', 'more', 'never'] },
};

/** Longer than a third of a lease's time to live for every few lines: whoever works renews it. */
const slowly = 80_000;

export const renewal: Story = {
  name: 'renewal',
  about: 'Every line takes more than a minute: the lease is renewed on the way.',
  overtake: (simulator) => turn(simulator, { pull: 7, commit: 'one' }),
  async play(simulator) {
    simulator.pace = slowly;
    await applied(eight.slice(0, 5))(simulator);
    simulator.pace = 0;
  },
  after(simulator, befallen) {
    const renewed = simulator.bench.memory.writes.filter(
      ({ applied: won, key, change }) => won && key.sk === 'LEASE' && 'set' in change && isRenewal(change.set),
    );
    return [...isComplete(simulator, befallen), ...(renewed.length > 0 || befallen.fault ? [] : ['I9: nobody has renewed the lease'])];
  },
  where: { ...where, things: ['a', 'b', 'c', 'd', 'dd', 'e'] },
};

const isRenewal = (set: Readonly<Record<string, unknown>> = {}): boolean => 'expiresAt' in set && !('fence' in set);

export const destroy: Story = {
  name: 'destroy',
  about: 'The pull request is closed: everything that was made for it goes, against its dependencies.',
  overtake: (simulator) => turn(simulator, where),
  before: applied(three),
  async play(simulator) {
    await close(simulator, where);
    await simulator.rest();
  },
  after: (simulator, { mayFail, overtaken }) => {
    const run = newest(simulator);
    if (overtaken) return thingsAt(simulator.bench).join() === threeThings.join() ? [] : [`I9: opened again, it has ${thingsAt(simulator.bench).join()}`];
    return run?.kind === 'destroy' && (run.outcome === 'complete' || mayFail) ? [] : [`I8: the destroy ended ${run?.outcome} in ${run?.phase}`];
  },
  where,
};

export const takeover: Story = {
  name: 'takeover',
  about: 'A run is left behind in the middle, its lease runs out, and the run of a newer commit takes the scope over.',
  overtake: (simulator) => turn(simulator, { pull: 7, commit: 'two' }),
  async before(simulator) {
    const { bench } = simulator;
    bench.pull(7, 'one', three);
    await simulator.hook(pullHook('opened', 7, 'one'));
    // Intake and preparation, and one line that is cut off after it has written.
    while (simulator.sent.length === 0) await (await simulator.take()).run();
    const first = newest(simulator)?.id;
    simulator.hold = ({ message }) => 'run' in message && message.run === first;
  },
  async play(simulator) {
    simulator.bench.clock.advance(1000);
    simulator.bench.pull(7, 'two', changed);
    await simulator.hook(pullHook('synchronize', 7, 'two'));
    await simulator.rest();
  },
  after(simulator, befallen) {
    const wrong = isComplete(simulator, befallen);
    const values = simulator.bench.provider.names().join();
    const isThere = befallen.overtaken ? values === '' : befallen.mayFail || values === 'a=2,b=2,c=3,cc=1';
    return [...wrong, ...(isThere ? [] : [`I9: after the takeover there is ${values}`])];
  },
  where: { pull: 7, commit: 'two', things: threeThings },
};
