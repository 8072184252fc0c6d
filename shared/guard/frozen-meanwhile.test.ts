import { describe, expect, test } from 'vitest';
import { problemOfReport } from '../../functions/cli/exit-code.ts';
import { disagreements } from '../../test/ports/agreement.ts';
import { comesFrom, deliverUntil } from '../../test/ports/deliver-until.ts';
import { askedRun, atMachine, putPolicy, wake, writeAnswer } from '../../test/ports/people.ts';
import { deployedTo } from '../../test/ports/rounds.ts';
import { openWorkbench, repository, type Workbench } from '../../test/ports/workbench.ts';
import { freeze, unfreeze } from '../freeze/freeze.ts';
import { withdrawAnswer } from '../run/withdraw-answer.ts';
import { outcomeOf } from '../surfaces/outcome.ts';

const one = [{ id: 'a', things: { x: '1' } }];
const isWrite = (name: string): boolean => name === 'table.write';
const rechecked = JSON.stringify({ version: 1, environments: { production: { recheck: true } } });

const writer = (bench: Workbench) => ({ table: bench.memory.table, ids: bench.world().ids });
let words = 0;
const said = (bench: Workbench) => ({
  by: { name: 'ada', through: 'github' } as const,
  start: `word ${++words}`,
  at: new Date(bench.clock.now()).toISOString(),
});
const freezes = (bench: Workbench) => freeze(writer(bench), repository.id, 'production', said(bench), '2h', 'year end');
async function thaws(bench: Workbench): Promise<void> {
  bench.clock.advance(1000);
  await unfreeze(writer(bench), repository.id, 'production', said(bench));
}

const openQuestions = (bench: Workbench) => bench.memory.items().filter((item) => item.sk.startsWith('QUESTION#') && item['state'] === 'open');

/** The nth write of the guard is its last, and production is frozen before anybody comes to go on. Undefined: it has fewer writes. */
async function frozenAt(nth: number, policy?: string): Promise<{ bench: Workbench; id: string; began: boolean } | undefined> {
  const bench = openWorkbench();
  if (policy) putPolicy(bench, policy);
  const run = await askedRun(bench, one);
  await writeAnswer(bench, run, 'approve');
  await wake(bench, run);
  const message = await deliverUntil(bench, (next) => comesFrom(next, 'guard'));
  if (!message) throw new Error('no guard');
  bench.fates.plan(nth, 'before', isWrite);
  await bench.deliver(bench.queues.takeAt(bench.queues.waiting().indexOf(message)) ?? message);
  if (bench.fates.met() === undefined) return undefined;
  const began = (await bench.run(run.id)).phase === 'applying';
  await freezes(bench);
  await bench.quiet();
  for (let times = 0; times < 4; times += 1) await bench.sweep();
  return { bench, id: run.id, began };
}

describe.each([
  ['', undefined],
  [', before a recheck or in it', rechecked],
])('a guard dies%s, and its environment is frozen', (_more, policy) => {
  test('nothing is written before the freeze is over, the same question is open, and the approval that stands lets it go on (P7, I7)', async () => {
    const parked: number[] = [];
    for (let nth = 0; ; nth += 1) {
      const stood = await frozenAt(nth, policy);
      if (stood === undefined) break;
      const { bench, id, began } = stood;
      if (began) continue;
      parked.push(nth);
      const run = await bench.run(id);
      expect([nth, run.phase, run.question?.q, run.honoured, bench.provider.writes.length]).toEqual([nth, 'awaiting', 1, undefined, 0]);
      expect([nth, ...openQuestions(bench).map((item) => [item['run'], item['repo']])]).toEqual([nth, [id, repository.id]]);
      await thaws(bench);
      await bench.sweep();
      expect([nth, (await bench.run(id)).outcome, (await bench.report(id)).decisions?.length]).toEqual([nth, 'complete', 1]);
      expect([nth, openQuestions(bench), disagreements(bench), [...bench.states.open]]).toEqual([nth, [], [], []]);
    }
    // The claim, the honoured answer, the end of the question: each of them.
    expect(parked.length).toBeGreaterThan(5);
  });

  test('and whoever approved may take it back meanwhile', async () => {
    for (let nth = 0; ; nth += 1) {
      const stood = await frozenAt(nth, policy);
      if (stood === undefined) break;
      const { bench, id, began } = stood;
      if (began) continue;
      const run = await bench.run(id);
      await withdrawAnswer({ ...bench.world(), table: bench.memory.table }, repository.id, run.question?.digest.slice(0, 12) ?? '', atMachine);
      await thaws(bench);
      await bench.sweep();
      expect([nth, (await bench.run(id)).phase, bench.provider.writes.length]).toEqual([nth, 'awaiting', 0]);
    }
  });
});

test('a release that has begun goes on though its environment is frozen while it waits, wherever its guard dies then (P7)', async () => {
  for (let nth = 0; ; nth += 1) {
    const bench = openWorkbench();
    const asked = await askedRun(bench, [
      { id: 'a', things: { x: '1' } },
      { id: 'b', things: { y: { from: 'a.url' } } },
    ]);
    await writeAnswer(bench, asked, 'approve');
    await wake(bench, asked);
    await bench.quiet();
    expect((await bench.run(asked.id)).phase).toBe('waiting');
    await freezes(bench);
    bench.fates.plan(nth, 'before', isWrite);
    await deployedTo(bench, asked, 'one').catch(() => undefined);
    const met = bench.fates.met();
    for (let times = 0; times < 4 && (await bench.run(asked.id)).phase !== 'done'; times += 1) {
      await bench.sweep();
      // The event is told again: a run that has gone on takes no notice.
      await deployedTo(bench, asked, 'one');
    }
    expect([nth, met, (await bench.run(asked.id)).outcome]).toEqual([nth, met, 'complete']);
    if (met === undefined) break;
  }
});

test('an approval that a freeze kept until its end has expired by that, and says so', async () => {
  const bench = openWorkbench();
  putPolicy(bench, JSON.stringify({ version: 1, environments: { production: { expires: '1h' } } }));
  const asked = await askedRun(bench, one);
  await freezes(bench);
  await writeAnswer(bench, asked, 'approve');
  await wake(bench, asked);
  await bench.quiet();
  bench.clock.advance(61 * 60_000);
  await bench.sweep();
  expect(await bench.run(asked.id)).toMatchObject({ outcome: 'expired', problem: { code: 'FROZEN' } });
  const report = await bench.report(asked.id);
  expect(outcomeOf(report).title).toBe('Approved, frozen until it ran out, nothing written');
  expect(problemOfReport(report)).toMatchObject({
    code: 'EXPIRED',
    message: expect.stringMatching(/^Plan \w{12} was approved, and ran out while it was kept: production is frozen/),
  });
});
