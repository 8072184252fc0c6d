import { describe, expect, test } from 'vitest';
import { comesFrom, deliverUntil, holdBack } from '../../test/ports/deliver-until.ts';
import type { Queued } from '../../test/ports/memory-queues.ts';
import { answer, askedRun, wake, writeAnswer } from '../../test/ports/people.ts';
import { commitOf, openWorkbench, scopeOf, type Workbench } from '../../test/ports/workbench.ts';
import { grantLease, releaseLease } from '../lease/lease.ts';
import type { Run } from '../run/items.ts';
import { recordStale } from './stale.ts';

const lines = [
  { id: 'a', things: { x: '1' } },
  { id: 'b', things: { y: '2' }, depends_on: ['a'] },
];
const newer = [{ id: 'a', things: { x: '9' } }];
const scope = scopeOf('main', 'production');

const openQuestions = (bench: Workbench): unknown[] =>
  bench.memory
    .items()
    .filter((item) => item.sk.startsWith('QUESTION#') && item['state'] === 'open')
    .map((item) => item['run']);

/** A run in production of this commit, not delivered yet. */
async function started(bench: Workbench, commit: string, changes: readonly object[], more: object = {}): Promise<string> {
  bench.pull(7, commit, changes);
  return bench.command({ commit, environment: 'production', scope: 'main', ...more });
}

/** A run of another process holds the scope until the returned function gives it back. */
async function holdScope(bench: Workbench): Promise<() => Promise<unknown>> {
  await grantLease(bench.world({ leaseTtl: 900_000 }), scope, 'another');
  return () => releaseLease(bench.world(), scope, 'another');
}

