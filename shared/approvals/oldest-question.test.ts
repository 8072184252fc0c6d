import { expect, it } from 'vitest';
import { memoryTable } from '../../test/ports/memory-table.ts';
import { absent } from '../table/condition.ts';
import { questionKey, runKey } from '../table/keys.ts';
import { oldestQuestionSeconds } from './oldest-question.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const clock = { now: () => now };

/** A table of parked runs, each with its question: asked that many seconds ago, open or not. */
async function parked(...questions: { readonly run: string; readonly ago: number; readonly state?: 'open' | 'closed' }[]) {
  const { table } = memoryTable();
  for (const { run, ago, state = 'open' } of questions) {
    const question = { q: 1, digest: `digest of ${run}` };
    await table.write(runKey(run), { put: { id: run, status: 'awaiting', since: '2026-03-02T00:00:00.000Z', question } }, absent);
    await table.write(questionKey(question.digest, run, 1), { put: { ...question, run, state, askedAt: new Date(now - ago * 1000).toISOString() } }, absent);
  }
  return { table, clock };
}

it('is the age of the one that was asked first', async () => {
  expect(await oldestQuestionSeconds(await parked({ run: 'a', ago: 60 }, { run: 'b', ago: 7200 }, { run: 'c', ago: 5 }))).toBe(7200);
});

it('is 0 where nothing is asked, so that the alarm sees it end', async () => {
  expect(await oldestQuestionSeconds(await parked())).toBe(0);
});

it('leaves out a question that is answered and whose run has not gone on yet, and one that is not written yet', async () => {
  const world = await parked({ run: 'a', ago: 7200, state: 'closed' }, { run: 'b', ago: 10 });
  await world.table.write(runKey('c'), { put: { id: 'c', status: 'awaiting', since: '2026-03-02T00:00:00.000Z', question: { q: 1, digest: 'none' } } }, absent);
  expect(await oldestQuestionSeconds(world)).toBe(10);
});

it('leaves out an item of another kind that says it waits', async () => {
  const world = await parked({ run: 'a', ago: 10 });
  await world.table.write(runKey('intruder'), { put: { id: 'intruder', status: 'awaiting', since: '2026-03-02T00:00:00.000Z' } }, absent);
  expect(await oldestQuestionSeconds(world)).toBe(10);
});
