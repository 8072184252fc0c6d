import { describe, expect, test } from 'vitest';
import { countingIds } from '../../test/ports/counting-ids.ts';
import type { Effect } from '../../test/ports/faults.ts';
import { memoryTable, written } from '../../test/ports/memory-table.ts';
import { AnswerLost } from '../ports/table.ts';
import { absent, always, equal, present } from './condition.ts';
import { write } from './write.ts';

const key = { pk: 'P', sk: 'S' };

function bench() {
  const memory = memoryTable();
  const writer = { table: memory.table, ids: countingIds('w') };
  const other = { table: memory.table, ids: countingIds('o') };
  return { memory, writer, other, peek: () => memory.peek('P', 'S') };
}

describe('a conditional write knows itself by its writeId (P4)', () => {
  test.each<[string, Effect]>([
    ['after its effect', 'done'],
    ['before its effect', 'never'],
  ])('when its answer is lost %s', async (_when, effect) => {
    const { memory, writer, peek } = bench();
    memory.faults.loseAnswer(written('P'), effect);
    const result = await write(writer, key, { put: { a: 1 } }, absent);
    expect(result).toMatchObject({ won: true });
    expect(peek()).toMatchObject({ a: 1, writeId: result.won ? result.writeId : '' });
  });

  test('when the first arrives late, between the reading and the second', async () => {
    const { memory, writer, peek } = bench();
    memory.faults.loseAnswer(written('P'), 'late');
    let writes = 0;
    memory.faults.before(
      (call) => call.op === 'write' && ++writes === 2,
      () => memory.faults.landLate(),
    );
    expect(await write(writer, key, { put: { a: 1 } }, absent)).toMatchObject({ won: true });
    expect(memory.writes.map((one) => one.applied)).toEqual([true, false]);
    expect(peek()).toMatchObject({ a: 1 });
  });

  test('when the first arrives after the second: it is refused and takes nothing back', async () => {
    const { memory, writer, other, peek } = bench();
    memory.faults.loseAnswer(written('P'), 'late');
    expect(await write(writer, key, { put: { a: 1 } }, absent)).toMatchObject({ won: true });
    await write(other, key, { set: { a: 2 } }, present);
    memory.faults.landLate();
    expect(peek()).toMatchObject({ a: 2 });
  });
});

test('a write that lost against somebody else says what lies there', async () => {
  const { writer, other } = bench();
  await write(other, key, { put: { from: 'other' } }, absent);
  expect(await write(writer, key, { put: { from: 'us' } }, absent)).toMatchObject({ won: false, found: { from: 'other' } });
});

test('a write whose answer was lost and that somebody overwrote meanwhile is not claimed as won by a compare-and-swap', async () => {
  const { memory, writer, other, peek } = bench();
  await write(other, key, { put: { version: 'one', from: 'start' } }, absent);
  memory.faults.loseAnswer(written('P'));
  memory.faults.before(
    (call) => call.op === 'get',
    () => memory.table.write(key, { set: { version: 'three', writeId: 'three', from: 'other' } }, always),
  );
  const result = await write(writer, key, (writeId) => ({ set: { version: writeId, from: 'us' } }), equal('version', 'one'));
  expect(result).toMatchObject({ won: false, found: { from: 'other' } });
  expect(peek()).toMatchObject({ from: 'other' });
});

test('a set change renews the writeId and leaves the version, by which a write of content still knows itself', async () => {
  const { memory, writer, other } = bench();
  await write(other, key, { put: { version: 'one' } }, absent);
  memory.faults.loseAnswer(written('P'));
  memory.faults.before(
    (call) => call.op === 'get',
    () => write(other, key, { add: { notes: ['came in between'] } }, present),
  );
  const result = await write(writer, key, (writeId) => ({ set: { version: writeId } }), equal('version', 'one'));
  expect(result).toMatchObject({ won: true });
  expect(memory.peek('P', 'S')?.['notes']).toEqual(new Set(['came in between']));
});

test.each<Effect>(['done', 'never'])('a delete whose answer is lost (%s) is done when nothing is left', async (effect) => {
  const { memory, writer, other, peek } = bench();
  await write(other, key, { put: { a: 1 } }, absent);
  memory.faults.loseAnswer(written('P'), effect);
  expect(await write(writer, key, { delete: true }, present)).toMatchObject({ won: true });
  expect(peek()).toBeUndefined();
});

test('two attempts without an answer are given up, and the caller cannot know', async () => {
  const { memory, writer } = bench();
  memory.faults.loseAnswer(written('P'), 'never', 2);
  await expect(write(writer, key, { put: { a: 1 } }, absent)).rejects.toBeInstanceOf(AnswerLost);
});

test('what the write replaced comes back with it, for whoever judges by what was there', async () => {
  const { writer, other } = bench();
  await write(other, key, { put: { a: 1 } }, absent);
  expect(await write(writer, key, { set: { a: 2 } }, present)).toMatchObject({ won: true, before: { a: 1 } });
});

test('an update under `present` makes no item out of nothing', async () => {
  const { writer, peek } = bench();
  expect(await write(writer, key, { drop: { after: ['x'] } }, present)).toMatchObject({ won: false, found: undefined });
  expect(peek()).toBeUndefined();
});
