import { describe, expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { answer } from '../../test/ports/people.ts';
import { approvedRun, deployedTo, nextRun, plannedIn } from '../../test/ports/rounds.ts';
import { commitOf, openWorkbench, type Workbench } from '../../test/ports/workbench.ts';
import type { StoredObject } from '../ports/objects.ts';
import { outcomeOf } from '../surfaces/outcome.ts';

const site = [
  { id: 'a', things: { x: '1' } },
  { id: 'b', things: { y: { from: 'a.url' } } },
];

describe('a run that goes on after a wait', () => {
  test('is not stale for the line it renamed: what it emptied itself is its own write (I12, P7)', async () => {
    const bench = openWorkbench();
    await approvedRun(bench, 'zero', [{ id: 'old', things: { x: '1' } }]);
    const waiting = await approvedRun(bench, 'one', site);
    expect(waiting.phase).toBe('waiting');
    const run = await deployedTo(bench, waiting, 'one');
    expect(run).toMatchObject({ phase: 'done', outcome: 'complete', question: { q: 1 } });
    expect(bench.memory.items().filter((item) => item.sk === 'LEDGER#old')).toEqual([]);
    expect(disagreements(bench)).toEqual([]);
  });
});

describe('a line that finds its effects moved', () => {
  test('leaves one alone whose provider is at work on what was approved: it is finished and recorded (P7)', async () => {
    const bench = openWorkbench();
    await approvedRun(bench, 'zero', [{ id: 'b', things: { y: '1' } }]);
    const run = await nextRun(bench, 'one', [
      { id: 'a', things: { x: '1' }, busy: 4 },
      { id: 'b', things: { y: '2' } },
    ]);
    bench.provider.remove('y');
    const again = await answer(bench, run);
    expect(again).toMatchObject({ phase: 'awaiting', question: { q: 2 } });
    expect(plannedIn(bench, again).lines.map(({ id, effects }) => [id, effects.map(({ action }) => action)])).toEqual([
      ['a', ['no-op']],
      ['b', ['create']],
    ]);
    const [line] = bench.memory.items().filter((item) => item.sk === 'LEDGER#a');
    expect(line?.['entries']).toMatchObject([{ key: 'thing:x', createdBy: 'lockkeeper' }]);
    expect(bench.provider.writes.filter(({ name }) => name === 'x')).toHaveLength(1);
  });

  test('does not make its run forget what an earlier round of it wrote: the last report names it', async () => {
    const bench = openWorkbench();
    await approvedRun(bench, 'zero', [{ id: 'b', things: { y: '1' } }]);
    const run = await nextRun(bench, 'one', [
      { id: 'a', things: { x: '1' } },
      { id: 'b', things: { y: '2' }, depends_on: ['a'] },
    ]);
    bench.provider.remove('y');
    const again = await answer(bench, run);
    expect(bench.provider.names()).toEqual(['x=1']);
    const ended = await answer(bench, again);
    expect(ended).toMatchObject({ phase: 'done', outcome: 'complete' });
    const report = await bench.report(ended.id);
    expect(report.lines.map(({ id, status, earlier }) => [id, status, earlier])).toEqual([
      ['a', 'unchanged', ['thing x']],
      ['b', 'applied', undefined],
    ]);
    expect(outcomeOf(report).title).toBe('2 lines applied');
  });

  test('keeps every line from starting that has not begun (I12)', async () => {
    const bench = openWorkbench();
    await approvedRun(bench, 'zero', [{ id: 'b', things: { y: '1' } }]);
    const run = await nextRun(bench, 'one', [
      { id: 'b', things: { y: '2' } },
      { id: 'c', things: { z: '1' }, depends_on: ['b'] },
    ]);
    bench.provider.remove('y');
    await answer(bench, run);
    expect(bench.provider.find('z')).toBeUndefined();
  });

  test('beside a deployment that failed asks nobody: the failure wins (I12)', async () => {
    const bench = openWorkbench();
    await approvedRun(bench, 'zero', [{ id: 'z', things: { z: '1' } }]);
    const run = await nextRun(bench, 'one', [...site, { id: 'z', things: { z: '2' } }]);
    bench.provider.remove('z');
    bench.provider.deploy(commitOf('one'), 'failure');
    const ended = await answer(bench, run);
    expect(ended).toMatchObject({ phase: 'done', outcome: 'failed', question: { q: 1 } });
    expect(bench.states.open.size).toBe(0);
  });
});

/** Puts other bytes where a plan is stored. */
async function spoil(bench: Workbench, key: string): Promise<void> {
  const { body, etag } = (await bench.bucket.objects.get(key)) as StoredObject;
  await bench.bucket.objects.put(key, `${body} `, { ifMatch: etag });
}

describe('a stored plan that is not what its digest says', () => {
  test('ends its run at once: nothing is applied, the question is closed, the machine told, the lease given back (I7)', async () => {
    const bench = openWorkbench();
    const run = await nextRun(bench, 'one', site);
    const key = `plans/${run.question?.digest}.json`;
    await spoil(bench, key);
    const before = bench.clock.now();
    const ended = await answer(bench, run);
    expect(ended).toMatchObject({ phase: 'done', outcome: 'failed', problem: { code: 'PLAN_CORRUPT' } });
    expect(bench.clock.now() - before).toBeLessThan(5_000);
    expect(bench.provider.names()).toEqual([]);
    expect(bench.memory.items().find((item) => item.sk.startsWith('QUESTION#'))?.['state']).toBe('closed');
    expect(bench.states.open.size).toBe(0);
    expect(disagreements(bench)).toEqual([]);
  });

  test('ends a run too whose plan made anew is to be compared with it; what was applied stays', async () => {
    const bench = openWorkbench();
    await approvedRun(bench, 'zero', [{ id: 'b', things: { y: '1' } }]);
    const run = await nextRun(bench, 'one', [
      { id: 'a', things: { x: '1' } },
      { id: 'b', things: { y: '2' }, depends_on: ['a'] },
    ]);
    bench.provider.remove('y');
    const key = `plans/${run.question?.digest}.json`;
    bench.memory.faults.before(
      (call) => call.op === 'write' && call.key.sk.startsWith('STALE#'),
      () => spoil(bench, key),
    );
    const ended = await answer(bench, run);
    expect(ended).toMatchObject({ phase: 'done', outcome: 'failed', problem: { code: 'PLAN_CORRUPT' } });
    expect(bench.provider.names()).toEqual(['x=1']);
    expect(bench.states.open.size).toBe(0);
  });
});
