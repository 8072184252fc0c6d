import { describe, expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { exampleRegistry, things } from '../../test/ports/example-op.ts';
import type { Queued } from '../../test/ports/memory-queues.ts';
import { written } from '../../test/ports/memory-table.ts';
import { openWorkbench, scopeOf, type Workbench } from '../../test/ports/workbench.ts';
import { LockkeeperError } from '../errors/error.ts';
import { grantLease } from '../lease/lease.ts';
import { takeClaim } from '../ledger/claim.ts';
import type { Entry } from '../ledger/entry.ts';
import { readLedgerLine } from '../ledger/ledger-line.ts';
import type { Op } from './op.ts';

const lines = [{ id: 'a', things: { x: '1' } }];
const posting = (call: { method: string }) => call.method === 'POST';
const unreachable = new LockkeeperError({ code: 'PROVIDER_TRANSIENT', message: 'The provider is down.' });
const entries = async (bench: Workbench, line = 'a'): Promise<readonly Entry[]> => (await readLedgerLine(bench.memory.table, scopeOf(7), line))?.entries ?? [];

/** Leaves an intent in the ledger of a run that is gone: its lease has run out, its messages are lost. */
async function interrupted(performed: boolean): Promise<Workbench> {
  const bench = openWorkbench();
  bench.pull(7, 'one', lines);
  await bench.event('opened', 7, 'one');
  const result = (call: { op: string; key?: { sk: string } }) =>
    call.op === 'write' && (call.key?.sk ?? '').startsWith('LEDGER#') && bench.provider.calls.some(posting);
  if (performed) bench.memory.faults.fail(result, new Error('died before it recorded'));
  else bench.provider.faults.fail(posting, new Error('died before it sent'));
  while ((await entries(bench))[0]?.createdBy !== 'intent' || !bench.provider.calls.some(posting)) {
    const next = bench.queues.take();
    if (!next) throw new Error('there is no intent');
    await bench.deliver(next);
  }
  while (bench.queues.nextAt() !== undefined) if (!bench.queues.take()) bench.clock.set(bench.queues.nextAt() as number);
  bench.clock.advance(60_000);
  return bench;
}

/** All is well once the sweep has found the run that died. */
async function expectRest(bench: Workbench, strangers: readonly string[] = []): Promise<void> {
  await bench.sweep();
  await bench.sweep();
  expect(disagreements(bench, strangers)).toEqual([]);
}

test('an intent and its claim are written before the create leaves (R1.52)', async () => {
  const bench = openWorkbench();
  let before: unknown[] = [];
  bench.provider.faults.before(posting, async () => {
    before = [(await entries(bench))[0], bench.memory.items().filter((item) => item.pk.startsWith('CLAIM#')).length];
  });
  await bench.release(7, 'one', lines);
  expect(before).toEqual([expect.objectContaining({ createdBy: 'intent', key: 'thing:x', provider: {}, account: { place: 'here' } }), 1]);
  expect(before[0]).not.toHaveProperty('id');
  expect((await entries(bench))[0]).toMatchObject({ createdBy: 'lockkeeper', id: 'id-1' });
});

describe('an interrupted create', () => {
  test('that the provider performed is found by what it foretold, and is ours (P4)', async () => {
    const bench = await interrupted(true);
    expect((await bench.release(7, 'two', lines)).outcome).toBe('complete');
    expect((await entries(bench))[0]).toMatchObject({ createdBy: 'lockkeeper', id: 'id-1' });
    expect(bench.provider.writes).toHaveLength(1);
    await expectRest(bench);
  });

  test('that the provider never saw is made by the next run', async () => {
    const bench = await interrupted(false);
    expect((await bench.release(7, 'two', lines)).outcome).toBe('complete');
    expect(bench.provider.names()).toEqual(['x=1']);
    await expectRest(bench);
  });

  test('in whose place somebody made another thing before it is not ours: refused, and left by a destroy (I5)', async () => {
    const bench = await interrupted(false);
    const start = bench.clock.now();
    bench.clock.set(start - 3_600_000);
    bench.provider.edit('x', 'theirs');
    bench.clock.set(start);
    const run = await bench.release(7, 'two', lines);
    expect((await bench.report(run.id)).lines[0]?.problem?.code).toBe('ADOPT_REQUIRED');
    await bench.close(7, 'two');
    expect(bench.provider.names()).toEqual(['x=theirs']);
    await expectRest(bench, ['x']);
  });

  test('that was edited since is found by its time of creation, and is ours to change', async () => {
    const bench = await interrupted(true);
    bench.provider.edit('x', 'edited');
    expect((await bench.release(7, 'two', lines)).outcome).toBe('complete');
    expect(bench.provider.names()).toEqual(['x=1']);
    await bench.close(7, 'two');
    expect(bench.provider.names()).toEqual([]);
  });

  test.each([true, false])('of a line that the plan no longer has is looked for at settle (performed: %s)', async (performed) => {
    const bench = await interrupted(performed);
    const run = await bench.release(7, 'two', [{ id: 'other', things: { y: '1' } }]);
    expect(run.outcome).toBe('complete');
    expect((await entries(bench)).map((entry) => [entry.createdBy, entry.orphan])).toEqual(performed ? [['lockkeeper', true]] : []);
    await expectRest(bench);
  });

  test.each([true, false])('is looked for first by a destroy, which leaves nothing (performed: %s) (I8, R1.70)', async (performed) => {
    const bench = await interrupted(performed);
    expect((await bench.close(7, 'one')).outcome).toBe('complete');
    expect(bench.provider.names()).toEqual([]);
    await expectRest(bench);
  });

  test('that cannot be looked for fails the destroy with INTENT_UNRESOLVED and stays for the next (R1.70)', async () => {
    const bench = await interrupted(true);
    bench.provider.faults.fail((call) => call.method === 'GET', unreachable, 2);
    const run = await bench.close(7, 'one');
    expect(run.outcome).toBe('failed');
    expect((await bench.report(run.id)).lines[0]?.problem?.code).toBe('INTENT_UNRESOLVED');
    expect((await entries(bench))[0]?.createdBy).toBe('intent');
    await bench.sweep(16);
    expect((await bench.run(run.id)).outcome).toBe('complete');
    expect(bench.provider.names()).toEqual([]);
  });

  test('whose claim another scope took meanwhile is theirs', async () => {
    const bench = await interrupted(true);
    const world = bench.world();
    const [intent] = await entries(bench);
    await grantLease(world, scopeOf(8), 'another');
    await bench.memory.table.write({ pk: `SCOPE#${scopeOf(7)}`, sk: 'LEDGER#a' }, { set: { entries: [] } }, { is: 'present' });
    expect(await takeClaim(world, intent as Entry, scopeOf(8), 'b')).toMatchObject({ ours: true });
    await bench.memory.table.write({ pk: `SCOPE#${scopeOf(7)}`, sk: 'LEDGER#a' }, { set: { entries: [intent] } }, { is: 'present' });
    await bench.close(7, 'one');
    expect(bench.provider.names()).toEqual(['x=1']);
  });
});

test('an intent whose key came from another line’s output is found without that line (P4)', async () => {
  const bench = openWorkbench();
  bench.pull(7, 'one', [
    { id: 'a', things: { a: 'abc' } },
    { id: 'b', prefix: { from: 'a.value' }, things: { x: '1' } },
  ]);
  const id = await bench.event('opened', 7, 'one');
  bench.memory.faults.fail(
    (call) => written('SCOPE#', 'LEDGER#b')(call) && bench.provider.writes.some((one) => one.name === 'abc-x'),
    new Error('died before it recorded'),
    10,
  );
  await bench.quiet();
  await bench.sweep();
  expect((await bench.run(id)).phase).toBe('done');
  bench.memory.faults.clear();
  await bench.close(7, 'one');
  expect(bench.provider.names()).toEqual([]);
  expect(disagreements(bench)).toEqual([]);
});

test('a create that was plainly refused because the thing exists leaves neither intent nor claim (I5)', async () => {
  const bench = openWorkbench();
  bench.provider.faults.before(posting, () => bench.provider.edit('x', 'theirs'));
  const run = await bench.release(7, 'one', lines);
  expect(run.outcome).toBe('failed');
  expect(await entries(bench)).toEqual([]);
  expect(bench.memory.items().some((item) => item.pk.startsWith('CLAIM#'))).toBe(false);
  expect(bench.provider.names()).toEqual(['x=theirs']);
});

test('of two creates of which the second was refused, the first is taken back and the other stays (I2, I5)', async () => {
  const bench = openWorkbench();
  bench.provider.faults.before(
    (call) => posting(call) && (call as { name?: string }).name === 'y',
    () => {
      bench.clock.advance(-3_600_000);
      bench.provider.edit('y', 'theirs');
      bench.clock.advance(3_600_000);
    },
  );
  const run = await bench.release(7, 'one', [{ id: 'a', things: { x: '1', y: '1' } }]);
  expect(run.outcome).toBe('failed');
  expect(bench.provider.names()).toEqual(['y=theirs']);
  expect(disagreements(bench, ['y'])).toEqual([]);
});

test('a thing that the provider takes its time over is ours, also where the op foretells no hash: the intent keeps the time of its first attempt (I8, R1.52)', async () => {
  const foretellsNothing = { ...things, diff: (...given: Parameters<typeof things.diff>) => things.diff(...given).map(({ hash: _hash, ...change }) => change) };
  const bench = openWorkbench('embedded', { registry: { ...exampleRegistry, find: () => foretellsNothing as Op } });
  const run = await bench.release(7, 'one', [{ id: 'a', things: { x: '1' }, busy: 2 }]);
  expect(run.outcome).toBe('complete');
  expect((await entries(bench))[0]?.createdBy).toBe('lockkeeper');
  await bench.close(7, 'one');
  expect(bench.provider.names()).toEqual([]);
});

test('what one line would manage beyond an item’s room is refused before anything is sent', async () => {
  const bench = openWorkbench();
  const many = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`${at}-${'x'.repeat(200)}`, '1']));
  const run = await bench.release(7, 'one', [{ id: 'a', things: many }]);
  expect((await bench.report(run.id)).lines[0]?.problem?.code).toBe('LINE_TOO_LARGE');
  expect(bench.provider.writes).toEqual([]);
  expect(disagreements(bench)).toEqual([]);
});

