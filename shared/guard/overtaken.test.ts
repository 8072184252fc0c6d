import { describe, expect, test } from 'vitest';
import type { Queued } from '../../test/ports/memory-queues.ts';
import { answer, askedRun, knowPeople, putPolicy, throughAws, wake, writeAnswer } from '../../test/ports/people.ts';
import { approvedRun, deployedTo, nextRun } from '../../test/ports/rounds.ts';
import { commitOf, openWorkbench, planPath, type Workbench } from '../../test/ports/workbench.ts';
import { LockkeeperError } from '../errors/error.ts';
import { outcomeOf } from '../surfaces/outcome.ts';

const openQuestions = (bench: Workbench): unknown[] =>
  bench.memory
    .items()
    .filter((item) => item.sk.startsWith('QUESTION#') && item['state'] === 'open')
    .map((item) => item['run']);

const one = [{ id: 'a', things: { a: '1' } }];

/** A push that is applied, and a later one that is asked about. */
async function tipAsked(bench: Workbench): Promise<string> {
  const first = await bench.push('one', one);
  await bench.quiet();
  await answer(bench, await bench.run(first));
  bench.clock.advance(1000);
  const tip = await bench.push('two', [{ id: 'a', things: { a: '2' } }]);
  await bench.quiet();
  bench.clock.advance(1000);
  return tip;
}

describe('a run of an older commit takes nobody’s place', () => {
  test('it ends stale without asking, and a release that waits for its deployment goes on (I11, I12)', async () => {
    const bench = openWorkbench();
    await approvedRun(bench, 'one', one);
    const waits = await approvedRun(bench, 'two', [
      { id: 'a', things: { a: '2' } },
      { id: 'b', things: { b: { from: 'a.url' } } },
    ]);
    expect(waits.phase).toBe('waiting');
    expect(await nextRun(bench, 'one', one)).toMatchObject({ phase: 'done', outcome: 'stale' });
    expect((await deployedTo(bench, waits, 'two')).outcome).toBe('complete');
  });

  test('nor does one that has nothing to write: the tip’s question stays', async () => {
    const bench = openWorkbench();
    const tip = await tipAsked(bench);
    const id = await bench.command({ commit: 'one', environment: 'production', scope: 'main', branch: 'main', options: { busy: 'wait' } });
    await bench.quiet();
    expect((await bench.run(id)).outcome).toBe('complete');
    await bench.sweep();
    expect(openQuestions(bench)).toEqual([tip]);
    expect((await answer(bench, await bench.run(tip))).outcome).toBe('complete');
  });
});

describe('a question that the world has gone past ends (P6)', () => {
  test('with its pull request, whose removal is asked about in its place', async () => {
    const bench = openWorkbench();
    const production = (value: string) => [{ id: 'a', things: { prod: value }, environment: 'production' }];
    await answer(bench, await bench.release(7, 'one', production('1')));
    bench.clock.advance(1000);
    const asked = await bench.release(7, 'two', production('2'));
    bench.clock.advance(1000);
    const removal = await bench.close(7, 'two');
    expect(removal).toMatchObject({ phase: 'awaiting', kind: 'destroy' });
    expect((await bench.run(asked.id)).outcome).toBe('superseded');
    expect(openQuestions(bench)).toEqual([removal.id]);
  });

  test('with its pull request, although a mistake in the policy lets nobody be asked about the removal', async () => {
    const bench = openWorkbench();
    const production = (value: string) => [{ id: 'a', things: { prod: value }, environment: 'production' }];
    await answer(bench, await bench.release(7, 'one', production('1')));
    bench.clock.advance(1000);
    const asked = await bench.release(7, 'two', production('2'));
    bench.clock.advance(1000);
    putPolicy(bench, '{ "version": 7 }');
    expect(await bench.close(7, 'two')).toMatchObject({ outcome: 'failed', problem: { code: 'ENV_NOT_APPROVED' } });
    expect((await bench.run(asked.id)).outcome).toBe('superseded');
    expect(openQuestions(bench)).toEqual([]);
  });

  test('not for a later push alone: that one’s own plan takes its place, and one that cannot be planned takes none; what it asked for is not applied any more', async () => {
    const bench = openWorkbench();
    const asked = await bench.push('one', one);
    await bench.quiet();
    bench.clock.advance(1000);
    bench.code.commit(commitOf('two'), planPath, 'version: 7');
    await bench.push('two');
    await bench.quiet();
    await bench.sweep();
    expect(openQuestions(bench)).toEqual([asked]);
    expect(await answer(bench, await bench.run(asked))).toMatchObject({ phase: 'done', outcome: 'superseded' });
    expect([openQuestions(bench), bench.provider.names()]).toEqual([[], []]);
  });

  test('not while the host does not answer', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', one);
    const production = [{ id: 'a', things: { prod: '1' }, environment: 'production' }];
    const asked = await bench.release(7, 'one', production);
    hostIsAway(bench);
    await bench.sweep();
    expect(openQuestions(bench)).toEqual([asked.id]);
  });
});

function hostIsAway(bench: Workbench): void {
  bench.code.onAsk = () => {
    throw new LockkeeperError({ code: 'PROVIDER_TRANSIENT', message: 'the host answers 502' });
  };
}

