import { describe, expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { openWorkbench, type Picker, scopeOf } from '../../test/ports/workbench.ts';
import { readHead } from '../ledger/head.ts';

const chain = [
  { id: 'a', things: { a: '1' } },
  { id: 'b', things: { b: { from: 'a.id' } } },
  { id: 'c', things: { c: { from: 'b.token' } } },
];
const diamond = [
  { id: 'top', things: { top: '1' } },
  { id: 'left', things: { left: { from: 'top.id' } } },
  { id: 'right', things: { right: { from: 'top.id' } } },
  { id: 'bottom', things: { bottom: '2' }, depends_on: ['left', 'right'] },
];

/** Numbers that look random and are the same in every run of the tests. */
function shuffled(seed: number): Picker {
  let state = seed;
  return (ready) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % ready;
  };
}

describe('a pull request', () => {
  test('is applied line by line, each after the lines it needs (R1.21, R1.33)', async () => {
    const bench = openWorkbench();
    const run = await bench.release(7, 'one', chain);
    expect(run).toMatchObject({ kind: 'apply', phase: 'done', outcome: 'complete' });
    expect(await bench.statuses(run.id)).toEqual({ a: 'applied', b: 'applied', c: 'applied' });
    expect(bench.provider.writes.map((one) => one.name)).toEqual(['a', 'b', 'c']);
    expect(bench.provider.find('c')?.value).toBe(`token-of-${bench.provider.find('b')?.id}`);
    expect(disagreements(bench)).toEqual([]);
  });

  test('applied again in an unchanged world writes nothing to a provider (I3, R1.51)', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', chain);
    const writes = bench.provider.writes.length;
    const again = await bench.release(7, 'two', chain);
    expect(await bench.statuses(again.id)).toEqual({ a: 'unchanged', b: 'unchanged', c: 'unchanged' });
    expect(bench.provider.writes.length).toBe(writes);
  });

  test('whose plan changed is updated where it changed', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', [{ id: 'a', things: { x: '1', y: '1' } }]);
    const run = await bench.release(7, 'two', [{ id: 'a', things: { x: '1', y: '2' } }]);
    expect(bench.provider.names()).toEqual(['x=1', 'y=2']);
    expect(bench.provider.writes.slice(2)).toEqual([expect.objectContaining({ method: 'PATCH', name: 'y' })]);
    const [line] = (await bench.report(run.id)).lines;
    expect(line?.changes.map(({ key, kind }) => [key, kind])).toEqual([
      ['thing:x', 'unchanged'],
      ['thing:y', 'update'],
    ]);
  });

  test('leaves its commit in the history and its run as the one that settled last (R1.63)', async () => {
    const bench = openWorkbench();
    const run = await bench.release(7, 'one', chain);
    const head = await readHead(bench.memory.table, scopeOf(7));
    expect(head?.history.map((one) => one.sha)).toEqual([run.commit]);
    expect(head?.settled).toEqual({ run: run.id, fence: 1 });
  });

  test('shows one comment and one check per commit, updated in place', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', chain);
    await bench.release(7, 'two', chain);
    expect(bench.code.comments.size).toBe(1);
    const own = [...bench.code.checks.values()].filter(({ name }) => name === 'lockkeeper / preview');
    expect(own.map((check) => [check.status, check.conclusion])).toEqual([
      ['completed', 'success'],
      ['completed', 'success'],
    ]);
  });

  test('with no line at all ends complete', async () => {
    const bench = openWorkbench();
    expect((await bench.release(7, 'one', [])).outcome).toBe('complete');
    expect(disagreements(bench)).toEqual([]);
  });

  test('with a mistake in its plan ends failed, before a lease, a secret or an item of the scope (R1.42)', async () => {
    const bench = openWorkbench();
    const run = await bench.release(7, 'one', [{ id: 'a', op: 'thingies' }]);
    expect(run).toMatchObject({ outcome: 'failed', problem: { code: 'OP_UNKNOWN' } });
    expect(bench.memory.items().filter((item) => item.pk.startsWith('SCOPE#') && item.sk !== 'SURFACE')).toEqual([]);
  });
});

