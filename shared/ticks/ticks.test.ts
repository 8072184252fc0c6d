import { describe, expect, test } from 'vitest';
import { commitOf, openWorkbench, scopeOf, type Workbench } from '../../test/ports/workbench.ts';
import { LockkeeperError } from '../errors/error.ts';
import { grantLease } from '../lease/lease.ts';
import type { Run } from '../run/items.ts';
import { retryRun } from '../run/retry.ts';
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

/** Somebody else is at work in the scope for so many minutes, and never heard of again. */
async function holdLease(bench: Workbench, minutes: number): Promise<void> {
  const granted = await grantLease(bench.world(), scopeOf('main'), 'another', { ttl: minutes * 60_000 });
  expect(granted.granted).toBe(true);
}

/** The row as a later look left it: the same difference, found by the same run. */
async function showAgain(bench: Workbench, { digest, run }: ShownBox): Promise<void> {
  const row = await bench.memory.table.get({ pk: 'DASH#7101', sk: 'ROW#main#preview' });
  expect(row?.['drift']).toMatchObject({ digest, run });
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
    // Older code would apply all of the plan: it hands the message back.
    expect(await bench.memory.table.get({ pk: `RUN#${run.id}`, sk: 'META' })).toMatchObject({ format: 4 });
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

  test('what is left out of a ticked box is named to whoever ticked, and in the receipt (R2.23)', async () => {
    const { bench } = await drifted();
    bench.provider.edit('y', 'by hand');
    const { repair } = await showRow(bench, {
      drift: [
        { id: 'a', effects: [effectOn('x', '1', 'by hand')] },
        { id: 'b', effects: [effectOn('y', '3', 'by hand')] },
      ],
    });
    bench.provider.edit('y', '3');
    const sk = await ticks(bench, repair);
    await bench.quiet();
    expect(bench.provider.names()).toEqual(['x=1', 'y=3']);
    const run = await runOf(bench, sk);
    expect(run).toMatchObject({ outcome: 'complete' });
    expect((await bench.report(run.id)).warnings).toMatchObject([
      { code: 'DRIFT_GONE', message: expect.stringMatching(/Of the 2 .* 1 was left .*thing:y.* \(line b\)/) },
    ]);
    expect((await tickAs(bench, sk)).say).toContain('line b');
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

describe('between the tick and its write', () => {
  test('whoever lost the right to push meanwhile has nothing done for them', async () => {
    const { bench, boxes } = await drifted();
    let looks = 0;
    bench.code.onAsk = (question) => {
      if (question === 'permission' && ++looks === 1) queueMicrotask(() => bench.code.people.set('kim', 'read'));
    };
    const sk = await ticks(bench, boxes.repair);
    await bench.quiet();
    expect(await runOf(bench, sk)).toMatchObject({ outcome: 'failed', problem: { code: 'NOT_AN_APPROVER' } });
    expect(await tickAs(bench, sk)).toMatchObject({ state: 'refused', say: expect.stringContaining('NOT_AN_APPROVER') });
    expect(bench.provider.names()).toEqual(['x=by hand', 'y=2']);
  });

  test('an edit after the plan and before the line’s write stops it (I7)', async () => {
    const { bench, boxes } = await drifted();
    let looks = 0;
    bench.code.onAsk = (question) => {
      if (question === 'permission' && ++looks === 2) bench.provider.edit('x', 'at the last moment');
    };
    const sk = await ticks(bench, boxes.repair);
    await bench.quiet();
    expect(looks).toBe(2);
    expect(await runOf(bench, sk)).toMatchObject({ outcome: 'stale', problem: { code: 'TICK_STALE' } });
    expect(bench.provider.names()).toEqual(['x=at the last moment', 'y=2']);
  });

  test('another run that holds the lease is waited for, and within the hour it is done', async () => {
    const { bench, boxes } = await drifted();
    await holdLease(bench, 30);
    const sk = await ticks(bench, boxes.repair);
    await bench.quiet();
    expect(await runOf(bench, sk)).toMatchObject({ outcome: 'complete' });
    expect(bench.provider.names()).toEqual(['x=1', 'y=2']);
  });

  test('a lease that is held for longer than that lets it run out', async () => {
    const { bench, boxes } = await drifted();
    await holdLease(bench, 90);
    const sk = await ticks(bench, boxes.repair);
    await bench.quiet();
    expect(await runOf(bench, sk)).toMatchObject({ outcome: 'expired' });
    expect(await tickAs(bench, sk)).toMatchObject({ state: 'expired', say: expect.stringContaining('EXPIRED') });
    expect(bench.provider.names()).toEqual(['x=by hand', 'y=2']);
  });

  test('a newer commit takes its place, and whoever ticked is told', async () => {
    const { bench, boxes } = await drifted();
    let looks = 0;
    bench.code.onAsk = (question) => {
      if (question === 'permission' && ++looks === 1) bench.code.tips.set('main', commitOf('three'));
    };
    const sk = await ticks(bench, boxes.repair);
    await bench.quiet();
    expect(await runOf(bench, sk)).toMatchObject({ outcome: 'superseded' });
    expect(await tickAs(bench, sk)).toMatchObject({ state: 'refused', say: expect.stringContaining('SUPERSEDED') });
    expect(bench.provider.names()).toEqual(['x=by hand', 'y=2']);
  });
});

describe('a host that does not answer', () => {
  test('keeps the tick for ten minutes, and then a fresh one is asked for', async () => {
    const { bench, boxes } = await drifted();
    bench.code.onAsk = () => {
      throw new LockkeeperError({ code: 'CODE_HOST', message: 'GitHub does not answer.' });
    };
    const sk = await ticks(bench, boxes.repair);
    await bench.quiet();
    for (let times = 0; times < 4 && (await tickAs(bench, sk)).state === 'asked'; times += 1) {
      bench.clock.advance(300_000);
      await tellOf(bench, sk);
      await bench.quiet();
    }
    expect(await tickAs(bench, sk)).toMatchObject({ state: 'refused', say: expect.stringContaining('TICK_UNVERIFIED') });
    expect((await tickAs(bench, sk)).started).toBeUndefined();
  });
});

test('a line that needs another’s output is repaired with what that gives, and the other is left as it is', async () => {
  const bench = openWorkbench('deployed');
  const chain = (y: string) => [
    { id: 'a', things: { x: '1', z: y } },
    { id: 'b', things: { w: { from: 'a.value' } } },
    { id: 'c', things: { v: '9' } },
  ];
  onMain(bench, 'one', chain('2'));
  await released(bench, 'one');
  bench.provider.edit('w', 'by hand');
  bench.provider.edit('v', 'by hand');
  onMain(bench, 'two', chain('3'));
  const boxes = await showRow(bench, { drift: [{ id: 'b', effects: [effectOn('w', '1', 'by hand')] }] });
  const sk = await ticks(bench, boxes.repair);
  await bench.quiet();
  const run = await runOf(bench, sk);
  expect(run).toMatchObject({ outcome: 'complete' });
  expect(bench.provider.names().toSorted()).toEqual(['v=by hand', 'w=1', 'x=1', 'z=2']);
  expect(await bench.statuses(run.id)).toEqual({ a: 'unchanged', b: 'applied' });
  expect((await bench.report(run.id)).lines[0]?.notes).toEqual({ left: 'not ticked: thing z' });
});

test('one resource of a line is put back, and what else the line would do is left', async () => {
  const bench = openWorkbench('deployed');
  onMain(bench, 'one', [{ id: 'a', things: { x: '1', y: '2' } }]);
  await released(bench, 'one');
  bench.provider.edit('x', 'by hand');
  onMain(bench, 'two', [{ id: 'a', things: { x: '1', y: '3', z: '4' } }]);
  const boxes = await showRow(bench, { drift: [{ id: 'a', effects: [effectOn('x', '1', 'by hand')] }] });
  const sk = await ticks(bench, boxes.repair);
  await bench.quiet();
  expect(await runOf(bench, sk)).toMatchObject({ outcome: 'complete' });
  expect(bench.provider.names().toSorted()).toEqual(['x=1', 'y=2']);
});

test('a check that fails ends the run as a failure, and whoever ticked is told what failed (R2.22)', async () => {
  const { bench, boxes } = await drifted();
  bench.provider.faults.fail(({ method }) => method === 'GET', new LockkeeperError({ code: 'PROVIDER_INVALID', message: 'no' }), 99);
  const sk = await ticks(bench, boxes.repair);
  await bench.quiet();
  expect(await runOf(bench, sk)).toMatchObject({ outcome: 'failed' });
  expect(await tickAs(bench, sk)).toMatchObject({ state: 'refused', say: expect.stringMatching(/PROVIDER_INVALID.*Line a: no/) });
  expect(bench.provider.names()).toEqual(['x=by hand', 'y=2']);
});

test('a box is ticked again after its run has ended, and that is another run', async () => {
  const { bench, boxes } = await drifted();
  bench.provider.edit('x', 'by somebody else');
  const first = await ticks(bench, boxes.repair);
  await bench.quiet();
  bench.provider.edit('x', 'by hand');
  await showAgain(bench, boxes.repair);
  const second = await ticks(bench, boxes.repair, { login: 'robin' }, { no: 1 });
  await bench.quiet();
  expect((await tickAs(bench, second)).started).not.toBe((await tickAs(bench, first)).started);
  expect(await runOf(bench, second)).toMatchObject({ outcome: 'complete', options: { ticked: { by: 'robin' } } });
  expect(bench.provider.names()).toEqual(['x=1', 'y=2']);
});

test('a line that the plan does not have any more is no business of a repair: it is marked by the next release', async () => {
  const bench = openWorkbench('deployed');
  onMain(bench, 'one', plan);
  await released(bench, 'one');
  bench.provider.edit('x', 'by hand');
  onMain(bench, 'two', [plan[0] as object]);
  const boxes = await showRow(bench, { drift: [{ id: 'a', effects: [effectOn('x', '1', 'by hand')] }] });
  const sk = await ticks(bench, boxes.repair);
  await bench.quiet();
  expect(await runOf(bench, sk)).toMatchObject({ outcome: 'complete' });
  const [gone] = bench.memory.items().filter((item) => item.sk === 'LEDGER#b');
  expect(gone?.['entries']).toMatchObject([{ label: 'thing y' }]);
  expect(JSON.stringify(gone?.['entries'])).not.toContain('orphan');
});

test('a tick while a run is not over in the row is answered with a word, and the box may be ticked again', async () => {
  const bench = openWorkbench('deployed');
  onMain(bench, 'one', [
    { id: 'a', things: { x: '1' } },
    { id: 'b', things: { w: { from: 'a.url' } } },
  ]);
  const run = await bench.command({ intent: 'follow', commit: 'one', environment: 'preview', scope: 'main', branch: 'main' });
  await bench.quiet();
  expect(await bench.run(run)).toMatchObject({ phase: 'waiting' });
  bench.provider.edit('x', 'by hand');
  const boxes = await showRow(bench, { drift: [{ id: 'a', effects: [effectOn('x', '1', 'by hand')] }] });
  const open = { run, kind: 'apply', commit: commitOf('one'), startedAt: (await bench.run(run)).startedAt, rests: 'waiting' };
  await bench.memory.table.write({ pk: 'DASH#7101', sk: 'ROW#main#preview' }, { set: { open } }, { is: 'always' });
  const sk = await ticks(bench, boxes.repair);
  await bench.quiet();
  expect(await tickAs(bench, sk)).toMatchObject({ state: 'refused', say: expect.stringContaining('RUN_NOT_OVER') });
  expect(bench.provider.names()).toEqual(['x=by hand']);
});

test('what a tick started is not retried by its run: what is shown now is ticked (P6)', async () => {
  const { bench, boxes } = await drifted();
  const sk = await ticks(bench, boxes.repair);
  await bench.quiet();
  await expect(retryRun(bench.world(), await runOf(bench, sk))).rejects.toMatchObject({ code: 'USAGE' });
});
