import { describe, expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { commitOf, openWorkbench, scopeOf } from '../../test/ports/workbench.ts';
import { LockkeeperError } from '../errors/error.ts';
import { readHead } from '../ledger/head.ts';

const chain = [
  { id: 'a', things: { a: '1' } },
  { id: 'b', things: { b: { from: 'a.id' } } },
  { id: 'c', things: { c: { from: 'b.id' } } },
];
const refused = new LockkeeperError({ code: 'PROVIDER_INVALID', message: 'The provider refuses this.' });
const deleted = (bench: ReturnType<typeof openWorkbench>) => bench.provider.writes.filter((one) => one.method === 'DELETE').map((one) => one.name);

describe('a destroy', () => {
  test('walks the ledger: what stands on a line goes before it, the newest of a line first (R1.66, R1.67)', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', [{ id: 'a', things: { a1: '1', a2: '1', a3: '1' } }, ...chain.slice(1)]);
    await bench.close(7, 'one');
    expect(deleted(bench)).toEqual(['c', 'b', 'a3', 'a2', 'a1']);
  });

  test('needs no plan file: its commit may be gone (R1.66, R1.68)', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', chain, { providers: { example: { place: 'there' } } });
    expect(bench.provider.names()).toHaveLength(3);
    const pull = bench.code.pulls.get(7);
    if (pull) bench.code.pulls.set(7, { ...pull, open: false, head: { ...pull.head, sha: commitOf('a commit without a plan') } });
    const id = await bench.event('closed', 7, 'a commit without a plan');
    await bench.quiet();
    expect((await bench.run(id)).outcome).toBe('complete');
    expect(bench.provider.names()).toEqual([]);
  });

  test('leaves what was adopted, names it, and forgets it (R1.69)', async () => {
    const bench = openWorkbench();
    bench.provider.edit('a', '1');
    await bench.release(7, 'one', chain);
    const run = await bench.close(7, 'one');
    expect(bench.provider.names()).toEqual(['a=1']);
    expect((await bench.report(run.id)).kept).toEqual(['thing a (it was there before)']);
    expect(disagreements(bench, ['a'])).toEqual([]);
  });

  test('leaves what was deleted and made again outside, under another id (R0.20)', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', chain);
    bench.provider.remove('c');
    bench.provider.edit('c', 'made again');
    const run = await bench.close(7, 'one');
    expect(run.outcome).toBe('complete');
    expect((await bench.report(run.id)).kept).toEqual(['thing c (made again outside)']);
    expect(bench.provider.names()).toEqual(['c=made again']);
    expect(disagreements(bench, ['c'])).toEqual([]);
  });

  test('leaves what was moved to another place by hand, names it, and forgets it (I7)', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', chain);
    bench.provider.rename('c', 'elsewhere');
    const run = await bench.close(7, 'one');
    expect(run.outcome).toBe('complete');
    expect((await bench.report(run.id)).kept).toEqual(['thing c (moved outside)']);
    expect(bench.provider.names().map((name) => name.split('=')[0])).toEqual(['elsewhere']);
    expect(disagreements(bench, ['elsewhere'])).toEqual([]);
  });

  test('deletes what was edited outside all the same, and says which (R0.15, R0.16, R0.18)', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', chain);
    bench.provider.edit('b', 'edited by hand');
    const run = await bench.close(7, 'one');
    expect(bench.provider.names()).toEqual([]);
    expect((await bench.report(run.id)).lines.find((line) => line.id === 'b')?.notes).toMatchObject({ changedOutside: 'thing b' });
  });

  test('of what is already gone is done', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', chain);
    bench.provider.remove('b');
    expect((await bench.close(7, 'one')).outcome).toBe('complete');
    expect(disagreements(bench)).toEqual([]);
  });

  test('that cannot delete one thing keeps what that stands on, fails, keeps its tombstone, and is tried again (P4)', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', chain);
    bench.provider.faults.fail((call) => call.method === 'DELETE' && call.name === 'b', refused, 2);
    const run = await bench.close(7, 'one');
    expect(run).toMatchObject({ outcome: 'failed' });
    expect(await bench.statuses(run.id)).toMatchObject({ c: 'destroyed', b: 'destroy_failed', a: 'skipped' });
    expect(bench.provider.names().map((name) => name[0])).toEqual(['a', 'b']);
    expect(await readHead(bench.memory.table, scopeOf(7))).toHaveProperty('tombstone');
    expect(disagreements(bench)).toEqual([]);
    await bench.sweep(14);
    expect((await bench.run(run.id)).round).toBe(1);
    await bench.sweep(2);
    expect(await bench.run(run.id)).toMatchObject({ round: 2, outcome: 'failed' });
    await bench.sweep(31);
    expect(await bench.run(run.id)).toMatchObject({ round: 3, outcome: 'complete' });
    expect(bench.provider.names()).toEqual([]);
    expect(disagreements(bench)).toEqual([]);
  });

  test('takes what a failed run left, orphans among it (R0.6, R0.21)', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', chain);
    await bench.release(7, 'two', chain.slice(0, 1));
    expect(bench.provider.names()).toHaveLength(3);
    expect((await bench.close(7, 'two')).outcome).toBe('complete');
    expect(bench.provider.names()).toEqual([]);
    expect(disagreements(bench)).toEqual([]);
  });

  test('ends although plans of different commits let lines need each other in a circle (I11)', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', [
      { id: 'a', things: { a: '1' }, depends_on: ['b'] },
      { id: 'b', things: { b: '1' } },
    ]);
    await bench.release(7, 'two', [
      { id: 'a', things: { a: '1' } },
      { id: 'b', things: { b: '2' }, depends_on: ['a'] },
    ]);
    expect((await bench.close(7, 'two')).outcome).toBe('complete');
    expect(deleted(bench)).toEqual(['b', 'a']);
  });

  test('of a scope that never was is complete and touches nothing', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', chain);
    const id = await bench.command({ commit: 'one', intent: 'destroy' });
    await bench.quiet();
    expect(await bench.run(id)).toMatchObject({ outcome: 'complete' });
    expect(bench.provider.calls).toEqual([]);
  });

  test('started twice is one: the second finds nothing left', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', chain);
    await bench.close(7, 'one');
    expect((await bench.close(7, 'one')).outcome).toBe('complete');
    expect(deleted(bench)).toEqual(['c', 'b', 'a']);
  });
});

describe('when a plan moves to another place of the same provider', () => {
  test('what lies in the old place is not forgotten: a destroy removes both (I8, R1.74)', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', [{ id: 'a', things: { x: '1' } }]);
    await bench.release(7, 'two', [{ id: 'a', things: { x: '1' } }], { providers: { example: { place: 'there' } } });
    expect(bench.provider.names()).toEqual(['there/x=1', 'x=1']);
    await bench.close(7, 'two');
    expect(bench.provider.names()).toEqual([]);
    expect(disagreements(bench)).toEqual([]);
  });
});
