import { expect, test } from 'vitest';
import { commitOf, openWorkbench, type Workbench } from '../../test/ports/workbench.ts';
import { freeze } from '../freeze/freeze.ts';
import type { Run } from '../run/items.ts';
import { decidedTexts } from '../surfaces/approval.ts';
import { effectOn, onMain, released, type ShownBox, showRow, tickAs, ticks } from './on-a-dashboard.fixture.ts';

const plan = [{ id: 'a', things: { x: '1' } }];
const approvers = [{ github: 'kim' }, { github: 'robin' }, { github: 'alex' }];
const policyOf = (production: object = {}, push = ['production']) => ({ events: { push }, environments: { production: { approvers, ...production } } });

/** Released in production, then edited by hand; the row shows it. */
async function drifted(production: object = {}): Promise<{ readonly bench: Workbench; readonly box: ShownBox }> {
  const bench = openWorkbench('deployed');
  onMain(bench, 'one', plan, policyOf(production));
  for (const login of ['kim', 'robin', 'alex']) bench.code.people.set(login, 'write');
  bench.code.authors.set(commitOf('one'), ['alex']);
  await released(bench, 'one', 'production');
  const [first] = bench.memory.items().filter(({ sk, phase }) => sk === 'META' && phase === 'awaiting');
  const { decide } = await import('../approvals/decision.ts');
  const run = await bench.run(String(first?.['id']));
  const { q, digest } = run.question as NonNullable<Run['question']>;
  for (const name of ['kim', 'robin'])
    await decide(
      { table: bench.memory.table, ids: bench.world().ids },
      { q, digest, run: run.id },
      { verdict: 'approve', person: { name, through: 'github' }, at: new Date(bench.clock.now()).toISOString() },
    );
  await bench.sweep();
  expect(bench.provider.names()).toEqual(['x=1']);
  bench.provider.edit('x', 'by hand');
  const boxes = await showRow(bench, { drift: [{ id: 'a', effects: [effectOn('x', '1', 'by hand')] }] }, 'production');
  return { bench, box: boxes.repair };
}

const runOf = async (bench: Workbench, sk: string): Promise<Run> => bench.run((await tickAs(bench, sk)).started ?? 'none');

test('an approver’s tick is an approval of the run that it starts, and its receipt says so (I7)', async () => {
  const { bench, box } = await drifted();
  const sk = await ticks(bench, box);
  await bench.quiet();
  const run = await runOf(bench, sk);
  expect(run).toMatchObject({ outcome: 'complete', gated: true });
  expect(bench.provider.names()).toEqual(['x=1']);
  expect(await bench.report(run.id)).toMatchObject({
    decisions: [{ verdict: 'approve', person: 'kim', through: 'tick', standing: 'verified' }],
    ticked: { box: 'repair', by: 'kim' },
  });
});

test('the tick of one of two approvers waits for the other’s, who ticks the same box again', async () => {
  const { bench, box } = await drifted({ required: 2 });
  const first = await ticks(bench, box);
  await bench.quiet();
  expect(await tickAs(bench, first)).toMatchObject({ state: 'done' });
  expect(await runOf(bench, first)).toMatchObject({ phase: 'awaiting', approvals: { by: ['kim'], required: 2 } });
  expect(bench.provider.names()).toEqual(['x=by hand']);
  const second = await ticks(bench, box, { login: 'robin' }, { no: 1 });
  await bench.quiet();
  expect((await tickAs(bench, second)).started).toBe((await tickAs(bench, first)).started);
  expect(await runOf(bench, second)).toMatchObject({ outcome: 'complete' });
  expect(bench.provider.names()).toEqual(['x=1']);
});

test('one person’s two ticks are one approval', async () => {
  const { bench, box } = await drifted({ required: 2 });
  await ticks(bench, box);
  await bench.quiet();
  const second = await ticks(bench, box, { login: 'Kim' }, { no: 1 });
  await bench.quiet();
  expect(await runOf(bench, second)).toMatchObject({ phase: 'awaiting' });
  expect(bench.provider.names()).toEqual(['x=by hand']);
});

test.each([
  ['somebody who is no approver', 'sam'],
  ['whoever wrote the commit', 'alex'],
])('the tick of %s starts nothing', async (_who, login) => {
  const { bench, box } = await drifted();
  const sk = await ticks(bench, box, { login });
  await bench.quiet();
  expect(await tickAs(bench, sk)).toMatchObject({ state: 'refused', say: expect.stringContaining('NOT_AN_APPROVER') });
  expect(bench.provider.names()).toEqual(['x=by hand']);
});

