import { describe, expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { written } from '../../test/ports/memory-table.ts';
import { openWorkbench, type Workbench } from '../../test/ports/workbench.ts';
import { openKey } from '../table/keys.ts';
import { Again } from './again.ts';
import type { RunLine } from './items.ts';
import { tail } from './phase.ts';
import { claimLine, readRunLine, saveLine, savePlannedLine } from './run-store.ts';
import { workLine } from './work-line.ts';

const pair = [
  { id: 'a', things: { a: '1' } },
  { id: 'b', things: { b: { from: 'a.id' } } },
];

/** A run whose lines are queued and untouched. */
async function queued(changes: readonly object[] = pair) {
  const bench = openWorkbench();
  bench.pull(7, 'one', changes);
  const id = await bench.event('opened', 7, 'one');
  await deliverControl(bench);
  const line = async (name: string) => (await readRunLine(bench.memory.table, id, name)) as RunLine;
  const message = (name: string, more: object = {}) => ({
    format: 1 as const,
    run: id,
    round: 1,
    phase: 'applying' as const,
    line: name,
    group: '7101',
    ...more,
  });
  return { bench, id, line, message, work: (name: string, more?: object) => workLine(bench.world(), message(name, more)) };
}

/** Delivers control messages until none is ready. */
async function deliverControl(bench: Workbench): Promise<void> {
  for (let next = bench.queues.take('control'); next; next = bench.queues.take('control')) await bench.deliver(next);
}

test('a line message that comes before its line is ready is handed back, and the line is not called blocked', async () => {
  const { bench, id, line, work } = await queued();
  await expect(work('b')).rejects.toBeInstanceOf(Again);
  expect((await line('b')).result).toBeUndefined();
  await bench.quiet();
  expect(await bench.statuses(id)).toEqual({ a: 'applied', b: 'applied' });
});

describe('a claim (P1.1)', () => {
  test('is won by one of two, and hands the other its message back until it ends', async () => {
    const { bench, line, work } = await queued();
    const { until } = await line('a');
    expect(until).toBe(0);
    const answers = await Promise.allSettled([work('a'), work('a')]);
    const refused = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(refused).toHaveLength(1);
    expect(refused[0]).toBeInstanceOf(Again);
    expect((refused[0] as Again).seconds).toBe(8);
    expect(bench.provider.writes).toHaveLength(1);
  });

  test('can be taken only when its end has passed by two skews', async () => {
    const { bench, line } = await queued();
    const world = bench.world({ skew: 1_000 });
    const first = await claimLine(world, await line('a'));
    if (first === 'moved' || 'live' in first) throw new Error('not claimed');
    bench.clock.set(first.claimed.until + 2_000);
    expect(await claimLine(world, await line('a'))).toHaveProperty('live');
    bench.clock.advance(1);
    expect(await claimLine(world, await line('a'))).toMatchObject({ claimed: { attempt: 2 } });
  });

  test('of a line that is final or has moved to another round or phase is none', async () => {
    const { bench, line, work } = await queued();
    const stale = await line('a');
    await work('a');
    expect(await claimLine(bench.world(), stale)).toBe('moved');
  });

  test('attempts only grow, over phases and rounds', async () => {
    const { bench, id, line } = await queued([...pair, { id: 'never', things: { x: '1' } }]);
    bench.provider.edit('x', 'in the way');
    await bench.quiet();
    expect((await bench.run(id)).outcome).toBe('failed');
    expect(await line('a')).toMatchObject({ phase: 'rolling-back', attempt: 2 });
  });
});

describe('a result (P1.4)', () => {
  test('of an attempt that was overtaken is not written', async () => {
    const { bench, line } = await queued();
    const world = bench.world();
    const late = await claimLine(world, await line('a'));
    if (late === 'moved' || 'live' in late) throw new Error('not claimed');
    bench.clock.set(late.claimed.until + 1);
    await claimLine(world, await line('a'));
    expect(await saveLine(world, late.claimed, { result: { status: 'failed', changes: [], outputs: {} } })).toBe(false);
    expect(await line('a')).not.toHaveProperty('result');
  });

  test('of a planned line is the first one that came: planning needs no claim', async () => {
    const { bench, line } = await queued();
    const world = bench.world();
    const result = (id: string) => ({ result: { status: 'create' as const, changes: [], outputs: { id } } });
    expect(await savePlannedLine(world, await line('a'), result('first'))).toBe(true);
    expect(await savePlannedLine(world, await line('a'), result('second'))).toBe(false);
    expect((await line('a')).result?.outputs).toEqual({ id: 'first' });
  });

  test.each(['done', 'never'] as const)('whose answer is lost (%s) is recognised', async (effect) => {
    const { bench, id, work, line } = await queued();
    bench.memory.faults.loseAnswer((call) => call.op === 'write' && 'set' in call.change && call.change.set?.['result'] !== undefined, effect);
    await work('a');
    expect((await line('a')).result?.status).toBe('applied');
    await bench.quiet();
    expect((await bench.run(id)).outcome).toBe('complete');
    expect(bench.provider.writes).toHaveLength(2);
  });
});

describe('a message (P2)', () => {
  test.each([{ round: 2 }, { phase: 'rolling-back' }, { phase: 'planning' }, { run: 'nobody' }, { line: 'nothing' }])(
    'of another round, phase, run or line is dropped: %o',
    async (more) => {
      const { bench, work } = await queued();
      const items = bench.memory.items();
      await work('a', more);
      expect(bench.memory.items()).toEqual(items);
      expect(bench.provider.calls).toEqual([]);
    },
  );

  test('of a line that is done repeats its tail and nothing else', async () => {
    const { bench, work } = await queued();
    await work('a');
    const writes = bench.provider.writes.length;
    const sent = bench.queues.sent.length;
    await work('a');
    expect(bench.provider.writes.length).toBe(writes);
    expect(bench.queues.sent.slice(sent)).toEqual([expect.objectContaining({ message: expect.objectContaining({ line: 'b' }) })]);
  });
});

describe('a tail (P1.5)', () => {
  test('takes the line out of its dependants’ sets, queues whom nothing holds, deletes its own open work', async () => {
    const { bench, id, work } = await queued();
    const open = () => bench.memory.items().filter((item) => item.sk.startsWith('OPEN#'));
    expect(open().map((item) => [item['line'], item['after'] ?? new Set()])).toEqual([
      ['a', new Set()],
      ['b', new Set(['a'])],
    ]);
    await work('a');
    expect(open().map((item) => [item['line'], item['after'] ?? new Set()])).toEqual([['b', new Set()]]);
    await work('b');
    expect(open()).toEqual([]);
    expect(bench.queues.waiting().filter((one) => one.queue === 'control')).toHaveLength(1);
    await bench.quiet();
    expect((await bench.run(id)).outcome).toBe('complete');
  });

  test('repeated late makes no item out of nothing: a removal is on condition that the item exists', async () => {
    const { bench, id, work, line } = await queued();
    await work('a');
    await work('b');
    await tail(bench.world(), await bench.run(id), await line('a'));
    expect(bench.memory.items().filter((item) => item.sk.startsWith('OPEN#'))).toEqual([]);
  });

  test.each(['done', 'never'] as const)('queues a dependant although the answer to its removal was lost (%s)', async (effect) => {
    const { bench, id, work } = await queued();
    bench.memory.faults.loseAnswer(written('RUN#', openKey(id, 1, 'applying', 'b').sk), effect);
    await work('a');
    expect(bench.queues.waiting().some((one) => one.queue === 'lines' && one.message.line === 'b')).toBe(true);
  });

  test('of two lines that finish at the same instant queues what they both held', async () => {
    const { bench, id, work } = await queued([
      { id: 'a', things: { a: '1' } },
      { id: 'b', things: { b: '1' } },
      { id: 'c', things: { c: '1' }, depends_on: ['a', 'b'] },
    ]);
    await Promise.all([work('a'), work('b')]);
    expect(bench.queues.waiting().filter((one) => one.queue === 'lines' && one.message.line === 'c').length).toBeGreaterThanOrEqual(1);
    await bench.quiet();
    expect((await bench.run(id)).outcome).toBe('complete');
  });
});

describe('no write starts that could end after the deadline (P1.2)', () => {
  test('a provider write near the end of its claim hands the message back instead', async () => {
    const { bench, id, work } = await queued();
    const slow = (call: { op: string; key?: { sk: string } }) => call.op === 'write' && call.key?.sk === 'LEDGER#a';
    bench.memory.faults.before(slow, () => bench.clock.advance(6_001));
    await expect(work('a')).rejects.toBeInstanceOf(Again);
    expect(bench.provider.writes).toEqual([]);
    bench.clock.advance(1_000);
    await work('a');
    expect(bench.provider.writes).toHaveLength(1);
    await bench.quiet();
    expect((await bench.run(id)).outcome).toBe('complete');
    expect(disagreements(bench)).toEqual([]);
  });

  test('an entry that was made is recorded all the same (R1.92)', async () => {
    const { bench, work, line } = await queued();
    bench.provider.faults.before(
      (call) => call.method === 'POST',
      () => bench.clock.advance(6_500),
    );
    await work('a');
    expect((await line('a')).result?.status).toBe('applied');
  });
});

describe('entering a phase (P2)', () => {
  test('items come before the swap, and the swap before the queue', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', pair);
    const id = await bench.event('opened', 7, 'one');
    await deliverControl(bench);
    const writes = bench.memory.writes;
    const swap = writes.findIndex((one) => 'set' in one.change && one.change.set?.['phase'] === 'applying' && one.key.sk === 'META');
    const items = writes.flatMap((one, at) => (one.key.pk === `RUN#${id}` && /^(LINE|OPEN)#/.test(one.key.sk) ? [at] : []));
    expect(items).toHaveLength(4);
    expect(Math.max(...items)).toBeLessThan(swap);
  });

  test('a prepare delivered again after the swap puts no item and resurrects nothing', async () => {
    const { bench, id, work } = await queued();
    await work('a');
    const open = bench.memory.items().filter((item) => item.sk.startsWith('OPEN#'));
    bench.queues.deliver({ queue: 'control', at: bench.clock.now(), message: { format: 1, run: id, group: '7101' } });
    await deliverControl(bench);
    expect(bench.memory.items().filter((item) => item.sk.startsWith('OPEN#'))).toEqual(open);
    expect((await bench.lines(id))['a']?.result?.status).toBe('applied');
  });
});
