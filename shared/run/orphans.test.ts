import { describe, expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { openWorkbench, scopeOf, type Workbench } from '../../test/ports/workbench.ts';
import { readLedger } from '../ledger/ledger-line.ts';

const two = [
  { id: 'a', things: { x: '1', y: '1' } },
  { id: 'b', things: { z: '1' } },
];
const entries = async (bench: Workbench) =>
  (await readLedger(bench.memory.table, scopeOf(7))).flatMap((line) =>
    line.entries.map((entry) => `${line.line} ${entry.key.slice(6)}${entry.orphan ? ' orphan' : ''}`),
  );

describe('what no line wants any more', () => {
  test('stays, marked as an orphan and reported, whether its line or only its key is gone (R0.6, R0.21, R1.61)', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', two);
    const run = await bench.release(7, 'two', [{ id: 'a', things: { x: '1' } }]);
    expect(await entries(bench)).toEqual(['a x', 'a y orphan', 'b z orphan']);
    expect((await bench.report(run.id)).drift.map(({ kind, resource }) => `${kind} ${resource.key}`)).toEqual(['orphan thing:y', 'orphan thing:z']);
    expect(bench.provider.names()).toHaveLength(3);
    expect(disagreements(bench)).toEqual([]);
  });

  test('is no orphan any more when a line wants it again', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', two);
    await bench.release(7, 'two', [{ id: 'a', things: { x: '1' } }]);
    await bench.release(7, 'three', two);
    expect(await entries(bench)).toEqual(['a x', 'a y', 'b z']);
  });

  test('is forgotten, claim and all, when it was only adopted (R1.61)', async () => {
    const bench = openWorkbench();
    bench.provider.edit('z', '1');
    await bench.release(7, 'one', two);
    await bench.release(7, 'two', two.slice(0, 1));
    expect(await entries(bench)).toEqual(['a x', 'a y']);
    expect(bench.provider.find('z')).toBeDefined();
    expect(disagreements(bench, ['z'])).toEqual([]);
  });

  test('of a line that did not run is judged another time (R1.82)', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', two);
    bench.provider.edit('x', 'by hand');
    await bench.release(7, 'two', [
      { id: 'a', things: { x: '2' } },
      { id: 'b', things: {}, depends_on: ['a'] },
    ]);
    expect(await entries(bench)).toEqual(['a x', 'a y', 'b z']);
  });
});

describe('a line with a new name takes what the old one had (P4, R1.97)', () => {
  const renamed = (value = '1') => [{ id: 'new', things: { x: value } }];
  async function withOld(): Promise<Workbench> {
    const bench = openWorkbench();
    await bench.release(7, 'one', [{ id: 'old', things: { x: '1' } }]);
    return bench;
  }

  test('without a write to the provider, and without an orphan', async () => {
    const bench = await withOld();
    const writes = bench.provider.writes.length;
    const run = await bench.release(7, 'two', renamed());
    expect(await entries(bench)).toEqual(['new x']);
    expect((await bench.report(run.id)).drift).toEqual([]);
    expect(bench.provider.writes.length).toBe(writes);
    expect(disagreements(bench)).toEqual([]);
  });

  test.each(['1', '2'])('a death at any of its steps leaves one owner, and the run finishes (value %s)', async (value) => {
    for (const fate of ['before', 'after', 'lost', 'unsent'] as const) {
      for (let step = 0; ; step += 1) {
        const bench = await withOld();
        bench.pull(7, 'two', renamed(value));
        const id = await bench.event('synchronize', 7, 'two');
        const from = bench.fates.calls.length;
        bench.fates.plan(step, fate);
        await bench.quiet();
        await bench.sweep();
        await bench.sweep();
        const met = bench.fates.met();
        if (met === undefined && bench.fates.calls.length > from) break;
        if (/provider/.test(met ?? '') && (fate === 'lost' || fate === 'unsent')) continue;
        expect([step, met, (await bench.run(id)).outcome, await entries(bench)]).toEqual([step, met, 'complete', ['new x']]);
        expect(bench.provider.names()).toEqual([`x=${value}`]);
        expect(disagreements(bench)).toEqual([]);
      }
    }
  });
});
