import { expect, test } from 'vitest';
import { AnswerLost } from '../../shared/ports/table.ts';
import { absent, always, present } from '../../shared/table/condition.ts';
import { memoryTable, written } from './memory-table.ts';

const key = { pk: 'P', sk: 'S' };

test('an answer lost after the effect leaves the effect, once', async () => {
  const memory = memoryTable();
  memory.faults.loseAnswer(written('P'));
  await expect(memory.table.write(key, { put: { a: 1 } }, absent)).rejects.toBeInstanceOf(AnswerLost);
  expect(memory.peek('P', 'S')).toEqual({ ...key, a: 1 });
  expect(await memory.table.write(key, { set: { a: 2 } }, present)).toEqual({ applied: true, before: { ...key, a: 1 } });
});

test('an answer lost before the effect leaves nothing', async () => {
  const memory = memoryTable();
  memory.faults.loseAnswer(written(), 'never');
  await expect(memory.table.write(key, { put: { a: 1 } }, absent)).rejects.toBeInstanceOf(AnswerLost);
  expect(memory.items()).toEqual([]);
  expect(memory.writes).toEqual([]);
});

test('a late write is judged when it lands', async () => {
  const memory = memoryTable();
  memory.faults.loseAnswer(written(), 'late');
  await expect(memory.table.write(key, { put: { from: 'late' } }, absent)).rejects.toBeInstanceOf(AnswerLost);
  await memory.table.write(key, { put: { from: 'second' } }, absent);
  memory.faults.landLate();
  expect(memory.peek('P', 'S')?.['from']).toBe('second');
  expect(memory.writes.map((one) => one.applied)).toEqual([true, false]);
});

test('an action planted before a write sees the table without it', async () => {
  const memory = memoryTable();
  memory.faults.before(written(), () => memory.table.write(key, { put: { from: 'other' } }, always));
  expect(await memory.table.write(key, { put: { from: 'mine' } }, absent)).toEqual({ applied: false });
  expect(memory.peek('P', 'S')?.['from']).toBe('other');
});

test('items handed out and taken in are copies', async () => {
  const memory = memoryTable();
  const open = new Set(['a']);
  await memory.table.write(key, { put: { open } }, always);
  open.add('b');
  const read = await memory.table.get(key);
  const readSet = read?.['open'];
  if (readSet instanceof Set) readSet.add('c');
  expect(readSet).toEqual(new Set(['a', 'c']));
  expect(memory.peek('P', 'S')?.['open']).toEqual(new Set(['a']));
});
