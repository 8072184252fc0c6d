import { afterEach, describe, expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import type { Queued } from '../../test/ports/memory-queues.ts';
import { written } from '../../test/ports/memory-table.ts';
import { answer, askedRun, atMachine, knowPeople, putPolicy, throughAws, wake, writeAnswer } from '../../test/ports/people.ts';
import { approvedRun, nextRun } from '../../test/ports/rounds.ts';
import { openWorkbench, repository, type Workbench } from '../../test/ports/workbench.ts';
import { canonicalJson } from '../approvals/canonical-json.ts';
import { LockkeeperError } from '../errors/error.ts';
import { cancelRun } from '../run/cancel.ts';
import type { Run } from '../run/items.ts';
import { retryRun } from '../run/retry.ts';
import { withdrawAnswer } from '../run/withdraw-answer.ts';

const one = [{ id: 'a', things: { x: '1' } }];
const two = [
  { id: 'a', things: { x: '2' } },
  { id: 'b', things: { y: '1' }, depends_on: ['a'] },
];

const refused = new LockkeeperError({ code: 'PROVIDER_INVALID', message: 'The provider refuses this.' });

let bench: Workbench;
const open = (stack?: 'deployed'): Workbench => {
  outside = false;
  bench = openWorkbench(stack);
  return bench;
};

/** Everything is at rest and agrees; a question that is over is open for nobody, and no state of the machine waits for it (I7, I12). */
afterEach(() => {
  const runs = bench.memory.items().filter((item) => item['item'] === 'run');
  const parked = runs.filter(({ phase }) => phase === 'awaiting').map(({ id }) => id);
  const questions = bench.memory.items().filter(({ state }) => state === 'open');
  expect(questions.map(({ run }) => run)).toEqual(parked);
  expect([...bench.states.open]).toHaveLength(parked.length);
  if (parked.length === 0 && !outside) expect(disagreements(bench)).toEqual([]);
});

/** Somebody took a thing away at the provider, and no run has looked since. */
let outside = false;
function taken(name: string): void {
  outside = true;
  bench.provider.remove(name);
}

const again = async (run: Run): Promise<Run> => {
  bench.clock.advance(1000);
  const id = await retryRun(bench.world(), await bench.run(run.id));
  await bench.quiet();
  return bench.run(id);
};

const cancel = async (run: Run): Promise<Run> => {
  await cancelRun(bench.world(), run, { name: 'kim' });
  await bench.quiet();
  return bench.run(run.id);
};

const takeBack = async (run: Run, by = atMachine): Promise<void> => {
  await withdrawAnswer({ ...bench.world(), table: bench.memory.table }, repository.id, run.question?.digest.slice(0, 12) ?? '', by);
};

describe('an approval', () => {
  test('that is given twice applies once', async () => {
    open();
    const run = await askedRun(bench, one);
    await Promise.all([writeAnswer(bench, run, 'approve'), writeAnswer(bench, run, 'approve')]);
    await Promise.all([wake(bench, run), wake(bench, run)]);
    await bench.quiet();
    expect(await bench.run(run.id)).toMatchObject({ outcome: 'complete', question: { q: 1 } });
    expect(bench.provider.writes).toHaveLength(1);
    expect((await bench.report(run.id)).decisions).toHaveLength(1);
  });

  test('of two people at once applies once, and the receipt names both', async () => {
    open('deployed');
    knowPeople(bench, ['ada', 'mona'], ['ada', 'mona']);
    const run = await askedRun(bench, one);
    await Promise.all(['ada', 'mona'].map((login) => writeAnswer(bench, run, 'approve', throughAws(login))));
    await Promise.all([wake(bench, run), wake(bench, run)]);
    await bench.quiet();
    expect((await bench.run(run.id)).outcome).toBe('complete');
    expect(bench.provider.writes).toHaveLength(1);
    expect((await bench.report(run.id)).decisions?.map(({ person }) => person).sort()).toEqual(['ada', 'mona']);
  });

  test('after the question has run out approves nothing, then or later', async () => {
    open();
    const run = await askedRun(bench, one);
    bench.clock.advance(25 * 3_600_000);
    expect(await answer(bench, run)).toMatchObject({ phase: 'done', outcome: 'expired' });
    await bench.sweep();
    expect(await again(run)).toMatchObject({ phase: 'awaiting', question: { q: 1 } });
    expect(bench.provider.writes).toEqual([]);
  });

  test('of the plan that was asked about before a re-plan approves nothing of the new one (R4.8)', async () => {
    open();
    await approvedRun(bench, 'one', one);
    const first = await nextRun(bench, 'two', two);
    taken('x');
    const second = await answer(bench, first);
    expect(second).toMatchObject({ phase: 'awaiting', question: { q: 2 } });
    const writes = bench.provider.writes.length;
    // Whoever has the old card still on their screen.
    await writeAnswer(bench, first, 'approve', { name: 'another', through: 'machine' });
    await wake(bench, second);
    await bench.quiet();
    expect(await bench.run(first.id)).toMatchObject({ phase: 'awaiting', question: { q: 2 } });
    expect(bench.provider.writes).toHaveLength(writes);
  });

  test('after a rejection and a second run of the same commit is of that run alone', async () => {
    open();
    const run = await askedRun(bench, one);
    expect((await answer(bench, run, 'reject')).outcome).toBe('rejected');
    const next = await again(run);
    expect(next).toMatchObject({ phase: 'awaiting', question: { digest: run.question?.digest } });
    expect((await answer(bench, next)).outcome).toBe('complete');
    expect((await bench.run(run.id)).outcome).toBe('rejected');
    expect(bench.provider.writes).toHaveLength(1);
  });

  test('of a run that was cancelled approves nothing later: the next run of the same plan asks again', async () => {
    open();
    const run = await askedRun(bench, one);
    await writeAnswer(bench, run, 'approve');
    expect(await cancel(run)).toMatchObject({ phase: 'done', outcome: 'cancelled' });
    const next = await again(run);
    expect(next).toMatchObject({ phase: 'awaiting', question: { digest: run.question?.digest } });
    await bench.sweep();
    expect(bench.provider.writes).toEqual([]);
  });

  test('that comes when the machine has let its time run out finds the question closed, and says so once', async () => {
    open();
    const run = await askedRun(bench, one);
    await bench.sweep(25 * 60);
    expect(await bench.run(run.id)).toMatchObject({ phase: 'done', outcome: 'expired' });
    expect((await answer(bench, run)).outcome).toBe('expired');
    expect(bench.provider.writes).toEqual([]);
  });

  test('is not lost where the process dies between the decision and the token', async () => {
    open();
    const run = await askedRun(bench, one);
    await writeAnswer(bench, run, 'approve'); // and nobody is told
    await bench.sweep();
    expect((await bench.run(run.id)).outcome).toBe('complete');
    expect(bench.provider.writes).toHaveLength(1);
  });
});

describe('an approved plan that no longer holds', () => {
  const apart = [
    { id: 'a', things: { x: '2' } },
    { id: 'b', things: { y: '2' } },
  ];

  test('found by two lines at once makes one stop, one event and one question (R4.17)', async () => {
    open();
    await approvedRun(bench, 'one', [
      { id: 'a', things: { x: '1' } },
      { id: 'b', things: { y: '1' } },
    ]);
    const run = await nextRun(bench, 'two', apart);
    taken('x');
    taken('y');
    const stopped = await answer(bench, run);
    expect(stopped).toMatchObject({ phase: 'awaiting', question: { q: 2 } });
    const { stops } = await bench.report(run.id);
    expect(stops).toHaveLength(1);
    expect(stops).toMatchObject([{ round: 1, cause: 'drift', approved: run.question?.digest, replanned: stopped.question?.digest, differs: true }]);
    expect(bench.logged.filter(({ level, message }) => level === 'bus' && message === 'plan.stale')).toHaveLength(1);
  });

  test('where another line fails in the same round ends as a failure: what it made is undone, and nobody is asked', async () => {
    open();
    await approvedRun(bench, 'one', [{ id: 'b', things: { x: '1' } }]);
    const run = await nextRun(bench, 'two', [
      { id: 'a', things: { y: '2' } },
      { id: 'b', things: { x: '2' } },
    ]);
    taken('x');
    const posting = ({ method, name }: { method: string; name?: string }) => method === 'POST' && name === 'y';
    // The other line is at work at the same time, and finds its effects moved right before this one fails.
    bench.provider.faults.before(posting, async () => bench.deliver(bench.queues.take('lines') as Queued));
    bench.provider.faults.fail(posting, refused);
    const ended = await answer(bench, run);
    expect(ended).toMatchObject({ phase: 'done', outcome: 'failed', question: { q: 1 } });
    expect((await bench.report(run.id)).stops).toMatchObject([{ step: 'b', cause: 'drift', replanned: null }]);
  });

  test('whose re-plan fails ends the run with that error; the stop says null, and not nothing (R4.7, R4.20, R4.21)', async () => {
    open();
    await approvedRun(bench, 'one', one);
    const run = await nextRun(bench, 'two', two);
    const [line] = bench.memory.items().filter(({ sk, pk }) => sk === 'LEDGER#a' && pk.includes('production'));
    await bench.memory.table.write({ pk: line?.pk as string, sk: 'LEDGER#a' }, { set: { version: 'another', lastRun: 'another' } }, { is: 'always' });
    outside = true;
    bench.provider.edit('x', 'by hand');
    expect(await answer(bench, run)).toMatchObject({ phase: 'done', outcome: 'failed' });
    const report = await bench.report(run.id);
    const bytes = { round: 1, step: 'guard', cause: 'state', approved: run.question?.digest, replanned: null, differs: null };
    expect(canonicalJson(report.stops)).toBe(canonicalJson([bytes]));
    expect(report.lines).toMatchObject([{ id: 'a', problem: { code: 'DRIFT_CHANGED' } }, { id: 'b' }]);
    expect(bench.logged.filter(({ level, message }) => level === 'bus' && message === 'plan.stale')).toEqual([]);
  });

  test('has its record written before anything else happens (R4.6)', async () => {
    open();
    await approvedRun(bench, 'one', one);
    const run = await nextRun(bench, 'two', two);
    const [line] = bench.memory.items().filter(({ sk, pk }) => sk === 'LEDGER#a' && pk.includes('production'));
    await bench.memory.table.write({ pk: line?.pk as string, sk: 'LEDGER#a' }, { set: { version: 'another', lastRun: 'another' } }, { is: 'always' });
    const before = bench.memory.writes.length;
    await answer(bench, run);
    const writes = bench.memory.writes.slice(before).filter(({ key }) => key.pk === `RUN#${run.id}`);
    const stop = writes.findIndex(({ key }) => key.sk.startsWith('STALE#'));
    const raised = writes.findIndex(({ key, change }) => key.sk === 'META' && 'set' in change && change.set?.['round'] === 2);
    expect(stop).toBeGreaterThan(-1);
    expect(raised).toBeGreaterThan(stop);
  });
});

describe('a withdrawal', () => {
  test('before the guard has honoured the answer leaves the question open, and the same person may answer again', async () => {
    open();
    const run = await askedRun(bench, one);
    await writeAnswer(bench, run, 'approve');
    await takeBack(run);
    await bench.sweep();
    expect(await bench.run(run.id)).toMatchObject({ phase: 'awaiting', question: { q: 1 } });
    expect(bench.provider.writes).toEqual([]);
    expect((await answer(bench, run)).outcome).toBe('complete');
    expect((await bench.report(run.id)).decisions).toHaveLength(1);
  });

  test('of a rejection that nobody has heard yet lets the run go on', async () => {
    open();
    const run = await askedRun(bench, one);
    await writeAnswer(bench, run, 'reject');
    await takeBack(run);
    expect((await answer(bench, run)).outcome).toBe('complete');
  });

  test('right before the guard honours the answer is in time: the run goes back to its question', async () => {
    open();
    const run = await askedRun(bench, one);
    let once = true;
    const honours = written('PLAN#', 'DECISION#');
    bench.memory.faults.before(
      (call) => once && honours(call) && call.op === 'write' && 'set' in call.change && call.change.set?.['honoured'] !== undefined,
      async () => {
        once = false;
        await takeBack(run);
      },
    );
    const back = await answer(bench, run);
    expect(once).toBe(false);
    expect(back).toMatchObject({ phase: 'awaiting', question: { q: 1 } });
    expect(bench.provider.writes).toEqual([]);
  });

  test('of one of two answers while the guard makes sure of both leaves the other as it was: theirs to take back, or to change', async () => {
    for (const then of ['withdraws', 'rejects'] as const) {
      open('deployed');
      const people = ['ada', 'bob'].map((github) => ({ github, aws: throughAws(github).principal }));
      putPolicy(bench, JSON.stringify({ version: 1, environments: { production: { required: 2, approvers: people } } }));
      const run = await askedRun(bench, one);
      for (const login of ['ada', 'bob']) await writeAnswer(bench, run, 'approve', throughAws(login));
      let made = 0;
      bench.memory.faults.before(
        (call) => call.op === 'write' && call.key.sk.startsWith('DECISION#') && 'set' in call.change && call.change.set?.['honoured'] !== undefined,
        async () => {
          made += 1;
          if (made === 2) await takeBack(run, throughAws('bob'));
        },
        2,
      );
      await wake(bench, run);
      await bench.quiet();
      expect(made).toBe(2);
      expect(await bench.run(run.id)).toMatchObject({ phase: 'awaiting', approvals: { by: ['ada'], required: 2 } });
      if (then === 'withdraws') await takeBack(run, throughAws('ada'));
      else await writeAnswer(bench, run, 'reject', throughAws('ada'));
      await writeAnswer(bench, run, 'approve', throughAws('bob'));
      await wake(bench, run);
      await bench.quiet();
      expect((await bench.run(run.id)).outcome).toBe(then === 'rejects' ? 'rejected' : undefined);
      expect(bench.provider.writes).toEqual([]);
    }
  });

  test('after the guard has honoured it is too late, and says what stops the run', async () => {
    open();
    await approvedRun(bench, 'one', one);
    const run = await nextRun(bench, 'two', two);
    const writes = bench.provider.writes.length;
    let said: unknown;
    bench.memory.faults.before(
      (call) =>
        call.op === 'write' && call.key.pk === `RUN#${run.id}` && call.key.sk === 'META' && 'set' in call.change && call.change.set?.['phase'] === 'applying',
      async () => {
        said = await takeBack(run).catch((error: unknown) => error);
      },
    );
    expect((await answer(bench, run)).outcome).toBe('complete');
    expect(said).toMatchObject({ code: 'TOO_LATE' });
    expect(bench.provider.writes.length).toBeGreaterThan(writes);
  });

  test('is of one’s own answer alone', async () => {
    open();
    const run = await askedRun(bench, one);
    await writeAnswer(bench, run, 'approve', atMachine);
    await expect(takeBack(run, { name: 'another', through: 'machine' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await bench.sweep();
    expect((await bench.run(run.id)).outcome).toBe('complete');
  });
});

describe('a run that is cancelled', () => {
  test.each(['awaiting', 'guarding', 'preparing', 'planning'] as const)('in %s ends before it writes anything', async (phase) => {
    open();
    const run = phase === 'preparing' || phase === 'planning' ? await begun(phase) : await askedRun(bench, one);
    if (phase === 'guarding') {
      await bench.memory.table.write({ pk: `RUN#${run.id}`, sk: 'META' }, { set: { phase } }, { is: 'always' });
      await writeAnswer(bench, run, 'approve');
    }
    expect(await cancel(run)).toMatchObject({ phase: 'done', outcome: 'cancelled', problem: { code: 'CANCELLED' } });
    expect(bench.provider.writes).toEqual([]);
  });

  test('between two of its lines starts no further one: what was approved and applied stays, and the receipt says so (I6)', async () => {
    open();
    const run = await askedRun(bench, two);
    stopAfter(run, 'x');
    const ended = await answer(bench, run);
    expect(ended).toMatchObject({ phase: 'done', outcome: 'cancelled' });
    expect(bench.provider.names()).toEqual(['x=2']);
    expect(await bench.statuses(run.id)).toEqual({ a: 'applied', b: 'skipped' });
    expect((await bench.report(run.id)).stays).toEqual(['thing x']);
  });

  test('where nobody had to approve it stays where it is, too: a deletion is a write', async () => {
    open();
    bench.pull(7, 'one', two);
    const id = await bench.event('opened', 7, 'one');
    stopAfter({ id, repository, round: 1 } as Run, 'x');
    await bench.quiet();
    expect(await bench.run(id)).toMatchObject({ phase: 'done', outcome: 'cancelled' });
    expect(bench.provider.names()).toEqual(['x=2']);
  });

  test('while it waits for an event ends there, and the event finds nobody', async () => {
    open();
    const waiting = await approvedRun(bench, 'one', [
      { id: 'a', things: { x: '1' } },
      { id: 'b', things: { y: { from: 'a.url' } } },
    ]);
    expect(waiting.phase).toBe('waiting');
    expect(await cancel(waiting)).toMatchObject({ phase: 'done', outcome: 'cancelled' });
    await bench.sweep();
    expect(bench.provider.names()).toEqual(['x=1']);
  });

  test('stays so in every later step, whatever message comes again (I10)', async () => {
    open();
    const run = await askedRun(bench, one);
    await cancel(run);
    await answer(bench, run);
    await bench.sweep();
    expect(await cancel(run)).toMatchObject({ phase: 'done', outcome: 'cancelled' });
    expect(bench.provider.writes).toEqual([]);
  });

  test('and was over before is told so', async () => {
    open();
    const run = await approvedRun(bench, 'one', one);
    await expect(cancelRun(bench.world(), run, { name: 'kim' })).rejects.toMatchObject({ code: 'RUN_OVER' });
  });
});

/** A run in production that has come so far, and no further yet. */
async function begun(phase: 'preparing' | 'planning'): Promise<Run> {
  bench.pull(7, 'one', one);
  const id = await bench.command({ commit: 'one', environment: 'production', scope: 'main' });
  while ((await bench.run(id)).phase !== phase) {
    const next = bench.queues.take();
    if (!next) throw new Error(`it never came to ${phase}`);
    await bench.deliver(next);
  }
  return bench.run(id);
}

/** Somebody stops the run right after the provider has made that thing. */
function stopAfter(run: Run, thing: string): void {
  let stopped = false;
  bench.memory.faults.before(
    (call) => !stopped && call.op === 'write' && call.key.sk.startsWith('LINE#') && bench.provider.find(thing) !== undefined,
    async () => {
      stopped = true;
      await cancelRun({ ...bench.world(), table: bench.memory.table }, await bench.run(run.id), { name: 'kim' });
    },
  );
}
