import { describe, expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { answer, askedRun, atMachine, knowPeople, putPolicy, throughAws, wake, writeAnswer } from '../../test/ports/people.ts';
import { openWorkbench, scopeOf, type Workbench } from '../../test/ports/workbench.ts';
import { findPlanDocument } from '../approvals/plan-document.ts';
import { LockkeeperError } from '../errors/error.ts';
import { readHead } from '../ledger/head.ts';
import type { Run } from '../run/items.ts';

const lines = [
  { id: 'a', things: { x: '1', y: '1' } },
  { id: 'b', things: { z: '1' }, depends_on: ['a'] },
];
const inProduction = { commit: 'one', environment: 'production', scope: 'main', options: { busy: 'wait' as const } };

/** Production with x, y and z, released as somebody approved. */
async function released(stack: 'embedded' | 'deployed' = 'embedded'): Promise<Workbench> {
  const bench = openWorkbench(stack);
  if (stack === 'deployed') knowPeople(bench, ['kim', 'ada'], ['kim', 'ada']);
  const person = stack === 'deployed' ? throughAws('kim') : atMachine;
  expect((await answer(bench, await askedRun(bench, lines), 'approve', person)).outcome).toBe('complete');
  bench.clock.advance(1000);
  return bench;
}

async function destroyed(bench: Workbench, more: object = {}): Promise<Run> {
  const id = await bench.command({ ...inProduction, intent: 'destroy', ...more });
  await bench.quiet();
  return bench.run(id);
}

const documentOf = async (bench: Workbench, { question }: Run) => (await findPlanDocument(bench.world().objects, question?.digest ?? '')).document;

describe('a removal that is asked about (P7)', () => {
  test('says in its document that it is one, and what would be deleted; an apply says nothing of the kind', async () => {
    const bench = await released();
    const asked = await destroyed(bench);
    const document = await documentOf(bench, asked);
    expect(document).toMatchObject({ kind: 'destroy', plan: { hash: '' }, state: [{ line: 'a' }, { line: 'b' }] });
    expect(document?.lines.map(({ id, effects }) => [id, effects.map(({ action, before }) => [action, before?.mac.length])])).toEqual([
      [
        'a',
        [
          ['delete', 64],
          ['delete', 64],
        ],
      ],
      ['b', [['delete', 64]]],
    ]);
    const release = await askedRun(bench, [{ id: 'a', things: { x: '2', y: '1' } }], 'two', { options: { busy: 'wait' } });
    expect(await documentOf(bench, release)).not.toHaveProperty('kind');
  });

  test('gives the lease back while people think, leaves no tombstone, and writes to no provider and no ledger line (I4)', async () => {
    const bench = await released();
    const before = bench.memory
      .items()
      .filter(({ sk }) => sk.startsWith('LEDGER#'))
      .map(({ sk, version }) => [sk, version]);
    const writes = bench.provider.writes.length;
    await destroyed(bench);
    expect(bench.provider.writes.length).toBe(writes);
    expect(
      bench.memory
        .items()
        .filter(({ sk }) => sk.startsWith('LEDGER#'))
        .map(({ sk, version }) => [sk, version]),
    ).toEqual(before);
    expect((await readHead(bench.memory.table, scopeOf('main', 'production')))?.tombstone).toBeUndefined();
    expect(bench.memory.items().find(({ sk }) => sk === 'LEASE')).toMatchObject({ released: true });
  });

  test('approved, it deletes dependents first and leaves its tombstone', async () => {
    const bench = await released();
    const run = await answer(bench, await destroyed(bench));
    expect(run).toMatchObject({ outcome: 'complete', kind: 'destroy' });
    expect(bench.provider.writes.filter(({ method }) => method === 'DELETE').map(({ name }) => name)).toEqual(['z', 'y', 'x']);
    expect((await readHead(bench.memory.table, scopeOf('main', 'production')))?.tombstone).toMatchObject({ run: run.id });
    expect((await bench.report(run.id)).decisions).toMatchObject([{ verdict: 'approve', standing: 'unverified, self' }]);
    expect(disagreements(bench)).toEqual([]);
  });

  test('is judged by who may decide, never by who asked: their own approval counts for nothing', async () => {
    const bench = await released('deployed');
    const asked = await destroyed(bench, { triggeredBy: 'kim' });
    expect(await answer(bench, asked, 'approve', throughAws('kim'))).toMatchObject({ phase: 'awaiting' });
    expect(bench.provider.names()).toEqual(['x=1', 'y=1', 'z=1']);
    expect(await answer(bench, asked, 'approve', throughAws('ada'))).toMatchObject({ outcome: 'complete' });
    expect(bench.provider.names()).toEqual([]);
  });

  test('an approval of an apply approves no removal, whatever else is alike (P7)', async () => {
    const bench = await released();
    const asked = await destroyed(bench);
    const release = await askedRun(bench, [{ id: 'a', things: { x: '2', y: '1' } }, lines[1] as object], 'two', { options: { busy: 'wait' } });
    await writeAnswer(bench, release, 'approve');
    await wake(bench, asked);
    await bench.quiet();
    expect((await bench.run(asked.id)).outcome).not.toBe('complete');
    expect(bench.provider.names()).toHaveLength(3);
  });
});

describe('what moves between the question and the delete (I7, I12)', () => {
  test('the ledger: nothing is deleted, and people are asked about what is there now', async () => {
    const bench = await released();
    const asked = await destroyed(bench);
    const line = bench.memory.items().find((item) => item.sk === 'LEDGER#b') as { pk: string };
    await bench.memory.table.write({ pk: line.pk, sk: 'LEDGER#b' }, { set: { version: 'of another run', lastRun: 'another' } }, { is: 'always' });
    const again = await answer(bench, asked);
    expect(again).toMatchObject({ phase: 'awaiting', question: { q: 2 } });
    expect((await bench.report(again.id)).stops).toMatchObject([{ step: 'guard', cause: 'state', differs: false }]);
    expect(bench.provider.names()).toEqual(['x=1', 'y=1', 'z=1']);
    expect(await answer(bench, again)).toMatchObject({ outcome: 'complete' });
  });

  test('one resource of a line: nothing of the line goes, what went before stays gone, and rejected, the rest stays managed', async () => {
    const bench = await released();
    const asked = await destroyed(bench);
    bench.provider.edit('x', 'by hand');
    const again = await answer(bench, asked);
    expect(again).toMatchObject({ phase: 'awaiting', question: { q: 2 }, round: 2 });
    expect(bench.provider.names()).toEqual(['x=by hand', 'y=1']);
    const ended = await answer(bench, again, 'reject');
    expect(ended.outcome).toBe('rejected');
    expect(await bench.report(ended.id)).toMatchObject({ status: 'rejected', managed: 2, stops: [{ step: 'a', cause: 'drift' }] });
    expect(disagreements(bench)).toEqual([]);
  });

  test('a resource between the look at its line and its own delete: it stays', async () => {
    const bench = await released();
    const asked = await destroyed(bench);
    let looks = 0;
    bench.provider.faults.before(
      ({ method }) => method === 'GET' && ++looks === 2,
      () => bench.provider.edit('z', 'by hand'),
    );
    const again = await answer(bench, asked);
    expect(again).toMatchObject({ phase: 'awaiting', question: { q: 2 } });
    expect(bench.provider.names()).toEqual(['x=1', 'y=1', 'z=by hand']);
  });

  test('a resource that is gone by then is no drift: the rest goes as approved', async () => {
    const bench = await released();
    const asked = await destroyed(bench);
    bench.provider.remove('y');
    expect(await answer(bench, asked)).toMatchObject({ outcome: 'complete', question: { q: 1 } });
    expect(bench.provider.names()).toEqual([]);
  });

  test('everything is gone by then: after a stop there is nothing left to ask, and the run is complete', async () => {
    const bench = await released();
    const asked = await destroyed(bench);
    for (const name of ['x', 'y', 'z']) bench.provider.remove(name);
    const line = bench.memory.items().find((item) => item.sk === 'LEDGER#b') as { pk: string };
    await bench.memory.table.write({ pk: line.pk, sk: 'LEDGER#b' }, { set: { version: 'of another run', lastRun: 'another' } }, { is: 'always' });
    const ended = await answer(bench, asked);
    expect(ended).toMatchObject({ outcome: 'complete' });
    expect((await bench.report(ended.id)).stops).toMatchObject([{ cause: 'state', replanned: expect.any(String) }]);
  });

  test('a delete that fails while another line moved fails the run: nobody is asked (P7)', async () => {
    const bench = openWorkbench();
    const apart = [
      { id: 'a', things: { x: '1' } },
      { id: 'b', things: { y: '1' } },
    ];
    await answer(bench, await askedRun(bench, apart));
    bench.clock.advance(1000);
    const asked = await destroyed(bench);
    bench.provider.edit('y', 'by hand');
    bench.provider.faults.fail(({ method, name }) => method === 'DELETE' && name === 'x', new LockkeeperError({ code: 'PROVIDER_INVALID', message: 'no' }), 99);
    expect(await answer(bench, asked)).toMatchObject({ outcome: 'failed' });
    expect(bench.provider.names()).toEqual(['x=1', 'y=by hand']);
  });
});

describe('questions beside each other', () => {
  const prune = async (bench: Workbench) => {
    const id = await bench.command({ ...inProduction, commit: 'two', intent: 'prune', options: { busy: 'wait', confirmed: true } });
    await bench.quiet();
    return bench.run(id);
  };

  test('a removal that somebody asked for ends no release that asks, and a later one of the same kind takes its place', async () => {
    const bench = await released();
    const release = await askedRun(bench, [{ id: 'a', things: { x: '2' } }], 'two', { options: { busy: 'wait' } });
    bench.clock.advance(1000);
    const first = await destroyed(bench, { commit: 'two' });
    expect((await bench.run(release.id)).phase).toBe('awaiting');
    bench.clock.advance(1000);
    const second = await destroyed(bench, { commit: 'two' });
    await bench.sweep(1);
    expect((await bench.run(first.id)).outcome).toBe('superseded');
    expect([(await bench.run(release.id)).phase, (await bench.run(second.id)).phase]).toEqual(['awaiting', 'awaiting']);
    expect(await answer(bench, second)).toMatchObject({ outcome: 'complete' });
    await bench.sweep(1);
    expect((await bench.run(release.id)).outcome).not.toBe('complete');
    expect(bench.provider.names()).toEqual([]);
  });

  test('a release that is approved first moves the state under a prune, which asks again about what is still an orphan', async () => {
    const bench = await released();
    expect((await answer(bench, await askedRun(bench, [{ id: 'a', things: { x: '2', y: '1' } }], 'two', { options: { busy: 'wait' } }))).outcome).toBe(
      'complete',
    );
    bench.clock.advance(1000);
    const release = await askedRun(bench, [{ id: 'a', things: { x: '3', y: '1' } }], 'three', { options: { busy: 'wait' } });
    bench.clock.advance(1000);
    const pruning = await prune(bench);
    expect(await bench.statuses(pruning.id)).toEqual({ b: 'delete' });
    expect((await answer(bench, release)).outcome).toBe('complete');
    const again = await answer(bench, pruning);
    expect(again).toMatchObject({ phase: 'awaiting', question: { q: 2 } });
    expect(await answer(bench, again)).toMatchObject({ outcome: 'complete' });
    expect(bench.provider.names()).toEqual(['x=3', 'y=1']);
  });
});

test('a policy with a mistake in it lets nobody approve a removal: the guard ends it, and nothing is deleted', async () => {
  const bench = await released();
  const asked = await destroyed(bench);
  await writeAnswer(bench, asked, 'approve');
  putPolicy(bench, '{ "version": 7 }');
  await wake(bench, asked);
  await bench.quiet();
  expect(await bench.run(asked.id)).toMatchObject({ outcome: 'failed', problem: { code: 'ENV_NOT_APPROVED' } });
  expect(bench.provider.names()).toEqual(['x=1', 'y=1', 'z=1']);
});
