import { expect, test } from 'vitest';
import { openWorkbench, type Workbench } from '../../test/ports/workbench.ts';
import { decide } from '../approvals/decision.ts';
import type { Run } from '../run/items.ts';

const changes = [
  { id: 'a', things: { x: '1' } },
  { id: 'b', things: { y: '2' }, depends_on: ['a'] },
];

/** A person's run in production, planned and parked. */
async function asked(bench: Workbench, more: object = {}): Promise<Run> {
  bench.pull(7, 'one', changes);
  const id = await bench.command({ commit: 'one', environment: 'production', scope: 'main', ...more });
  await bench.quiet();
  return bench.run(id);
}

async function answer(bench: Workbench, run: Run, verdict: 'approve' | 'reject' = 'approve'): Promise<Run> {
  const { q, digest } = run.question as NonNullable<Run['question']>;
  await decide(bench.world(), { q, digest, run: run.id }, { verdict, person: { name: 'kim', through: 'machine' }, at: '2026-01-01T00:00:00.000Z' });
  await bench.world().queues.control({ format: 1, run: run.id, group: run.repository.id });
  await bench.quiet();
  return bench.run(run.id);
}

test('a run that writes in production is planned, parks, and writes nothing', async () => {
  const bench = openWorkbench();
  const run = await asked(bench);
  expect(run).toMatchObject({ phase: 'awaiting', question: { q: 1 } });
  expect(bench.provider.names()).toEqual([]);
});

test('approved, it applies exactly what was planned', async () => {
  const bench = openWorkbench();
  const run = await answer(bench, await asked(bench));
  expect(run).toMatchObject({ phase: 'done', outcome: 'complete' });
  expect(bench.provider.names()).toEqual(['x=1', 'y=2']);
  expect(bench.states.open.size).toBe(0);
  expect((await bench.report(run.id)).decisions).toEqual([
    { verdict: 'approve', person: 'kim', standing: 'unverified, self', through: 'machine', at: '2026-01-01T00:00:00.000Z' },
  ]);
});

test('rejected, it ends and writes nothing', async () => {
  const bench = openWorkbench();
  const run = await answer(bench, await asked(bench), 'reject');
  expect(run).toMatchObject({ phase: 'done', outcome: 'rejected' });
  expect(bench.provider.names()).toEqual([]);
  expect(bench.states.open.size).toBe(0);
});

test('nobody answers: it expires', async () => {
  const bench = openWorkbench();
  const run = await asked(bench);
  await bench.sweep(25 * 60);
  expect(await bench.run(run.id)).toMatchObject({ phase: 'done', outcome: 'expired' });
});

test('a newer run’s question takes an older one’s place in the scope', async () => {
  const bench = openWorkbench();
  const first = await asked(bench);
  bench.clock.advance(1000);
  const other = await asked(bench);
  expect(other.phase).toBe('awaiting');
  expect((await bench.run(first.id)).outcome).toBe('superseded');
  expect((await answer(bench, other)).outcome).toBe('complete');
  expect(bench.states.open.size).toBe(0);
});

test('the ledger moved between plan and guard: plan.stale, planned again, asked again under a new digest (I12)', async () => {
  const bench = openWorkbench();
  await answer(bench, await asked(bench));
  bench.clock.advance(1000);
  bench.pull(7, 'two', [{ id: 'a', things: { x: '2' } }, changes[1] as object]);
  const id = await bench.command({ commit: 'two', environment: 'production', scope: 'main' });
  await bench.quiet();
  const before = await bench.run(id);
  const [line] = bench.memory.items().filter((item) => item.sk === 'LEDGER#b');
  await bench.memory.table.write(
    { pk: line?.pk as string, sk: 'LEDGER#b' },
    { set: { version: 'written by somebody else', lastRun: 'another' } },
    { is: 'always' },
  );
  const again = await answer(bench, before);
  expect(again).toMatchObject({ phase: 'awaiting', question: { q: 2 } });
  expect(again.question?.digest).not.toBe(before.question?.digest);
  expect(bench.provider.names()).toEqual(['x=1', 'y=2']);
  const done = await answer(bench, again);
  expect(done.outcome).toBe('complete');
  expect(bench.provider.names()).toEqual(['x=2', 'y=2']);
  expect((await bench.report(id)).stops).toEqual([
    { round: 1, step: 'guard', cause: 'state', approved: before.question?.digest, replanned: again.question?.digest, differs: false },
  ]);
  expect(bench.states.started.at(-1)).toBe(`${id}-1`);
});

test('an edit between approval and the line’s write stops that line; what was applied stays, and a plan that is refused asks nobody (I7)', async () => {
  const bench = openWorkbench();
  await answer(bench, await asked(bench));
  bench.clock.advance(1000);
  bench.pull(7, 'two', [
    { id: 'a', things: { x: '2' } },
    { id: 'b', things: { y: '3' }, depends_on: ['a'] },
  ]);
  const id = await bench.command({ commit: 'two', environment: 'production', scope: 'main' });
  await bench.quiet();
  bench.provider.edit('y', 'by hand');
  const again = await answer(bench, await bench.run(id));
  expect(again).toMatchObject({ phase: 'done', outcome: 'failed' });
  expect(bench.provider.names()).toEqual(['x=2', 'y=by hand']);
  expect((await bench.report(id)).stops).toMatchObject([{ step: 'b', cause: 'drift', replanned: null, differs: null }]);
});

test('what somebody makes between approval and the line’s write is not taken over without a question of its own (I7)', async () => {
  const bench = openWorkbench();
  const run = await asked(bench);
  bench.provider.edit('y', 'by hand');
  const again = await answer(bench, run);
  expect(again).toMatchObject({ phase: 'awaiting', question: { q: 2 } });
  expect(await bench.statuses(run.id)).toMatchObject({ b: 'adopt' });
  expect(bench.provider.names()).toEqual(['x=1', 'y=by hand']);
  expect((await answer(bench, again)).outcome).toBe('complete');
  expect(bench.provider.names()).toEqual(['x=1', 'y=2']);
});

test('an edit that leaves the line something else to do asks again, and shows what is left', async () => {
  const bench = openWorkbench();
  await answer(bench, await asked(bench));
  bench.clock.advance(1000);
  bench.pull(7, 'two', [
    { id: 'a', things: { x: '2' } },
    { id: 'b', things: { y: '3' }, depends_on: ['a'] },
  ]);
  const id = await bench.command({ commit: 'two', environment: 'production', scope: 'main' });
  await bench.quiet();
  bench.provider.remove('y');
  const again = await answer(bench, await bench.run(id));
  expect(again).toMatchObject({ phase: 'awaiting', question: { q: 2 }, round: 2 });
  expect(bench.provider.names()).toEqual(['x=2']);
  expect((await answer(bench, again)).outcome).toBe('complete');
  expect(bench.provider.names()).toEqual(['x=2', 'y=3']);
});

test('a process that ends while its run is parked loses nothing: the execution is started again', async () => {
  const bench = openWorkbench();
  const run = await asked(bench);
  bench.states.restart();
  await bench.world().queues.control({ format: 1, run: run.id, group: run.repository.id });
  await bench.quiet();
  expect((await answer(bench, await bench.run(run.id))).outcome).toBe('complete');
});

test('an approval of an old question approves nothing of the new one', async () => {
  const bench = openWorkbench();
  const first = await asked(bench);
  bench.clock.advance(1000);
  const other = await asked(bench);
  await answer(bench, first);
  expect((await bench.run(other.id)).phase).toBe('awaiting');
  expect(bench.provider.names()).toEqual([]);
});
