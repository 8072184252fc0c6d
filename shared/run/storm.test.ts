import { expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import type { Fate } from '../../test/ports/mortal.ts';
import { openWorkbench, type Workbench } from '../../test/ports/workbench.ts';

/** Numbers that look random and follow from the seed. */
function dice(seed: number): (sides: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * sides);
  };
}

const plans: readonly (readonly object[])[] = [
  [
    { id: 'a', things: { a: '1' } },
    { id: 'b', things: { b: { from: 'a.id' } } },
    { id: 'c', things: { c: '1' }, depends_on: ['b'] },
  ],
  [
    { id: 'a', things: { a: '2', more: '1' } },
    { id: 'renamed', things: { b: { from: 'a.id' } } },
  ],
  [
    { id: 'c', things: { c: '1' } },
    { id: 'a', things: { a: '1' }, depends_on: ['c'] },
    { id: 'site', things: { site: { from: 'a.url' } } },
  ],
  [
    { id: 'a', things: { a: '1' } },
    { id: 'p', things: { p: '1' }, busy: 2 },
    { id: 'never', things: { taken: '1' }, depends_on: ['a'] },
  ],
];
const fated: readonly Fate[] = ['before', 'after', 'lost', 'unsent'];

/** Delivers a few messages in any order, some twice, each perhaps to a function that dies or hears nothing. */
async function deliverSome(bench: Workbench, roll: (sides: number) => number): Promise<void> {
  for (let left = roll(25); left > 0; left -= 1) {
    const next = bench.queues.nextAt();
    if (next === undefined) return;
    if (next > bench.clock.now()) bench.clock.set(next);
    const ready = bench.queues.waiting().filter((one) => one.at <= bench.clock.now()).length;
    const message = bench.queues.takeAt(roll(ready));
    if (!message) return;
    if (roll(3) === 0) bench.fates.plan(roll(30), fated[roll(4)] as Fate);
    if (roll(6) === 0) await Promise.all([bench.deliver(message), bench.deliver({ ...message })]);
    else await bench.deliver(message);
    if (roll(20) === 0) bench.clock.advance(roll(40_000));
  }
}

async function storm(seed: number): Promise<Workbench> {
  const roll = dice(seed);
  const bench = openWorkbench();
  bench.provider.edit('taken', 'theirs');
  let commit = 0;
  for (let events = 2 + roll(4); events > 0; events -= 1) {
    const move = roll(6);
    const pull = bench.code.pulls.get(7);
    if (move === 0 && pull) {
      bench.code.pulls.set(7, { ...pull, open: false });
      await bench.event('closed', 7, `c${commit}`);
    } else if (move === 1 && pull) {
      await bench.deployed(`c${commit}`, roll(4) === 0 ? 'failure' : 'success');
    } else {
      commit += 1;
      bench.pull(7, `c${commit}`, plans[roll(plans.length)] ?? []);
      await bench.event('synchronize', 7, `c${commit}`);
    }
    await deliverSome(bench, roll);
  }
  bench.fates.plan(Number.MAX_SAFE_INTEGER, 'before');
  await bench.quiet();
  for (let times = 0; times < 6; times += 1) await bench.sweep(20);
  return bench;
}

const seeds = Number(process.env['STORM_SEEDS'] ?? 60);
const first = Number(process.env['STORM_FIRST'] ?? 0);

test.each(Array.from({ length: seeds }, (_, at) => first + at))(
  'whatever befalls a pull request (%i), every run ends, ledger and provider agree, and closing leaves nothing (I2, I6, I8, I9, I11)',
  async (seed) => {
    const bench = await storm(seed);
    const half = disagreements(bench, ['taken']).filter((one) => !one.endsWith('in the ledger and not at the provider'));
    expect(half).toEqual([]);
    const pull = bench.code.pulls.get(7);
    if (!pull) return;
    bench.code.pulls.set(7, { ...pull, open: false });
    await bench.event('closed', 7, 'the end');
    await bench.quiet();
    for (let times = 0; times < 3; times += 1) await bench.sweep(24 * 60);
    expect(disagreements(bench, ['taken'])).toEqual([]);
    expect(bench.provider.names()).toEqual(['taken=theirs']);
  },
);
