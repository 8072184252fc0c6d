import { describe, expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { type WriteCall, written } from '../../test/ports/memory-table.ts';
import { answer, putPolicy } from '../../test/ports/people.ts';
import { approvedRun, deployedTo, nextRun, plannedIn } from '../../test/ports/rounds.ts';
import { commitOf, openWorkbench, scopeOf, type Workbench } from '../../test/ports/workbench.ts';
import { policyPath } from '../policy/policy-file.ts';
import { leaseKey, staleKey } from '../table/keys.ts';

const rechecked = (recheck: object = { recheck: true }): Workbench => {
  const bench = openWorkbench();
  putPolicy(bench, JSON.stringify({ version: 1, environments: { production: recheck } }));
  return bench;
};

const one = [{ id: 'a', things: { x: '1' } }];
const two = [
  { id: 'a', things: { x: '2' } },
  { id: 'b', things: { y: '1' }, depends_on: ['a'] },
];

const holds = ({ change }: WriteCall): boolean => 'set' in change && (change.set?.['recheck'] as { holds?: boolean } | undefined)?.holds === true;

const announced = (bench: Workbench) => bench.logged.filter(({ level, message }) => level === 'bus' && message === 'plan.stale').map(({ fields }) => fields);

describe('with recheck', () => {
  test('nothing differs: the fresh plan is thrown away, the approved one runs, and nobody is asked again (R4.5)', async () => {
    const bench = rechecked();
    await approvedRun(bench, 'one', one);
    const asked = await nextRun(bench, 'two', two);
    const run = await answer(bench, asked);
    expect(run).toMatchObject({ phase: 'done', outcome: 'complete', question: { q: 1, digest: asked.question?.digest }, recheck: { q: 1, holds: true } });
    expect(bench.provider.names()).toEqual(['x=2', 'y=1']);
    expect((await bench.report(run.id)).stops).toBeUndefined();
    expect(bench.states.open.size).toBe(0);
    expect(disagreements(bench)).toEqual([]);
  });

  test('what it would do differs: it stops before anything is applied, the record is whole at once, and the fresh plan is what is asked about (R4.4, R4.12, R4.20)', async () => {
    const bench = rechecked();
    await approvedRun(bench, 'one', one);
    const asked = await nextRun(bench, 'two', two);
    bench.provider.remove('x');
    const writes = bench.provider.writes.length;
    const again = await answer(bench, asked);
    expect(again).toMatchObject({ phase: 'awaiting', question: { q: 2 } });
    expect(bench.provider.writes).toHaveLength(writes);
    const [stop] = (await bench.report(again.id)).stops ?? [];
    expect(stop).toEqual({
      round: 1,
      step: 'guard',
      cause: 'drift',
      approved: asked.question?.digest,
      replanned: again.question?.digest,
      differs: true,
      different: [{ line: 'a', resource: 'thing:x', what: 'changed' }],
    });
    expect(plannedIn(bench, again).lines[0]?.effects).toMatchObject([{ action: 'create' }]);
    expect(announced(bench)).toMatchObject([{ id: `${again.id}/1`, cause: 'drift', replanned: again.question?.digest, differs: true }]);
    const done = await answer(bench, again);
    expect(done.outcome).toBe('complete');
    expect(bench.provider.names()).toEqual(['x=2', 'y=1']);
    expect(bench.states.open.size).toBe(0);
    expect(disagreements(bench)).toEqual([]);
  });

  test('a stop that the bus does not take is told once it does: while its question waits, or at its end (R4.12)', async () => {
    for (const refuses of [1, 2]) {
      const bench = rechecked();
      await approvedRun(bench, 'one', one);
      const asked = await nextRun(bench, 'two', two);
      bench.provider.remove('x');
      bench.bus.refuses = refuses;
      const again = await answer(bench, asked);
      expect(again).toMatchObject({ phase: 'awaiting', question: { q: 2 } });
      if (refuses === 2) expect(announced(bench)).toEqual([]);
      await answer(bench, again, 'reject');
      await bench.sweep();
      expect(announced(bench)).toMatchObject([{ id: `${again.id}/1`, cause: 'drift', replanned: again.question?.digest, differs: true }]);
    }
  });

  test('drift that only moves values is not seen by it: the line finds it, before its first write, and what moved is named (R4.10, R4.13, R4.15, I7)', async () => {
    const bench = rechecked();
    await approvedRun(bench, 'one', one);
    bench.provider.edit('x', 'by hand');
    const asked = await nextRun(bench, 'two', two, { options: { busy: 'wait', reconcile: true } });
    bench.provider.edit('x', 'by another hand');
    const writes = bench.provider.writes.length;
    const again = await answer(bench, asked);
    expect(again).toMatchObject({ phase: 'awaiting', question: { q: 2 } });
    expect(bench.provider.writes).toHaveLength(writes);
    const { stops } = await bench.report(again.id);
    expect(stops).toMatchObject([{ step: 'a', cause: 'drift', differs: false, replanned: again.question?.digest, moved: [{ paths: ['value'] }] }]);
    expect(announced(bench)).toHaveLength(1);
    expect((await answer(bench, again)).outcome).toBe('complete');
  });

  test('a fresh plan that is refused ends the run with its error, and records no stop: it says nothing about what moved (R4.20)', async () => {
    const bench = rechecked();
    await approvedRun(bench, 'one', one);
    const asked = await nextRun(bench, 'two', two);
    bench.provider.edit('x', 'by hand');
    const writes = bench.provider.writes.length;
    const run = await answer(bench, asked);
    expect(run).toMatchObject({ phase: 'done', outcome: 'failed' });
    expect(bench.provider.writes).toHaveLength(writes);
    expect((await bench.report(run.id)).lines).toMatchObject([{ id: 'a', problem: { code: 'DRIFT_CHANGED' } }, { id: 'b' }]);
    expect((await bench.report(run.id)).stops).toBeUndefined();
    expect(announced(bench)).toEqual([]);
    expect(bench.states.open.size).toBe(0);
    expect(disagreements(bench)).toEqual([]);
  });

  test('three lines in a chain and a deployment are asked about exactly once, and rechecked once', async () => {
    const bench = rechecked();
    const chain = [
      { id: 'a', things: { x: '1' } },
      { id: 'b', things: { y: { from: 'a.url' } } },
      { id: 'c', things: { z: '3' }, depends_on: ['b'] },
    ];
    const waiting = await answer(bench, await nextRun(bench, 'one', chain));
    expect(waiting.phase).toBe('waiting');
    const run = await deployedTo(bench, waiting, 'one');
    expect(run).toMatchObject({ phase: 'done', outcome: 'complete', question: { q: 1 } });
    expect(disagreements(bench)).toEqual([]);
  });

  test('a lease that was lost under it says nothing about what it found: the guard judges everything anew', async () => {
    const bench = rechecked();
    const asked = await nextRun(bench, 'two', two);
    const lease = leaseKey(scopeOf('main', 'production'));
    const isFound = written(`RUN#${asked.id}`, 'META');
    // Right after the fresh plan was found to be the same, the lease runs out, and somebody else has it for a moment.
    bench.memory.faults.before(
      (call) => call.op === 'get' && call.key.pk === lease.pk && call.key.sk === lease.sk && bench.memory.writes.some((one) => isFound(one) && holds(one)),
      () => bench.memory.table.write(lease, { set: { fence: 99, sealedAt: 99, holder: 'another', released: true } }, { is: 'always' }),
    );
    const run = await answer(bench, asked);
    expect(run).toMatchObject({ phase: 'done', outcome: 'complete', question: { q: 1 }, round: 3, recheck: { round: 3, fence: 100 } });
    expect(bench.provider.names()).toEqual(['x=2', 'y=1']);
  });
});

describe('recheck', () => {
  test.each([
    ['off by default', {}, false],
    ['on where runs come from CI alone', { ci_only: true }, true],
    ['off where it is said, from CI alone or not', { ci_only: true, recheck: false }, false],
    ['on where it is said', { recheck: true }, true],
  ])('is %s (R4.16)', async (_, production, on) => {
    const bench = openWorkbench();
    bench.code.commit(commitOf('one'), policyPath, JSON.stringify({ version: 1, environments: { production } }));
    const id = await bench.push('one', one);
    await bench.quiet();
    const run = await answer(bench, await bench.run(id));
    expect([run.outcome, run.recheck?.holds === true]).toEqual(['complete', on]);
  });
});

describe('without recheck', () => {
  test('drift that changes what would be done is not caught by the guard: the line it belongs to finds it (R4.12)', async () => {
    const bench = openWorkbench();
    await approvedRun(bench, 'one', one);
    const asked = await nextRun(bench, 'two', [
      { id: 'b', things: { y: '1' } },
      { id: 'a', things: { x: '2' }, depends_on: ['b'] },
    ]);
    bench.provider.remove('x');
    const again = await answer(bench, asked);
    expect(again).toMatchObject({ phase: 'awaiting', question: { q: 2 } });
    expect(bench.provider.names()).toEqual(['y=1']);
    expect((await bench.report(again.id)).stops).toMatchObject([{ step: 'a', cause: 'drift', differs: true }]);
  });
});

describe('plan.stale', () => {
  test('a log that does not take it keeps everything from being applied, and the run ends with the error (R4.18, I12)', async () => {
    const bench = openWorkbench();
    await approvedRun(bench, 'one', one);
    const asked = await nextRun(bench, 'two', two);
    await movedBy(bench, 'a');
    const key = staleKey(asked.id, 1);
    bench.memory.faults.fail(written(key.pk, key.sk), new Error('the log is full'), 1000);
    const writes = bench.provider.writes.length;
    const run = await answer(bench, asked);
    expect(run).toMatchObject({ phase: 'done', outcome: 'failed' });
    expect(bench.provider.writes).toHaveLength(writes);
    expect(bench.states.open.size).toBe(0);
  });
});

async function movedBy(bench: Workbench, line: string): Promise<void> {
  const item = bench.memory.items().find(({ sk, pk }) => sk === `LEDGER#${line}` && pk.includes('production'));
  if (!item) throw new Error(`there is no line ${line}`);
  await bench.memory.table.write({ pk: item.pk, sk: item.sk }, { set: { version: 'written by somebody else', lastRun: 'another' } }, { is: 'always' });
}
