import { describe, expect, test } from 'vitest';
import { countingIds } from '../../test/ports/counting-ids.ts';
import { manualClock } from '../../test/ports/manual-clock.ts';
import { memoryObjects } from '../../test/ports/memory-objects.ts';
import { memoryTable } from '../../test/ports/memory-table.ts';
import { reportOf } from '../../test/reports/report.ts';
import { grantLease } from '../lease/lease.ts';
import { digestOf, latestKey, parseReceipt, receiptKey, storeReceipt } from './chain.ts';
import type { Receipt } from './receipt.ts';

const at = { path: '71/main/preview/pr-7', scope: '71#main#preview#pr-7' };
const latest = latestKey(at.path);
const receiptOf = (run: string, round = 1): Receipt => ({ ...reportOf({ run, round }), fence: 1, ledger: [], history: [] });

function bench() {
  const memory = memoryTable();
  const bucket = memoryObjects();
  const clock = manualClock();
  const world = { table: memory.table, ids: countingIds(), clock, timing: { leaseTtl: 900_000, skew: 0 }, objects: bucket.objects };
  const store = (run: string, round = 1) => storeReceipt(world, at, receiptOf(run, round));
  const links = () => bucket.bodies(latest).map((body) => ({ run: parseReceipt(body).run, previous: parseReceipt(body).previous }));
  return { memory, bucket, clock, world, store, links, hold: (run: string) => grantLease(world, at.scope, run) };
}

describe('the chain of receipts (P5, I6)', () => {
  test('begins with a link to nothing and goes on with the digest of what it replaces (R1.3)', async () => {
    const { store, links, bucket } = bench();
    expect(await store('one')).toBe('stored');
    expect(await store('two')).toBe('stored');
    const [first] = bucket.bodies(latest);
    expect(links()).toEqual([
      { run: 'one', previous: null },
      { run: 'two', previous: digestOf(first as string) },
    ]);
  });

  test('has one link a round, however often it is stored', async () => {
    const { store, links } = bench();
    await store('one');
    await store('one');
    await store('one', 2);
    expect(links().map((link) => link.run)).toEqual(['one', 'one']);
  });

  test('a run has its own object for each round, written once and without a link (R1.73)', async () => {
    const { store, bucket } = bench();
    await store('one');
    await store('one');
    await store('one', 2);
    expect(bucket.bodies(receiptKey(at.path, 'one', 1))).toHaveLength(1);
    expect(JSON.parse(bucket.bodies(receiptKey(at.path, 'one', 2))[0] as string)).not.toHaveProperty('previous');
  });

  test('whoever finds another on top and still has the lease links anew, over what it read', async () => {
    const { store, hold, bucket, links } = bench();
    await hold('two');
    bucket.faults.before(
      (call) => call.op === 'put' && call.key === latest,
      () => store('one'),
    );
    expect(await store('two')).toBe('stored');
    expect(links()).toEqual([
      { run: 'one', previous: null },
      { run: 'two', previous: digestOf(bucket.bodies(latest)[0] as string) },
    ]);
  });

  test('whoever finds another on top and has lost the lease stops, and blocks nobody (R1.64)', async () => {
    const { store, hold, bucket, links } = bench();
    await hold('three');
    bucket.faults.before(
      (call) => call.op === 'put' && call.key === latest,
      () => store('three'),
    );
    expect(await store('two')).toBe('lost');
    expect(links().map((link) => link.run)).toEqual(['three']);
    expect(bucket.keys()).toContain(receiptKey(at.path, 'two', 1));
    expect(await store('four')).toBe('stored');
  });

  test('a late worker puts nothing on top of what a newer holder of the lease has stored (I9, P5)', async () => {
    const { world, store, links } = bench();
    await storeReceipt(world, at, { ...receiptOf('two'), fence: 2 });
    expect(await store('one')).toBe('lost');
    expect(links().map((link) => link.run)).toEqual(['two']);
  });

  test('nor does a holder whose lease has run out go on', async () => {
    const { store, hold, bucket, clock } = bench();
    await hold('two');
    clock.advance(900_001);
    bucket.faults.before(
      (call) => call.op === 'put' && call.key === latest,
      () => store('one'),
    );
    expect(await store('two')).toBe('lost');
  });

  test('a put whose answer was lost is found on top by the step that comes again', async () => {
    const { store, bucket, links } = bench();
    bucket.faults.loseAnswer((call) => call.op === 'put' && call.key === latest);
    await expect(store('one')).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
    expect(await store('one')).toBe('stored');
    expect(links()).toEqual([{ run: 'one', previous: null }]);
  });
});

describe('a stored receipt that cannot be read is an error, never "nothing managed" (I6)', () => {
  test.each([
    ['no JSON', 'RECEIPT_CORRUPT', '{'],
    ['JSON that is no receipt', 'RECEIPT_CORRUPT', '{"format":1}'],
    ['a ledger line without its entries', 'RECEIPT_CORRUPT', JSON.stringify({ ...receiptOf('one'), previous: null, ledger: [{ line: 'a' }] })],
    ['a fence that no lease gets to', 'RECEIPT_CORRUPT', JSON.stringify({ ...receiptOf('one'), previous: null, fence: 2 ** 53 - 1 })],
    ['a link to what is no digest', 'RECEIPT_CORRUPT', JSON.stringify({ ...receiptOf('one'), previous: 1 })],
    ['a newer format', 'RECEIPT_VERSION', JSON.stringify({ ...receiptOf('one'), format: 2 })],
  ] as const)('%s', async (_what, code, body) => {
    const { store, bucket } = bench();
    expect(() => parseReceipt(body)).toThrow(expect.objectContaining({ code }));
    bucket.plant(latest, body);
    await expect(store('one')).rejects.toMatchObject({ code });
    expect(bucket.bodies(latest)).toEqual([body]);
  });

  test.each(['null', '[]', '"text"', '1'])('%s', (body) => {
    expect(() => parseReceipt(body)).toThrow(expect.objectContaining({ code: 'RECEIPT_CORRUPT' }));
  });
});
