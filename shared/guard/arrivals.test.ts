import { describe, expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import type { Queued } from '../../test/ports/memory-queues.ts';
import { answer, askedRun, atMachine, knowPeople, throughAws, wake, writeAnswer } from '../../test/ports/people.ts';
import { openWorkbench, type Workbench } from '../../test/ports/workbench.ts';
import type { Run } from '../run/items.ts';
import { releaseAndWake } from '../run/release.ts';
import { recordStale } from './stale.ts';

const one = [{ id: 'a', things: { x: '1' } }];
const two = [...one, { id: 'b', things: { y: '2' }, depends_on: ['a'] }];

/** Delivers until `stop` holds. Returns whether it came to hold. */
async function deliverUntil(bench: Workbench, stop: () => Promise<boolean>): Promise<boolean> {
  for (;;) {
    if (await stop()) return true;
    const at = bench.queues.nextAt();
    if (at === undefined) return false;
    if (at > bench.clock.now()) bench.clock.set(at);
    await bench.deliver(bench.queues.take() as Queued);
  }
}

const isGuard = (one: Queued): boolean => one.queue === 'control' && one.message.format === 2 && one.message.step === 'guard';

/** Delivers until the run is in a phase. */
const until = (bench: Workbench, run: Run, phase: Run['phase']) => deliverUntil(bench, async () => (await bench.run(run.id)).phase === phase);

/** A run that has come to its guard, which waits for the lease: another run holds it. */
async function atTheGuard(bench: Workbench): Promise<Run> {
  const run = await askedRun(bench, one, 'one', { options: { busy: 'wait' } });
  await holdLease(bench, true);
  await writeAnswer(bench, run, 'approve');
  await wake(bench, run);
  expect(await until(bench, run, 'guarding')).toBe(true);
  return run;
}

async function holdLease(bench: Workbench, held: boolean): Promise<void> {
  const pk = bench.memory.items().find((item) => item.sk === 'HEAD')?.pk as string;
  const lease = { holder: 'another', fence: 1, sealedAt: 1, grantedAt: bench.clock.now(), expiresAt: bench.clock.now() + 60_000 };
  await bench.memory.table.write({ pk, sk: 'LEASE' }, { put: { ...lease, ...(held ? {} : { released: true }) } }, { is: 'always' });
}

describe('between the machine’s Guard and the guard’s judgement', () => {
  test('a rejection ends the run rejected, and no state of the machine goes on waiting', async () => {
    const bench = openWorkbench();
    const run = await atTheGuard(bench);
    await writeAnswer(bench, run, 'reject', { ...atMachine, name: 'mona' });
    await holdLease(bench, false);
    await wake(bench, run);
    await bench.quiet();
    expect(await bench.run(run.id)).toMatchObject({ phase: 'done', outcome: 'rejected' });
    expect((await bench.report(run.id)).decisions?.map(({ verdict, person }) => [verdict, person])).toContainEqual(['reject', 'mona']);
    expect([bench.provider.writes, bench.states.open.size]).toEqual([[], 0]);
  });

  test('an approval that its giver takes back ends it too', async () => {
    const bench = openWorkbench();
    const run = await atTheGuard(bench);
    await writeAnswer(bench, run, 'reject');
    await holdLease(bench, false);
    await wake(bench, run);
    await bench.quiet();
    expect((await bench.run(run.id)).outcome).toBe('rejected');
  });

  test('a question that runs out meanwhile is expired', async () => {
    const bench = openWorkbench();
    const run = await atTheGuard(bench);
    await holdLease(bench, false);
    bench.clock.set((run.question?.expiresAt ?? 0) + 1);
    await bench.sweep();
    expect((await bench.run(run.id)).outcome).toBe('expired');
    expect([bench.provider.writes, bench.states.open.size]).toEqual([[], 0]);
  });

  test('a run that the guard finds overtaken ends, and its scope keeps no trace of its question', async () => {
    const bench = openWorkbench();
    const run = await askedRun(bench, one);
    const head = bench.memory.items().find((item) => item.sk === 'HEAD') as { pk: string };
    bench.code.history.push(run.commit, 'newer');
    await bench.memory.table.write({ pk: head.pk, sk: 'HEAD' }, { set: { history: [{ sha: 'newer', at: run.startedAt }] } }, { is: 'always' });
    expect((await answer(bench, run)).outcome).toBe('stale');
    expect(bench.memory.items().find((item) => item.sk === 'HEAD')?.['openRuns'] ?? new Set()).not.toContain(run.id);
    expect(bench.memory.items().filter((item) => item.sk.startsWith('QUESTION#') && item['state'] === 'open')).toEqual([]);
    expect(bench.states.open.size).toBe(0);
  });

  test('a token that came again, older, takes no newer one’s place', async () => {
    const bench = openWorkbench();
    const run = await atTheGuard(bench);
    const { guard } = await bench.run(run.id);
    const older = { format: 2, run: run.id, group: run.repository.id, step: 'guard', token: 'an older one', entered: '2020-01-01T00:00:00.000Z#0' } as const;
    await bench.deliver({ queue: 'control', message: older, at: bench.clock.now() });
    expect((await bench.run(run.id)).guard).toEqual(guard);
    await holdLease(bench, false);
    await wake(bench, run);
    await bench.quiet();
    expect(bench.states.open.size).toBe(0);
  });

  test('a Guard that comes late, of an execution that the run has left behind, waits for nothing any more (I11, P7)', async () => {
    const bench = openWorkbench();
    const run = await askedRun(bench, one, 'one', { options: { busy: 'wait' } });
    await writeAnswer(bench, run, 'approve');
    await wake(bench, run);
    expect(await deliverUntil(bench, async () => bench.queues.waiting().some(isGuard))).toBe(true);
    const late = bench.queues.takeAt(bench.queues.waiting().findIndex(isGuard)) as Queued;
    // The first execution has been told to go to its guard: nobody hears that it has, and the guard begins without it.
    await wake(bench, run);
    expect(await until(bench, run, 'guarding')).toBe(true);
    await recordStale(bench.world(), await bench.run(run.id), 'guard', 'state');
    await bench.quiet();
    expect(await bench.run(run.id)).toMatchObject({ phase: 'awaiting', execution: `${run.id}-2` });
    await bench.deliver(late);
    await bench.quiet();
    expect([...bench.states.open]).toEqual([[`${run.id}-2`, 'ask']]);
    expect((await answer(bench, await bench.run(run.id))).outcome).toBe('complete');
    expect(bench.states.open.size).toBe(0);
  });

  test('a guard that dies right after it raised the round leaves its token to the next step: the machine plans again, and goes with the run', async () => {
    const bench = openWorkbench();
    await answer(bench, await askedRun(bench, one));
    bench.clock.advance(1000);
    const run = await askedRun(bench, [{ id: 'a', things: { x: '2' } }], 'two', { options: { busy: 'wait' } });
    const line = bench.memory.items().find((item) => item.sk === 'LEDGER#a') as { pk: string };
    await bench.memory.table.write({ pk: line.pk, sk: 'LEDGER#a' }, { set: { version: 'moved', lastRun: 'another' } }, { is: 'always' });
    await holdLease(bench, true);
    await writeAnswer(bench, run, 'approve');
    await wake(bench, run);
    await until(bench, run, 'guarding');
    await deliverUntil(bench, async () => (await bench.run(run.id)).waitsUntil !== undefined);
    await holdLease(bench, false);
    const release = (call: { op: string; change?: object }) => call.op === 'write' && (call.change as { set?: { released?: true } }).set?.released === true;
    bench.memory.faults.fail(release, new Error('died before it told the machine'));
    await bench.quiet();
    expect(await bench.run(run.id)).toMatchObject({ phase: 'awaiting', question: { q: 2 } });
    expect([...bench.states.open.values()]).toEqual(['ask']);
    expect((await answer(bench, await bench.run(run.id))).outcome).toBe('complete');
    expect(bench.states.open.size).toBe(0);
  });

  test('the run is woken when the lease it waits for is given back', async () => {
    const bench = openWorkbench();
    const run = await atTheGuard(bench);
    await deliverUntil(bench, async () => (await bench.run(run.id)).waitsUntil !== undefined);
    const started = bench.clock.now();
    await releaseAndWake(bench.world(), { ...run, id: 'another' });
    await bench.quiet();
    expect((await bench.run(run.id)).outcome).toBe('complete');
    expect(Date.parse((await bench.report(run.id)).finishedAt) - started).toBeLessThan(5_000);
  });
});

describe('what was honoured', () => {
  test('holds although the question runs out before the lines are queued: later expiry does not stop a running apply', async () => {
    const bench = openWorkbench();
    const run = await askedRun(bench, one);
    await writeAnswer(bench, run, 'approve');
    await wake(bench, run);
    const swap = (call: { op: string; change?: { set?: object } }) => call.op === 'write' && (call.change?.set as { phase?: string })?.phase === 'applying';
    bench.memory.faults.fail(swap as never, new Error('died before the swap'), 1);
    await deliverUntil(bench, async () => (await bench.run(run.id)).honoured !== undefined);
    bench.clock.set((run.question?.expiresAt ?? 0) + 1);
    await bench.quiet();
    await bench.sweep();
    expect((await bench.run(run.id)).outcome).toBe('complete');
    expect(bench.states.open.size).toBe(0);
  });

  test('holds for a run that resumes, whatever has become of the approver’s role, until it runs out', async () => {
    for (const late of [false, true]) {
      const bench = openWorkbench('deployed');
      knowPeople(bench, ['ada']);
      bench.code.people.set('ada', 'admin');
      const waiting = [
        { id: 'a', things: { x: '1' } },
        { id: 'b', things: { y: { from: 'a.url' } } },
      ];
      const run = await answer(bench, await askedRun(bench, waiting), 'approve', throughAws('ada'));
      expect(run).toMatchObject({ phase: 'waiting', outcome: 'partial' });
      bench.code.people.delete('ada');
      if (late) bench.clock.set((run.question?.expiresAt ?? 0) + 1);
      await bench.deployed('one', 'success');
      await bench.quiet();
      const after = await bench.run(run.id);
      expect([after.outcome, after.question?.q]).toEqual(late ? ['expired', 1] : ['complete', 1]);
      expect(bench.provider.names().length).toBe(late ? 1 : 2);
      expect(disagreements(bench)).toEqual([]);
    }
  });
});

describe('a round after the first', () => {
  /** Round one applied `a`; somebody removed `y` meanwhile, so that the run asks again. */
  async function secondRound(bench: Workbench): Promise<Run> {
    await answer(bench, await askedRun(bench, two));
    bench.clock.advance(1000);
    const next = [
      { id: 'a', things: { x: '2' } },
      { id: 'b', things: { y: '3' }, depends_on: ['a'] },
    ];
    const run = await askedRun(bench, next, 'two');
    bench.provider.remove('y');
    const again = await answer(bench, run);
    expect(again).toMatchObject({ phase: 'awaiting', round: 2, question: { q: 2 } });
    return again;
  }

  test.each([
    ['rejected', (bench: Workbench, run: Run) => answer(bench, run, 'reject')],
    ['expired', (bench: Workbench) => bench.sweep(25 * 60)],
    [
      'stale',
      (bench: Workbench, run: Run) => {
        bench.code.history.push(run.commit, 'newer');
        const head = bench.memory.items().find((item) => item.sk === 'HEAD') as { pk: string };
        const history = [{ sha: 'newer', at: '2026-01-01T00:00:00.000Z' }];
        return bench.memory.table.write({ pk: head.pk, sk: 'HEAD' }, { set: { history } }, { is: 'always' }).then(() => answer(bench, run));
      },
    ],
    [
      'failed',
      (bench: Workbench, run: Run) => {
        bench.code.commit(run.commit, 'release.plan.yaml', 'version: 1\nchanges: 7\n');
        return answer(bench, run);
      },
    ],
  ] as const)('that ends %s leaves a receipt of what the first one applied (I6), and nothing open', async (outcome, end) => {
    const bench = openWorkbench();
    const run = await secondRound(bench);
    await end(bench, run);
    expect((await bench.run(run.id)).outcome).toBe(outcome);
    expect(disagreements(bench).filter((one) => !one.startsWith('y is in the ledger'))).toEqual([]);
    const receipt = bench.bucket
      .keys()
      .filter((key) => key.endsWith('/latest.json'))
      .flatMap((key) => bench.bucket.bodies(key).at(-1) ?? []);
    expect(JSON.parse(receipt[0] as string)).toMatchObject({ run: run.id, status: outcome });
    expect(bench.memory.items().find((item) => item.sk === 'HEAD')?.['openRuns'] ?? new Set()).not.toContain(run.id);
    expect(bench.memory.items().filter((item) => item.sk.startsWith('QUESTION#') && item['state'] === 'open')).toEqual([]);
    expect(bench.states.open.size).toBe(0);
  });

  test('every message of the machine comes again after every later step, and changes nothing (I10)', async () => {
    const bench = openWorkbench();
    const seen: Queued[] = [];
    const run = await secondRound(bench);
    await writeAnswer(bench, run, 'approve');
    await wake(bench, run);
    await deliverAll(bench, seen);
    expect((await bench.run(run.id)).outcome).toBe('complete');
    expect(bench.provider.names()).toEqual(['x=2', 'y=3']);
    expect(bench.states.open.size).toBe(0);
    expect(disagreements(bench)).toEqual([]);
  });
});

/** Delivers until nothing is left; every message of the machine once more after each. */
async function deliverAll(bench: Workbench, seen: Queued[]): Promise<void> {
  for (let at = bench.queues.nextAt(); at !== undefined; at = bench.queues.nextAt()) {
    if (at > bench.clock.now()) bench.clock.set(at);
    const next = bench.queues.take() as Queued;
    if (next.queue === 'control' && next.message.format === 2 && !seen.includes(next)) seen.push(next);
    await bench.deliver(next);
    for (const old of seen.slice(-4)) await bench.deliver({ ...old, at: bench.clock.now() });
    bench.clock.advance(1);
  }
}

test.each([1, 2, 3])(
  'every message of the machine comes again after every later step of a run that is asked, approved, and asked again (I10): %i',
  async (times) => {
    const bench = openWorkbench();
    await answer(bench, await askedRun(bench, two));
    bench.clock.advance(1000);
    bench.pull(7, 'two', [{ id: 'a', things: { x: '2' } }, two[1] as object]);
    const id = await bench.command({ commit: 'two', environment: 'production', scope: 'main' });
    const seen: Queued[] = [];
    await deliverAll(bench, seen);
    for (let time = 1; time < times; time += 1) {
      const line = bench.memory.items().find((item) => item.sk === 'LEDGER#b') as { pk: string };
      await bench.memory.table.write({ pk: line.pk, sk: 'LEDGER#b' }, { set: { version: `another ${time}`, lastRun: 'another' } }, { is: 'always' });
      await writeAnswer(bench, await bench.run(id), 'approve');
      await wake(bench, await bench.run(id));
      await deliverAll(bench, seen);
      expect(await bench.run(id)).toMatchObject({ phase: 'awaiting', question: { q: time + 1 } });
      expect([...bench.states.open.values()]).toEqual(['ask']);
    }
    await writeAnswer(bench, await bench.run(id), 'approve');
    await wake(bench, await bench.run(id));
    await deliverAll(bench, seen);
    expect((await bench.run(id)).outcome).toBe('complete');
    expect(bench.states.open.size).toBe(0);
    expect(disagreements(bench)).toEqual([]);
  },
);

describe('a machine that has lost its execution', () => {
  test('does not keep an approved run: it is guarded and applied without it', async () => {
    const bench = openWorkbench();
    const run = await askedRun(bench, one);
    bench.states.forget();
    expect((await answer(bench, run)).outcome).toBe('complete');
  });

  test('nor a run whose answer was told to nobody: the schedule finds it', async () => {
    const bench = openWorkbench();
    const run = await askedRun(bench, one);
    await writeAnswer(bench, run, 'approve');
    await bench.sweep();
    expect((await bench.run(run.id)).outcome).toBe('complete');
  });
});

test('a round that was stopped once is over, although the state is again what was approved (I12)', async () => {
  const bench = openWorkbench();
  const run = await askedRun(bench, one);
  await recordStale(bench.world(), run, 'guard', 'state');
  expect(await answer(bench, run)).toMatchObject({ phase: 'awaiting', round: 2, question: { q: 2 } });
  expect(bench.provider.writes).toEqual([]);
});

test.each(Array.from({ length: 14 }, (_, at) => at))(
  'a process that ends after %i deliveries, and is started again, asks once and applies once (I11, I12)',
  async (count) => {
    const bench = openWorkbench();
    bench.pull(7, 'one', two);
    const id = await bench.command({ commit: 'one', environment: 'production', scope: 'main' });
    let answered = false;
    const approve = async () => {
      const run = await bench.run(id);
      if (answered || run.phase !== 'awaiting') return;
      answered = true;
      await writeAnswer(bench, run, 'approve'); // and dies before it tells anybody
    };
    for (let at = 0; at < count; at += 1) {
      await approve();
      const next = bench.queues.take();
      if (next) await bench.deliver(next);
    }
    bench.states.restart();
    for (let times = 0; times < 4; times += 1) {
      await bench.sweep();
      await approve();
    }
    expect(await bench.run(id)).toMatchObject({ phase: 'done', outcome: 'complete', question: { q: 1 } });
    expect(bench.provider.names()).toEqual(['x=1', 'y=2']);
    expect(bench.provider.writes).toHaveLength(2);
    expect([disagreements(bench), bench.states.open.size]).toEqual([[], 0]);
  },
);

test('a Guard step that dies again and again ends its run failed, and lets the machine go', async () => {
  const bench = openWorkbench();
  const run = await askedRun(bench, one);
  bench.code.onAsk = (question) => {
    if (question === 'file') throw new Error('the guard dies');
  };
  await writeAnswer(bench, run, 'approve');
  await wake(bench, run);
  await bench.quiet();
  bench.code.onAsk = undefined;
  for (let times = 0; times < 3; times += 1) await bench.sweep();
  expect(await bench.run(run.id)).toMatchObject({ phase: 'done', outcome: 'failed', problem: { code: 'INTERRUPTED' } });
  expect([bench.provider.writes, bench.states.open.size]).toEqual([[], 0]);
  expect(disagreements(bench)).toEqual([]);
});

test('a step at the question that dies again and again ends its run failed, not as if another had taken its place', async () => {
  const bench = openWorkbench('deployed');
  knowPeople(bench, ['ada']);
  const run = await askedRun(bench, one);
  bench.code.onAsk = (question) => {
    if (question === 'permission') throw new Error('the step dies');
  };
  await writeAnswer(bench, run, 'approve', throughAws('ada'));
  await wake(bench, run);
  await bench.quiet();
  for (let times = 0; times < 3; times += 1) await bench.sweep();
  expect(await bench.run(run.id)).toMatchObject({ phase: 'done', outcome: 'failed', problem: { code: 'INTERRUPTED' } });
  expect(bench.states.open.size).toBe(0);
});
