import { expect, test } from 'vitest';
import { countingIds } from '../../test/ports/counting-ids.ts';
import { memoryTable } from '../../test/ports/memory-table.ts';
import { closeQuestion, openQuestion, type Question, questionsWith, readQuestion, storeToken } from './question.ts';

const question: Question = { run: 'run', q: 1, digest: 'd'.repeat(64), state: 'open', askedAt: '2026-01-01T00:00:00.000Z', expiresAt: 1 };

async function opened() {
  const memory = memoryTable();
  const writer = { table: memory.table, ids: countingIds() };
  await openQuestion(writer, question, { repository: '7', environment: 'production', scope: 'main' });
  return { memory, writer };
}

test('a token of an earlier entry takes no later one’s place (P7)', async () => {
  const { writer } = await opened();
  const at = (second: number, retry: number) => `2026-01-01T00:00:0${second}.000Z#${retry}`;
  await storeToken(writer, question, 'later', at(2, 0));
  expect(await storeToken(writer, question, 'earlier', at(1, 3))).toMatchObject({ token: 'later' });
  expect(await storeToken(writer, question, 'retried', at(2, 1))).toMatchObject({ token: 'retried' });
});

test('a question is opened once, and closed for good: a step that comes late opens it no more', async () => {
  const { memory, writer } = await opened();
  await closeQuestion(writer, question);
  await openQuestion(writer, question, { repository: '7', environment: 'production', scope: 'main' });
  expect(await readQuestion(memory.table, question.digest, 'run', 1)).toMatchObject({ state: 'closed' });
  expect(await questionsWith(memory.table, '7', 'dddd')).toEqual([]);
});