test('a claim without entry, left by a line of the own scope that the plan has no more, keeps no other line from the thing (P4, I11)', async () => {
  const bench = openWorkbench();
  await bench.release(7, 'one', [{ id: 'old', things: { x: '1' } }]);
  const claim = bench.memory.items().find((item) => item.sk === 'CLAIM');
  await bench.close(7, 'one');
  // A death between the entry's removal and the claim's.
  const { pk, sk, ...left } = claim as { pk: string; sk: string };
  await bench.memory.table.write({ pk, sk }, { put: left }, { is: 'always' });
  const run = await bench.release(7, 'two', [{ id: 'new', things: { x: '1' } }]);
  expect(run.outcome).toBe('complete');
  expect(disagreements(bench)).toEqual([]);
});

test('a thing that the provider was still making when its run lost the lease is the next run’s, which changes it or takes it back (P4, I8)', async () => {
  const bench = openWorkbench();
  bench.pull(7, 'one', [{ id: 'a', things: { x: '1' }, busy: 4 }]);
  await bench.event('opened', 7, 'one');
  while (bench.provider.writes.length === 0) await bench.deliver(bench.queues.takeAt(0) as Queued);
  while (bench.queues.nextAt() !== undefined) if (!bench.queues.take()) bench.clock.set(bench.queues.nextAt() as number);
  bench.clock.advance(60_000);
  const run = await bench.release(7, 'two', [{ id: 'a', things: { x: '2' } }]);
  expect(run).toMatchObject({ outcome: 'complete', tookOver: expect.any(String) });
  expect(bench.provider.names()).toEqual(['x=2']);
  await bench.close(7, 'two');
  expect(bench.provider.names()).toEqual([]);
});
