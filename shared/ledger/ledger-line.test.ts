import { describe, expect, test } from 'vitest';
import { countingIds } from '../../test/ports/counting-ids.ts';
import type { Effect } from '../../test/ports/faults.ts';
import { memoryTable, written } from '../../test/ports/memory-table.ts';
import { present } from '../table/condition.ts';
import { ledgerKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import type { Entry, LedgerLine } from './entry.ts';
import { createLedgerLine, LedgerMoved, readLedger, readLedgerLine, removeLedgerLine, saveLedgerLine } from './ledger-line.ts';

const scope = 'repo#main#preview#pr-7';
const tenure = (fence: number) => ({ fence, deadline: Number.MAX_SAFE_INTEGER });
const entryOf = (key: string, label = key): Entry => ({
  adapter: 'example',
  op: 'things',
  opVersion: 1,
  provider: {},
  account: { place: 'here' },
  key,
  label,
  createdBy: 'intent',
  run: 'one',
  fence: 1,
  sequence: key,
});

async function bench() {
  const memory = memoryTable();
  const writer = { table: memory.table, ids: countingIds() };
  const make = (run = 'one', fence = 1) => createLedgerLine(writer, scope, tenure(fence), run, { line: 'a', adapter: 'example', op: 'things', needs: [] });
  const read = async () => (await readLedgerLine(memory.table, scope, 'a')) as LedgerLine;
  await make();
  return { memory, writer, make, read };
}

const ledgerLine = written('SCOPE#', 'LEDGER#');

test('a ledger line is created once: doing it again overwrites nothing (P4)', async () => {
  const { writer, make, read } = await bench();
  await saveLedgerLine(writer, scope, tenure(1), 'one', await read(), { entries: [entryOf('k')] });
  const before = await read();
  await make('two', 2);
  expect(await read()).toEqual(before);
});

test('a save gives the line as it then stands, and the next save goes on from it', async () => {
  const { writer, read } = await bench();
  const first = await saveLedgerLine(writer, scope, tenure(1), 'one', await read(), { entries: [entryOf('k')] });
  expect(await read()).toEqual(first);
  const second = await saveLedgerLine(writer, scope, tenure(1), 'one', first, { entries: [] });
  expect(await read()).toEqual(second);
});

test('a save over a version that has moved is refused, and changes nothing (P4)', async () => {
  const { writer, read } = await bench();
  const stale = await read();
  await saveLedgerLine(writer, scope, tenure(1), 'one', stale, { entries: [entryOf('k')] });
  await expect(saveLedgerLine(writer, scope, tenure(1), 'one', stale, { entries: [] })).rejects.toBeInstanceOf(LedgerMoved);
  expect((await read()).entries).toHaveLength(1);
});

test('a save under a fence below the highest seen is refused, whoever sends it (I9, R1.88)', async () => {
  const { memory, writer, read } = await bench();
  const before = await read();
  await memory.table.write(ledgerKey(scope, 'a'), { set: { fence: 2 } }, present);
  await expect(saveLedgerLine(writer, scope, tenure(1), 'one', before, { entries: [entryOf('k')] })).rejects.toBeInstanceOf(LedgerMoved);
  expect(await read()).toMatchObject({ entries: [], fence: 2 });
});

test('what was removed and made again is not what was read: its version is another', async () => {
  const { writer, make, read } = await bench();
  const before = await read();
  await removeLedgerLine(writer, scope, tenure(1), before);
  await make();
  await expect(saveLedgerLine(writer, scope, tenure(1), 'one', before, { entries: [entryOf('k')] })).rejects.toBeInstanceOf(LedgerMoved);
});

test('a line is removed only as it was read', async () => {
  const { writer, read } = await bench();
  const stale = await read();
  await saveLedgerLine(writer, scope, tenure(1), 'one', stale, { entries: [entryOf('k')] });
  await removeLedgerLine(writer, scope, tenure(1), stale);
  expect((await read()).entries).toHaveLength(1);
});

test('an item of a newer format is refused, never taken for "nothing managed" (R1.83)', async () => {
  const { memory, read } = await bench();
  await memory.table.write(ledgerKey(scope, 'a'), { set: { format: 2 } }, present);
  await expect(read()).rejects.toMatchObject({ code: 'RECEIPT_VERSION' });
  await expect(readLedger(memory.table, scope)).rejects.toMatchObject({ code: 'RECEIPT_VERSION' });
});

describe.each<Effect>(['done', 'never'])('with its answer lost (%s)', (effect) => {
  test('a create, a save and a removal are recognised (P4)', async () => {
    const { memory, writer, make, read } = await bench();
    await removeLedgerLine(writer, scope, tenure(1), await read());
    memory.faults.loseAnswer(ledgerLine, effect);
    await make('three', 3);
    expect(await read()).toMatchObject({ lastRun: 'three', fence: 3 });
    memory.faults.loseAnswer(ledgerLine, effect);
    const saved = await saveLedgerLine(writer, scope, tenure(3), 'three', await read(), { entries: [entryOf('k')] });
    expect(await read()).toEqual(saved);
    memory.faults.loseAnswer(ledgerLine, effect);
    await removeLedgerLine(writer, scope, tenure(3), saved);
    expect(await readLedgerLine(memory.table, scope, 'a')).toBeUndefined();
  });

  test('a save is recognised by its version even when the line was sealed since', async () => {
    const { memory, writer, read } = await bench();
    const before = await read();
    memory.faults.loseAnswer(ledgerLine, effect);
    memory.faults.before(
      (call) => call.op === 'get',
      () => write(writer, ledgerKey(scope, 'a'), { set: { fence: effect === 'done' ? 2 : 1 } }, present),
    );
    expect(await saveLedgerLine(writer, scope, tenure(1), 'one', before, { entries: [entryOf('k')] })).toMatchObject({ entries: [{ key: 'k' }] });
    expect((await read()).entries).toHaveLength(1);
  });
});
