import { describe, expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { commitOf, openWorkbench, planOf, planPath, scopeOf, type Workbench } from '../../test/ports/workbench.ts';
import { grantLease, readLease } from '../lease/lease.ts';

const lines = [
  { id: 'a', things: { a: '1' } },
  { id: 'b', things: { b: { from: 'a.id' } } },
];
const isWrite = (method: string, name: string) => (call: { method: string; name?: string }) => call.method === method && call.name === name;

/** Delivers until something has been written at the provider. */
async function untilWritten(bench: Workbench): Promise<void> {
  while (bench.provider.writes.length === 0) {
    const next = bench.queues.take();
    if (!next) throw new Error('nothing was written');
    await bench.deliver(next);
  }
}

function putPlan(bench: Workbench, commit: string): void {
  bench.code.commit(commitOf(commit), planPath, planOf(lines));
}

describe('while another run holds the lease (R1.43, P3)', () => {
  test('a command that may not wait ends with whose it is and until when', async () => {
    const bench = openWorkbench();
    putPlan(bench, 'one');
    await grantLease(bench.world(), scopeOf('branch-x'), 'somebody');
    const id = await bench.command({ commit: 'one' });
    await bench.quiet();
    const run = await bench.run(id);
    expect(run).toMatchObject({ outcome: 'failed', problem: { code: 'LOCK_HELD', details: { holder: 'somebody' } } });
    expect(bench.provider.calls.filter((call) => call.method !== 'GET')).toEqual([]);
  });

  test('a run that waits is woken by the release, before its own delayed message (R1.65)', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', lines);
    const first = await bench.event('opened', 7, 'one');
    await untilWritten(bench);
    const second = await bench.event('synchronize', 7, 'one');
    const intake = bench.queues.waiting().find((one) => one.queue === 'control');
    expect(intake).toBeDefined();
    const start = bench.clock.now();
    for (;;) {
      const next = bench.queues.take();
      if (!next) break;
      await bench.deliver(next);
    }
    expect((await bench.run(first)).outcome).toBe('complete');
    expect((await bench.run(second)).outcome).toBe('complete');
    expect(bench.clock.now()).toBe(start);
    await bench.quiet();
    expect(disagreements(bench)).toEqual([]);
  });

  test('of several that wait all end, the newest commit applied and the others superseded', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', lines);
    const first = await bench.event('opened', 7, 'one');
    await untilWritten(bench);
    const late: string[] = [];
    for (const commit of ['two', 'three', 'four']) {
      bench.pull(7, commit, lines);
      late.push(await bench.event('synchronize', 7, commit));
      bench.clock.advance(1);
    }
    await bench.quiet();
    const outcomes = await Promise.all([first, ...late].map(async (id) => (await bench.run(id)).outcome));
    expect(outcomes).toEqual(['complete', 'superseded', 'superseded', 'complete']);
    expect(disagreements(bench)).toEqual([]);
  });

  test('two events at the same instant: one run writes, the other finds nothing to do (I9)', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', lines);
    const ids = [await bench.event('opened', 7, 'one'), await bench.event('synchronize', 7, 'one')];
    await bench.quiet((ready) => ready - 1);
    for (const id of ids) expect((await bench.run(id)).outcome).toBe('complete');
    expect(bench.provider.writes).toHaveLength(2);
    expect(disagreements(bench)).toEqual([]);
  });
});