describe('one question is open in a scope, the newest run’s', () => {
  test('an older run that has planned only after a newer one asked is superseded without asking', async () => {
    const bench = openWorkbench();
    const older = await started(bench, 'one', lines);
    await deliverUntil(bench, async () => (await bench.run(older)).phase === 'planning');
    const held = holdBack(bench);
    bench.clock.advance(1000);
    const younger = await askedRun(bench, newer, 'two');
    for (const message of held) await bench.deliver(message);
    await bench.quiet();
    expect(await bench.run(older)).toMatchObject({
      phase: 'done',
      outcome: 'superseded',
      problem: { code: 'SUPERSEDED', message: `Run ${younger.id} took its place.` },
    });
    expect(openQuestions(bench)).toEqual([younger.id]);
    expect([...bench.states.open.keys()]).toEqual([younger.execution]);
    expect((await answer(bench, younger)).outcome).toBe('complete');
    expect(bench.provider.names()).toEqual(['x=9']);
  });

  test('two that ask at once see each other: one of them stays, whichever is slower', async () => {
    for (const slow of [0, 1]) {
      const bench = openWorkbench();
      const ids = [await started(bench, 'one', newer)];
      bench.clock.advance(1000);
      ids.push(await started(bench, 'two', newer));
      const [late, other] = [ids[slow], ids[1 - slow]] as [string, string];
      // The slow one is held right where it takes its place.
      let done = false;
      const { write } = bench.memory.table;
      Object.assign(bench.memory.table, {
        write: async (...given: Parameters<typeof write>) => {
          const [key, change] = given;
          if (!done && key.sk === 'HEAD' && 'add' in change && change.add?.['openRuns']?.includes(late)) {
            done = true;
            await deliverUntil(bench, async () => (await bench.run(other)).phase === 'awaiting' && openQuestions(bench).includes(other));
          }
          return write(...given);
        },
      });
      await bench.quiet();
      expect(done).toBe(true);
      expect((await bench.run(ids[0] as string)).outcome).toBe('superseded');
      expect(openQuestions(bench)).toEqual([ids[1]]);
      // Where the older one is the slower, nobody was ever asked about it.
      expect(bench.memory.items().filter((item) => item.sk.startsWith(`QUESTION#${ids[0]}`)).length).toBe(slow);
    }
  });

  test('a run whose guard waits for the lease leaves the newer question, and what it applies is a moved state for that one', async () => {
    const bench = openWorkbench();
    const older = await askedRun(bench, lines, 'one', { options: { busy: 'wait' } });
    const giveBack = await holdScope(bench);
    await writeAnswer(bench, older, 'approve');
    await wake(bench, older);
    await deliverUntil(bench, async () => (await bench.run(older.id)).phase === 'guarding');
    bench.clock.advance(1000);
    const younger = await started(bench, 'two', newer);
    await deliverUntil(bench, async () => (await bench.run(younger)).phase === 'awaiting');
    await giveBack();
    await bench.quiet();
    expect((await bench.run(older.id)).outcome).toBe('complete');
    expect(await bench.run(younger)).toMatchObject({ phase: 'awaiting', question: { q: 1 } });
    const again = await answer(bench, await bench.run(younger));
    expect(again).toMatchObject({ phase: 'awaiting', question: { q: 2 } });
    expect(openQuestions(bench)).toEqual([younger]);
    expect((await answer(bench, again)).outcome).toBe('complete');
  });

  test('a run sent back to its question by the guard gives way to a newer one that asked meanwhile', async () => {
    const bench = openWorkbench();
    const older = await askedRun(bench, lines, 'one', { options: { busy: 'wait' } });
    const giveBack = await holdScope(bench);
    await writeAnswer(bench, older, 'approve');
    await wake(bench, older);
    await deliverUntil(bench, async () => (await bench.run(older.id)).phase === 'guarding');
    bench.clock.advance(1000);
    const younger = await started(bench, 'two', newer);
    await deliverUntil(bench, async () => (await bench.run(younger)).phase === 'awaiting');
    const decision = bench.memory.items().find((item) => item.sk.startsWith(`DECISION#${older.id}`)) as { pk: string; sk: string };
    await bench.memory.table.write(decision, { delete: true }, { is: 'always' });
    await giveBack();
    await bench.quiet();
    expect(await bench.run(older.id)).toMatchObject({ phase: 'done', outcome: 'superseded' });
    expect(openQuestions(bench)).toEqual([younger]);
    expect(bench.states.open.size).toBe(1);
  });

  test('nobody is asked about a commit that has stopped being the tip while it was planned (P6)', async () => {
    const bench = openWorkbench();
    const id = await bench.push('one', lines);
    await deliverUntil(bench, async () => (await bench.memory.table.get({ pk: `RUN#${id}`, sk: 'META' }))?.['phase'] === 'planning');
    bench.code.tips.set('main', commitOf('two'));
    await bench.quiet();
    expect(await bench.run(id)).toMatchObject({ phase: 'done', outcome: 'superseded' });
    expect([openQuestions(bench), bench.states.started]).toEqual([[], []]);
  });

  test('nor about a pull request that was closed while it was planned', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', [{ id: 'a', things: { x: '1' }, environment: 'production' }]);
    const id = await bench.event('opened', 7, 'one');
    await deliverUntil(bench, async () => (await bench.memory.table.get({ pk: `RUN#${id}`, sk: 'META' }))?.['phase'] === 'planning');
    const pull = bench.code.pulls.get(7);
    if (pull) bench.code.pulls.set(7, { ...pull, open: false });
    await bench.quiet();
    expect(await bench.run(id)).toMatchObject({ phase: 'done', outcome: 'superseded' });
    expect([openQuestions(bench), bench.states.started]).toEqual([[], []]);
  });
});