test('a freeze refuses a tick, and says until when', async () => {
  const { bench, box } = await drifted();
  const now = new Date(bench.clock.now()).toISOString();
  await freeze(bench.world(), '7101', 'production', { by: { name: 'ada', through: 'aws' }, start: 'freeze', at: now }, '2h', 'year end');
  const sk = await ticks(bench, box);
  await bench.quiet();
  expect(await tickAs(bench, sk)).toMatchObject({ state: 'refused', say: expect.stringContaining('is frozen until') });
  expect(bench.provider.names()).toEqual(['x=by hand']);
});

test('a tick of what a run asks about is an answer to that run, and starts none', async () => {
  const { bench } = await drifted();
  bench.provider.edit('x', '1');
  bench.clock.advance(60_000);
  onMain(bench, 'two', [{ id: 'a', things: { x: '2' } }], policyOf());
  for (const login of ['kim', 'robin', 'alex']) bench.code.people.set(login, 'write');
  const id = await bench.command({ intent: 'follow', commit: 'two', environment: 'production', scope: 'main', branch: 'main' });
  await bench.quiet();
  const boxes = await showRow(bench, { pending: [{ id: 'a', effects: [effectOn('x', '2', '1')] }] }, 'production');
  const key = { pk: 'DASH#7101', sk: 'ROW#main#production' };
  const open = { run: id, kind: 'apply', commit: commitOf('two'), startedAt: (await bench.run(id)).startedAt, rests: 'asking' };
  await bench.memory.table.write(key, { set: { open } }, { is: 'always' });
  const sk = await ticks(bench, boxes.apply);
  await bench.quiet();
  expect(await tickAs(bench, sk)).toMatchObject({ state: 'done', started: id });
  expect(await bench.run(id)).toMatchObject({ outcome: 'complete' });
  expect(bench.provider.names()).toEqual(['x=2']);
  expect((await bench.report(id)).decisions).toMatchObject([{ person: 'kim', through: 'tick' }]);
});

test('what moved before the second approval asks nobody any more, and is not written (I12)', async () => {
  const { bench, box } = await drifted({ required: 2 });
  const first = await ticks(bench, box);
  await bench.quiet();
  bench.provider.edit('x', 'by somebody else');
  await ticks(bench, box, { login: 'robin' }, { no: 1 });
  await bench.quiet();
  expect(await runOf(bench, first)).toMatchObject({ outcome: 'stale', problem: { code: 'TICK_STALE' } });
  expect(bench.provider.names()).toEqual(['x=by somebody else']);
});

test('receipt, terminal and check say whose tick it was, beside who decided', () => {
  const at = '2026-01-05T10:00:00.000Z';
  const ticked = { box: 'repair', digest: 'a'.repeat(64), by: 'kim', at } as const;
  const decisions = [{ verdict: 'approve', person: 'kim', standing: 'verified', through: 'tick', at }] as const;
  expect(decidedTexts({ ticked, decisions, question: { digest: 'b'.repeat(64), expiresAt: at } })).toEqual([
    'kim ticked Repair (aaaaaaaaaaaa) on the dashboard at 2026-01-05 10:00 UTC',
    'kim approved plan bbbbbbbbbbbb at 2026-01-05 10:00 UTC',
  ]);
});

test('a repair ends no release that asks; what it moved is asked about anew', async () => {
  const { bench } = await drifted();
  bench.clock.advance(60_000);
  onMain(bench, 'two', [plan[0] as object, { id: 'b', things: { y: '2' } }], policyOf());
  bench.code.people.set('alex', 'write');
  bench.provider.edit('x', '1');
  const release = await bench.command({ intent: 'follow', commit: 'two', environment: 'production', scope: 'main', branch: 'main' });
  await bench.quiet();
  expect(await bench.run(release)).toMatchObject({ phase: 'awaiting' });
  bench.provider.edit('x', 'by hand');
  bench.clock.advance(60_000);
  const boxes = await showRow(bench, { drift: [{ id: 'a', effects: [effectOn('x', '1', 'by hand')] }] }, 'production');
  const sk = await ticks(bench, boxes.repair);
  await bench.quiet();
  expect(await runOf(bench, sk)).toMatchObject({ outcome: 'complete' });
  expect(await bench.run(release)).toMatchObject({ phase: 'awaiting' });
  expect(bench.provider.names()).toEqual(['x=1']);
});