describe('a host that is away after an approval', () => {
  async function approvedMeanwhile(): Promise<{ bench: Workbench; id: string }> {
    const bench = openWorkbench('deployed');
    knowPeople(bench, ['kim']);
    bench.code.people.set('kim', 'admin');
    const run = await askedRun(bench, one);
    hostIsAway(bench);
    await writeAnswer(bench, run, 'approve', throughAws('kim'));
    await wake(bench, run);
    await bench.quiet();
    return { bench, id: run.id };
  }

  test('leaves the question, and the sweep finds the approval when it is back', async () => {
    const { bench, id } = await approvedMeanwhile();
    expect((await bench.run(id)).phase).toBe('awaiting');
    bench.code.onAsk = undefined;
    await bench.sweep();
    expect((await bench.run(id)).outcome).toBe('complete');
  });

  test('for good lets the question run out', async () => {
    const { bench, id } = await approvedMeanwhile();
    await bench.sweep(25 * 60);
    expect((await bench.run(id)).outcome).toBe('expired');
  });
});

test('a rejection that comes after the approval was honoured is too late: what waits past its expiry ends expired (P7)', async () => {
  const bench = openWorkbench();
  const waits = await answer(bench, await askedRun(bench, [...one, { id: 'b', things: { b: { from: 'a.url' } } }]));
  await writeAnswer(bench, waits, 'reject');
  bench.clock.advance(25 * 3_600_000);
  expect(await deployedTo(bench, waits, 'one')).toMatchObject({ outcome: 'expired', problem: { code: 'EXPIRED' } });
  // Enough people had approved it: nobody is told otherwise.
  expect(outcomeOf(await bench.report(waits.id)).title).toBe('Approved, and ran out before its end, 1 resource applied before stays');
});

test('a destroy that goes on after it was refused ends as it ends then, not as the run’s question did (I11)', async () => {
  const bench = openWorkbench();
  const policy = (is: boolean) => putPolicy(bench, JSON.stringify({ version: 1, environments: { preview: { protected: is } } }));
  const lines = (value: string, more: object = {}) => [
    { id: 'a', things: { a: value, ...more } },
    { id: 'b', things: { b: value }, depends_on: ['a'] },
  ];
  policy(true);
  await answer(bench, await bench.release(7, 'one', lines('1')));
  bench.clock.advance(1000);
  const { id, ...run } = await bench.release(7, 'two', lines('2', { c: '1' }));
  bench.provider.remove('b');
  await writeAnswer(bench, { id, ...run }, 'approve');
  await wake(bench, { id, ...run });
  for (let at = bench.queues.nextAt(); at !== undefined; at = bench.queues.nextAt()) {
    if (at > bench.clock.now()) bench.clock.set(at);
    const { phase, round } = await bench.run(id);
    const pull = bench.code.pulls.get(7);
    if (phase === 'preparing' && round === 2 && pull?.open) {
      bench.code.pulls.set(7, { ...pull, open: false });
      putPolicy(bench, '{ "version": 7 }');
    }
    await bench.deliver(bench.queues.takeAt(0) as never);
  }
  expect(await bench.run(id)).toMatchObject({ outcome: 'failed', ending: 'failed', problem: { code: 'ENV_NOT_APPROVED' } });
  policy(true);
  await bench.sweep(25 * 60);
  const asked = await bench.run(id);
  expect(asked).toMatchObject({ kind: 'destroy', phase: 'awaiting', question: { q: 2 } });
  expect(await answer(bench, asked)).toMatchObject({ kind: 'destroy', outcome: 'complete' });
  expect(bench.provider.names()).toEqual([]);
});

test('what a run applied as approved is in a receipt, although a newer run has written over it before the older one’s end (I6)', async () => {
  const bench = openWorkbench();
  const lines = (value: string, more: object) => [
    { id: 'a', things: { a: value, ...more } },
    { id: 'b', things: { b: value }, depends_on: ['a'] },
  ];
  await approvedRun(bench, 'one', lines('1', {}));
  const older = await nextRun(bench, 'two', lines('2', { c: '9' }));
  bench.provider.remove('b');
  expect(await answer(bench, older)).toMatchObject({ phase: 'awaiting', question: { q: 2 } });
  bench.clock.advance(1000);
  bench.pull(7, 'three', lines('3', { c: '9' }));
  const id = await bench.command({ commit: 'three', environment: 'production', scope: 'main', options: { busy: 'wait' } });
  const slow: Queued[] = [];
  const exceptOlder = async () => {
    for (let at = bench.queues.nextAt(); at !== undefined; at = bench.queues.nextAt()) {
      if (at > bench.clock.now()) bench.clock.set(at);
      const taken = bench.queues.takeAt(0) as Queued;
      if (taken.queue === 'control' && 'run' in taken.message && taken.message.run === older.id) slow.push(taken);
      else await bench.deliver(taken);
    }
  };
  await exceptOlder();
  const newer = await bench.run(id);
  await writeAnswer(bench, newer, 'approve');
  await wake(bench, newer);
  await exceptOlder();
  expect((await bench.run(id)).outcome).toBe('complete');
  for (const message of slow) await bench.deliver(message);
  await bench.quiet();
  expect((await bench.run(older.id)).outcome).toBe('superseded');
  expect(bench.bucket.keys().filter((key) => key.startsWith('receipts/') && key.includes(older.id))).toHaveLength(1);
});
