import { describe, expect, test } from 'vitest';
import { countingIds } from '../../test/ports/counting-ids.ts';
import type { Effect } from '../../test/ports/faults.ts';
import { memoryTable, written } from '../../test/ports/memory-table.ts';
import { scopeKey } from '../table/keys.ts';
import { addOpenRun, dropNotes, dropOpenRuns, ensureHead, type Head, noteEvent, readHead, saveHead, withCommit } from './head.ts';
import { LedgerMoved } from './ledger-line.ts';

const address = { repository: '71', plan: 'main', environment: 'preview', scope: 'pr-7' };
const scope = scopeKey(address);
const tenure = (fence: number) => ({ fence, deadline: Number.MAX_SAFE_INTEGER });
const isHead = written('SCOPE#', 'HEAD');

async function bench() {
  const memory = memoryTable();
  const writer = { table: memory.table, ids: countingIds() };
  const read = async () => (await readHead(memory.table, scope)) as Head;
  await ensureHead(writer, address, tenure(1));
  return { memory, writer, read };
}

test('a head is made once, and lies in the repository’s list of scopes', async () => {
  const { memory, writer, read } = await bench();
  const before = await read();
  expect(await ensureHead(writer, address, tenure(2))).toEqual(before);
  const listed = await memory.table.list({ index: 'repo', partition: '71', prefix: 'scope#pr-7#' });
  expect(listed.map((item) => item['address'])).toEqual([address]);
});

test('notes and open runs come and go without touching version or fence (P5)', async () => {
  const { writer, read } = await bench();
  const before = await read();
  await noteEvent(writer, scope, 'deployed');
  await addOpenRun(writer, scope, 'one');
  expect(await read()).toEqual({ ...before, notes: ['deployed'], openRuns: ['one'] });
  await saveHead(writer, scope, tenure(1), before, { settled: { run: 'one', fence: 1 } });
  expect(await read()).toMatchObject({ notes: ['deployed'], openRuns: ['one'] });
});

test('only the notes that were read are taken out: one that comes meanwhile stays (P5)', async () => {
  const { writer, read } = await bench();
  await noteEvent(writer, scope, 'first');
  const { notes } = await read();
  await noteEvent(writer, scope, 'second');
  await dropNotes(writer, scope, notes);
  expect((await read()).notes).toEqual(['second']);
});

test('where there is no head, an event is noted nowhere and nothing is made', async () => {
  const memory = memoryTable();
  const writer = { table: memory.table, ids: countingIds() };
  expect(await noteEvent(writer, scope, 'deployed')).toBe(false);
  await addOpenRun(writer, scope, 'one');
  await dropOpenRuns(writer, scope, ['one']);
  await dropNotes(writer, scope, ['deployed']);
  expect(memory.items()).toEqual([]);
});

test('a head is saved only as it was read and under a fence that is not below its own (I9)', async () => {
  const { writer, read } = await bench();
  const stale = await read();
  await saveHead(writer, scope, tenure(2), stale, { receipt: 'r' });
  await expect(saveHead(writer, scope, tenure(2), stale, {})).rejects.toBeInstanceOf(LedgerMoved);
  await expect(saveHead(writer, scope, tenure(1), await read(), {})).rejects.toBeInstanceOf(LedgerMoved);
});

test('a tombstone stays until it is lifted by name', async () => {
  const { writer, read } = await bench();
  await saveHead(writer, scope, tenure(1), await read(), { tombstone: { run: 'one', at: 'now' } });
  await saveHead(writer, scope, tenure(1), await read(), { settled: { run: 'one', fence: 1 } });
  expect((await read()).tombstone).toEqual({ run: 'one', at: 'now' });
  await saveHead(writer, scope, tenure(1), await read(), {}, ['tombstone']);
  expect(await read()).not.toHaveProperty('tombstone');
});

describe('a history of applied commits (R1.63)', () => {
  test('gets each commit once in a row, and forgets the oldest', () => {
    expect(withCommit([{ sha: 'a', at: '1' }], 'a', '2')).toEqual([{ sha: 'a', at: '1' }]);
    const long = Array.from({ length: 50 }, (_, at) => ({ sha: `c${at}`, at: `${at}` }));
    const longer = withCommit(long, 'new', 'now');
    expect([longer.length, longer.at(0)?.sha, longer.at(-1)?.sha]).toEqual([50, 'c1', 'new']);
  });
});

test.each<Effect>(['done', 'never'])('every write of a head is recognised with its answer lost (%s)', async (effect) => {
  const memory = memoryTable();
  const writer = { table: memory.table, ids: countingIds() };
  const read = async () => (await readHead(memory.table, scope)) as Head;
  memory.faults.loseAnswer(isHead, effect);
  await ensureHead(writer, address, tenure(1));
  memory.faults.loseAnswer(isHead, effect);
  expect(await noteEvent(writer, scope, 'deployed')).toBe(true);
  memory.faults.loseAnswer(isHead, effect);
  await addOpenRun(writer, scope, 'one');
  memory.faults.loseAnswer(isHead, effect);
  const saved = await saveHead(writer, scope, tenure(2), await read(), { receipt: 'r' });
  expect(await read()).toEqual({ ...saved, notes: ['deployed'], openRuns: ['one'] });
  memory.faults.loseAnswer(isHead, effect);
  await dropNotes(writer, scope, ['deployed']);
  memory.faults.loseAnswer(isHead, effect);
  await dropOpenRuns(writer, scope, ['one']);
  expect(await read()).toMatchObject({ notes: [], openRuns: [] });
});