describe('a run that is to stop', () => {
  /** Approved, its guard's message taken out of the queue, and a newer run's stop written. */
  async function stopped(bench: Workbench): Promise<{ run: Run; guard: Queued }> {
    await answer(bench, await askedRun(bench, lines, 'zero'));
    bench.clock.advance(1000);
    const run = await askedRun(bench, [{ id: 'a', things: { x: '2' } }, lines[1] as object], 'one');
    await writeAnswer(bench, run, 'approve');
    await wake(bench, run);
    await deliverUntil(bench, (next) => comesFrom(next, 'guard'));
    const guard = bench.queues.takeAt(0) as Queued;
    bench.clock.advance(1000);
    const id = await started(bench, 'two', newer);
    await deliverUntil(bench, async () => (await bench.run(run.id)).stopping !== undefined);
    expect((await bench.run(id)).phase).toBe('awaiting');
    return { run, guard };
  }

  test('ends superseded although its guard is on the way, and is not planned again: no swap clears the stop (P1, I12)', async () => {
    for (const moves of [false, true]) {
      const bench = openWorkbench();
      const { run, guard } = await stopped(bench);
      if (moves) await moveState(bench);
      await bench.deliver(guard);
      await bench.quiet();
      expect(await bench.run(run.id)).toMatchObject({ phase: 'done', outcome: 'superseded', round: 1 });
      expect((await bench.report(run.id)).problem?.message).toMatch(/took its place/);
      expect(bench.provider.names()).toEqual(['x=1', 'y=2']);
      expect(bench.states.open.size).toBe(1);
    }
  });

  test.each([
    ['guarding', 'as it was'],
    ['applying', 'as it was'],
    ['applying', 'moved'],
  ] as const)('ends superseded where the stop stands when it is %s and the world is %s', async (phase, world) => {
    const bench = openWorkbench();
    await answer(bench, await askedRun(bench, lines, 'zero'));
    bench.clock.advance(1000);
    const run = await askedRun(bench, [{ id: 'a', things: { x: '2' } }, lines[1] as object], 'one', { options: { busy: 'wait' } });
    const giveBack = phase === 'guarding' ? await holdScope(bench) : undefined;
    if (giveBack) await moveState(bench);
    await writeAnswer(bench, run, 'approve');
    await wake(bench, run);
    await deliverUntil(bench, async () => (await bench.run(run.id)).phase === phase);
    await bench.memory.table.write(
      { pk: `RUN#${run.id}`, sk: 'META' },
      { set: { stopping: { cause: 'superseded', round: 1 }, version: 'stopped' } },
      { is: 'always' },
    );
    if (world === 'moved') await recordStale(bench.world(), run, 'b', 'drift');
    await giveBack?.();
    await bench.quiet();
    await bench.sweep();
    expect(await bench.run(run.id)).toMatchObject({ phase: 'done', outcome: 'superseded', round: 1 });
    expect(bench.provider.names()).toEqual(['x=1', 'y=2']);
    expect(bench.states.open.size).toBe(0);
    expect(openQuestions(bench)).toEqual([]);
  });

  test('is not taken past a stop that is written while the step at its question is at work', async () => {
    const bench = openWorkbench();
    const older = await askedRun(bench, lines);
    await writeAnswer(bench, older, 'approve');
    await wake(bench, older);
    await deliverUntil(bench, (next) => comesFrom(next, 'guard'));
    const guard = bench.queues.takeAt(0) as Queued;
    bench.clock.advance(1000);
    const id = await started(bench, 'two', newer);
    const { write } = bench.memory.table;
    let done = false;
    Object.assign(bench.memory.table, {
      write: async (...given: Parameters<typeof write>) => {
        const [key, change] = given;
        if (!done && key.pk === `RUN#${older.id}` && 'set' in change && change.set?.['phase'] === 'guarding') {
          done = true;
          await deliverUntil(bench, async () => (await bench.run(older.id)).stopping !== undefined);
        }
        return write(...given);
      },
    });
    await bench.deliver(guard);
    await bench.quiet();
    expect(done).toBe(true);
    expect((await bench.run(older.id)).outcome).toBe('superseded');
    expect(await bench.statuses(older.id)).toEqual({ a: 'create', b: 'create' }); // its lines were never begun, to be skipped
    expect(bench.provider.names()).toEqual([]);
    expect((await bench.run(id)).phase).toBe('awaiting');
  });

  test('that has begun to apply when the stop comes goes first', async () => {
    const bench = openWorkbench();
    const older = await askedRun(bench, lines);
    await writeAnswer(bench, older, 'approve');
    await wake(bench, older);
    await deliverUntil(bench, (next) => comesFrom(next, 'guard'));
    const guard = bench.queues.takeAt(0) as Queued;
    bench.clock.advance(1000);
    const id = await started(bench, 'two', newer);
    const { write } = bench.memory.table;
    let done = false;
    // The newer run has read the older as parked, and writes its stop when that one applies.
    Object.assign(bench.memory.table, {
      write: async (...given: Parameters<typeof write>) => {
        const [key, change] = given;
        if (!done && key.pk === `RUN#${older.id}` && 'set' in change && change.set?.['stopping']) {
          done = true;
          await bench.deliver(guard);
          expect((await bench.run(older.id)).phase).toBe('applying');
        }
        return write(...given);
      },
    });
    await bench.quiet();
    expect(done).toBe(true);
    expect([(await bench.run(older.id)).outcome, await bench.statuses(older.id)]).toEqual(['complete', { a: 'applied', b: 'applied' }]);
    expect((await bench.run(id)).phase).toBe('awaiting');
  });
});

async function moveState(bench: Workbench, line = 'b'): Promise<void> {
  const item = bench.memory.items().find((one) => one.sk === `LEDGER#${line}`);
  if (item) await bench.memory.table.write({ pk: item.pk, sk: item.sk }, { set: { version: 'moved', lastRun: 'another' } }, { is: 'always' });
}
