import { describe, expect, test } from 'vitest';
import { openWorkbench, type Workbench } from '../../test/ports/workbench.ts';
import type { Run } from '../run/items.ts';
import { effectOn, onMain, released, type ShownBox, showRow, tellOf, tickAs, ticks } from './on-a-dashboard.fixture.ts';

const plan = [
  { id: 'a', things: { x: '1' } },
  { id: 'b', things: { y: '2' } },
];

/** Released, then `x` edited by hand, and a commit that wants another `y`. */
async function drifted(more: object = {}): Promise<{ readonly bench: Workbench; readonly boxes: Readonly<Record<'apply' | 'repair', ShownBox>> }> {
  const bench = openWorkbench('deployed');
  onMain(bench, 'one', plan, { events: { push: ['preview'] }, ...more });
  await released(bench, 'one');
  bench.clock.advance(60_000);
  bench.provider.edit('x', 'by hand');
  onMain(bench, 'two', [plan[0] as object, { id: 'b', things: { y: '3' } }], { events: { push: ['preview'] }, ...more });
  const boxes = await showRow(bench, {
    drift: [{ id: 'a', effects: [effectOn('x', '1', 'by hand')] }],
    pending: [{ id: 'b', effects: [effectOn('y', '3', '2')] }],
  });
  return { bench, boxes };
}

async function runOf(bench: Workbench, sk: string): Promise<Run> {
  return bench.run((await tickAs(bench, sk)).started ?? 'none');
}

describe('a tick in an environment that nobody protects (I7)', () => {
  test('repairs what drifted and leaves what is pending (R2.24, R2.25)', async () => {
    const { bench, boxes } = await drifted();
    const sk = await ticks(bench, boxes.repair);
    await bench.quiet();
    expect(bench.provider.names()).toEqual(['x=1', 'y=2']);
    const run = await runOf(bench, sk);
    expect(run).toMatchObject({ phase: 'done', outcome: 'complete' });
    expect(await bench.report(run.id)).toMatchObject({ ticked: { box: 'repair', by: 'kim', digest: boxes.repair.digest }, lines: [{ id: 'a' }] });
    expect(await tickAs(bench, sk)).toMatchObject({ state: 'done' });
  });

  test('applies what is pending and leaves what drifted', async () => {
    const { bench, boxes } = await drifted();
    const sk = await ticks(bench, boxes.apply);
    await bench.quiet();
    expect(bench.provider.names()).toEqual(['x=by hand', 'y=3']);
    expect(await runOf(bench, sk)).toMatchObject({ outcome: 'complete' });
  });

  test('drift that went away before is a success with nothing to do, which says so (R2.23)', async () => {
    const { bench, boxes } = await drifted();
    bench.provider.edit('x', '1');
    const sk = await ticks(bench, boxes.repair);
    await bench.quiet();
    const run = await runOf(bench, sk);
    expect(run).toMatchObject({ outcome: 'complete' });
    expect((await bench.report(run.id)).warnings).toMatchObject([{ code: 'DRIFT_GONE' }]);
    expect((await tickAs(bench, sk)).say).toContain('DRIFT_GONE');
    expect(bench.provider.names()).toEqual(['x=1', 'y=2']);
  });

  test('drift that moved since is left as it is, and whoever ticked is told (R2.21, R2.20, I12)', async () => {
    const { bench, boxes } = await drifted();
    bench.provider.edit('x', 'by somebody else');
    const sk = await ticks(bench, boxes.repair);
    await bench.quiet();
    expect(await runOf(bench, sk)).toMatchObject({ outcome: 'stale', problem: { code: 'TICK_STALE' } });
    expect(bench.provider.names()).toEqual(['x=by somebody else', 'y=2']);
    expect(await tickAs(bench, sk)).toMatchObject({ state: 'refused', say: expect.stringContaining('TICK_STALE') });
  });

  test('told of twice it starts one run (I10)', async () => {
    const { bench, boxes } = await drifted();
    const sk = await ticks(bench, boxes.repair);
    await tellOf(bench, sk);
    await bench.quiet();
    const writes = bench.provider.names();
    const { started } = await tickAs(bench, sk);
    await tellOf(bench, sk);
    await bench.quiet();
    expect((await tickAs(bench, sk)).started).toBe(started);
    expect(bench.provider.names()).toEqual(writes);
  });

  test.each([
    ['a reader', { login: 'sam' }, 'NOT_AN_APPROVER'],
    ['an app', { login: 'helper[bot]', type: 'Bot' }, 'APPROVER_NOT_A_PERSON'],
    ['somebody GitHub does not know', { login: 'nobody' }, 'NOT_AN_APPROVER'],
  ])('by %s starts nothing', async (_who, by, code) => {
    const { bench, boxes } = await drifted();
    const sk = await ticks(bench, boxes.repair, by);
    await bench.quiet();
    expect(await tickAs(bench, sk)).toMatchObject({ state: 'refused', say: expect.stringContaining(code) });
    expect((await tickAs(bench, sk)).started).toBeUndefined();
    expect(bench.provider.names()).toEqual(['x=by hand', 'y=2']);
  });

  test('of a box that the row does not show, whatever its marker says, starts nothing', async () => {
    const { bench, boxes } = await drifted();
    for (const tampered of [{ digest: boxes.apply.digest }, { run: 'another' }, { environment: 'production' }]) {
      const sk = await ticks(bench, { ...boxes.repair, ...tampered });
      await bench.quiet();
      expect(await tickAs(bench, sk)).toMatchObject({ state: 'refused', say: expect.stringContaining('TICK_STALE') });
    }
    expect(bench.provider.names()).toEqual(['x=by hand', 'y=2']);
  });

  test('that nobody saw to within the hour has run out', async () => {
    const { bench, boxes } = await drifted();
    const sk = await ticks(bench, boxes.repair);
    bench.clock.advance(3_600_000);
    await bench.quiet();
    expect(await tickAs(bench, sk)).toMatchObject({ state: 'expired', say: expect.stringContaining('EXPIRED') });
  });
});