describe('lines run by dependency, in whatever order the queue delivers', () => {
  test.each(Array.from({ length: 20 }, (_, seed) => seed))('a diamond, shuffled %i', async (seed) => {
    const bench = openWorkbench();
    bench.pull(7, 'one', diamond);
    const id = await bench.event('opened', 7, 'one');
    await bench.quiet(shuffled(seed));
    expect((await bench.run(id)).outcome).toBe('complete');
    const order = bench.provider.writes.map((one) => one.name);
    expect([order[0], order[3]]).toEqual(['top', 'bottom']);
    expect(disagreements(bench)).toEqual([]);
  });

  test('two hundred lines that need nothing are queued at once, one message each', async () => {
    const bench = openWorkbench();
    const lines = Array.from({ length: 200 }, (_, at) => ({ id: `l${at}`, things: { [`t${at}`]: '1' } }));
    const run = await bench.release(7, 'one', lines);
    expect(run.outcome).toBe('complete');
    expect(bench.queues.sent.filter((one) => one.queue === 'lines')).toHaveLength(200);
    expect(bench.provider.names()).toHaveLength(200);
  });

  test('a chain of forty, each queued by the one before it', async () => {
    const bench = openWorkbench();
    const lines = Array.from({ length: 40 }, (_, at) => ({ id: `l${at}`, things: { [`t${at}`]: at === 0 ? '1' : { from: `l${at - 1}.id` } } }));
    expect((await bench.release(7, 'one', lines)).outcome).toBe('complete');
    expect(bench.provider.writes.map((one) => one.name)).toEqual(lines.map((_, at) => `t${at}`));
  });
});

describe('every message may arrive twice (I10)', () => {
  test.each(Array.from({ length: 10 }, (_, seed) => seed))('each one delivered again at once, shuffled %i', async (seed) => {
    const bench = openWorkbench();
    bench.pull(7, 'one', diamond);
    const id = await bench.event('opened', 7, 'one');
    const pick = shuffled(seed);
    for (let next = bench.queues.nextAt(); next !== undefined; next = bench.queues.nextAt()) {
      if (next > bench.clock.now()) bench.clock.set(next);
      const ready = bench.queues.waiting().filter((one) => one.at <= bench.clock.now()).length;
      const message = bench.queues.takeAt(pick(ready));
      if (!message) break;
      await Promise.all([bench.deliver(message), bench.deliver({ ...message })]);
      if (bench.queues.sent.length > 2_000) throw new Error('duplicates breed messages without end');
    }
    expect((await bench.run(id)).outcome).toBe('complete');
    expect(bench.provider.writes).toHaveLength(4);
    expect(disagreements(bench)).toEqual([]);
  });

  test('every message ever sent, replayed when all is done, changes nothing', async () => {
    const bench = openWorkbench();
    const run = await bench.release(7, 'one', chain);
    const items = bench.memory.items();
    const writes = bench.provider.writes.length;
    for (const message of bench.queues.sent) bench.queues.deliver(message);
    await bench.quiet();
    expect(bench.memory.items()).toEqual(items);
    expect(bench.provider.writes.length).toBe(writes);
    expect((await bench.run(run.id)).outcome).toBe('complete');
  });
});

test('a plan writes nothing to a provider and nothing of the scope (I4, R1.41)', async () => {
  const bench = openWorkbench();
  await bench.release(7, 'one', chain);
  const before = bench.memory.items().filter((item) => item.pk.startsWith('SCOPE#') || item.pk.startsWith('CLAIM#'));
  const writes = bench.provider.writes.length;
  bench.pull(7, 'two', [...chain.slice(0, 2), { id: 'd', things: { d: { from: 'a.id' } } }]);
  const { commit } = await bench.run(await bench.command({ commit: 'two', intent: 'plan', scope: 'pr-7', pullRequest: 7 }));
  await bench.quiet();
  expect(commit).toBeDefined();
  const plans = bench.bucket.keys().filter((key) => key.startsWith('runs/'));
  expect(JSON.parse(bench.bucket.bodies(plans.at(-1) as string)[0] as string)).toMatchObject({ kind: 'plan', status: 'complete' });
  expect(bench.provider.writes.length).toBe(writes);
  expect(bench.memory.items().filter((item) => item.pk.startsWith('SCOPE#') || item.pk.startsWith('CLAIM#'))).toEqual(before);
});

test('a run one of whose lines writes in production is asked about before it holds a lease, and writes nothing (I7, R1.25, R1.26)', async () => {
  const bench = openWorkbench();
  const run = await bench.release(7, 'one', [...chain, { id: 'p', things: { p: '1' }, environment: 'production' }]);
  expect(run).toMatchObject({ phase: 'awaiting', gated: true });
  expect(bench.provider.writes).toEqual([]);
  expect(bench.memory.items().some((item) => item.sk === 'LEASE')).toBe(false);
});