describe('a run that dies with its lease', () => {
  test('is taken over by the next once the lease has run out; the takeover is recorded (R1.90)', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', lines);
    const dead = await bench.event('opened', 7, 'one');
    await untilWritten(bench);
    while (bench.queues.nextAt() !== undefined) bench.queues.take() ?? bench.clock.set(bench.queues.nextAt() as number);
    bench.clock.advance(18_001);
    const next = await bench.release(7, 'two', lines);
    expect(next).toMatchObject({ outcome: 'complete', tookOver: dead });
    expect((await bench.report(next.id)).tookOver).toBe(dead);
    expect(bench.provider.writes).toHaveLength(2);
    await bench.sweep();
    await bench.sweep();
    expect(await bench.run(dead)).toMatchObject({ phase: 'done', outcome: 'fenced-out' });
    expect(disagreements(bench)).toEqual([]);
  });

  test('fenced out it writes nothing more: not at the provider, not in the scope, no receipt in the chain (I9, R1.64, R1.89)', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', lines);
    const old = await bench.event('opened', 7, 'one');
    await untilWritten(bench);
    bench.clock.advance(18_001);
    await grantLease(bench.world(), scopeOf(7), 'another');
    const scope = () => bench.memory.items().filter((item) => item.pk.startsWith('SCOPE#') || item.pk.startsWith('CLAIM#'));
    const before = scope();
    const writes = bench.provider.writes.length;
    await bench.quiet();
    const run = await bench.run(old);
    expect(run).toMatchObject({ phase: 'done', outcome: 'fenced-out', problem: { code: 'LOCK_LOST' } });
    expect(await bench.statuses(old)).toMatchObject({ b: 'skipped' });
    expect(scope().filter((item) => item.sk !== 'SURFACE')).toEqual(before.filter((item) => item.sk !== 'SURFACE'));
    expect(bench.provider.writes.length).toBe(writes);
    expect(bench.bucket.keys().filter((key) => key.startsWith('receipts/'))).toEqual([]);
  });

  test('a worker that wakes up after the takeover cannot record what it made; the new holder finds it by its intent', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', lines);
    await bench.event('opened', 7, 'one');
    let next: string | undefined;
    bench.provider.faults.before(isWrite('POST', 'a'), async () => {
      bench.clock.advance(18_001);
      bench.pull(7, 'two', lines);
      next = await bench.event('synchronize', 7, 'two');
      const intake = bench.queues.take('control');
      if (intake) await bench.deliver(intake);
      const prepare = bench.queues.take('control');
      if (prepare) await bench.deliver(prepare);
    });
    await bench.quiet();
    expect((await bench.run(next as string)).outcome).toBe('complete');
    expect(bench.provider.names().filter((name) => name.startsWith('a='))).toHaveLength(1);
    await bench.sweep();
    expect(disagreements(bench)).toEqual([]);
  });

  test('a lease that ran out and nobody took is granted again to the same run, which finishes', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', lines);
    const id = await bench.event('opened', 7, 'one');
    await untilWritten(bench);
    bench.clock.advance(60_000);
    await bench.quiet();
    expect((await bench.run(id)).outcome).toBe('complete');
    expect((await readLease(bench.world(), scopeOf(7)))?.fence).toBeGreaterThan(1);
    expect(disagreements(bench)).toEqual([]);
  });
});

test('a second scope that wants a resource of the first is refused, naming the owner (R1.86, R1.97)', async () => {
  const bench = openWorkbench();
  await bench.release(7, 'one', lines);
  const run = await bench.release(8, 'two', [{ id: 'mine', things: { a: '2' } }]);
  expect(run.outcome).toBe('failed');
  const [line] = (await bench.report(run.id)).lines;
  expect(line).toMatchObject({ status: 'blocked', problem: { code: 'OWNED_BY_OTHER_SCOPE', details: { owner: { scope: scopeOf(7), line: 'a' } } } });
  expect(bench.provider.names()).toContain('a=1');
});

test('what another scope owns may be relied on as it is, and stays its own (R1.29, R1.86)', async () => {
  const bench = openWorkbench();
  await bench.release(7, 'one', lines);
  const run = await bench.release(8, 'two', [{ id: 'mine', things: { a: '1' } }]);
  expect(run.outcome).toBe('complete');
  expect(await bench.statuses(run.id)).toEqual({ mine: 'unchanged' });
  await bench.close(8, 'two');
  expect(bench.provider.names()).toContain('a=1');
  expect(disagreements(bench)).toEqual([]);
});
