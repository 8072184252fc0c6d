import { describe, expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { things } from '../../test/ports/example-op.ts';
import { commitOf, openWorkbench, planOf, repository, scopeOf, type Workbench } from '../../test/ports/workbench.ts';
import { step } from '../adapters/manual/step.ts';
import { createRegistry } from '../adapters/registry.ts';
import type { Op } from '../engine/op.ts';
import { grantLease, readLease } from '../lease/lease.ts';
import { readHead } from '../ledger/head.ts';
import { readLedger } from '../ledger/ledger-line.ts';
import type { Item } from '../ports/table.ts';
import { latestKey } from '../receipts/chain.ts';
import { verifyChain } from '../receipts/verify-chain.ts';
import { confirmStep, findStep } from '../rulings/confirm-line.ts';
import type { Run, RunOptions } from '../run/items.ts';
import { scopePath } from '../table/keys.ts';

const lines = [
  { id: 'a', things: { x: '1', y: '1' } },
  { id: 'b', things: { z: { from: 'a.id' } } },
];
const scope = scopeOf(7);
const path = scopePath({ repository: repository.id, plan: 'main', environment: 'preview', scope: 'pr-7' });
const at = { commit: 'one', pullRequest: 7, scope: 'pr-7', branch: 'feat-7' };

async function released(): Promise<Workbench> {
  const bench = openWorkbench();
  await bench.release(7, 'one', lines);
  return bench;
}

async function recover(bench: Workbench, options: Partial<RunOptions> = { confirmed: true }): Promise<Run> {
  const id = await bench.command({ ...at, intent: 'recover', options: { busy: 'fail', ...options } });
  await bench.quiet();
  return bench.run(id);
}

async function recoverOf(bench: Workbench, number: number): Promise<Run> {
  const where = { commit: `of ${number}`, pullRequest: number, scope: `pr-${number}`, branch: `feat-${number}` };
  const id = await bench.command({ ...where, intent: 'recover', options: { busy: 'fail', confirmed: true } });
  await bench.quiet();
  return bench.run(id);
}

const stored = (bench: Workbench, test: (item: Item) => boolean): Item[] => bench.memory.items().filter((item) => item.pk === `SCOPE#${scope}` && test(item));

async function lose(bench: Workbench, test: (item: Item) => boolean = () => true): Promise<void> {
  for (const { pk, sk } of stored(bench, test)) await bench.memory.table.write({ pk, sk }, { delete: true }, { is: 'always' });
}

async function damage(bench: Workbench, sk: string, change: object): Promise<void> {
  await bench.memory.table.write({ pk: `SCOPE#${scope}`, sk }, { set: { ...change } }, { is: 'always' });
}

async function overwriteReceipt(bench: Workbench, body: string): Promise<void> {
  const top = await bench.bucket.objects.get(latestKey(path));
  await bench.bucket.objects.put(latestKey(path), body, { ifMatch: top?.etag ?? '' });
}

const held = async (bench: Workbench) =>
  (await readLedger(bench.memory.table, scope)).flatMap(({ line, entries }) => entries.map(({ key }) => `${line} ${key.slice(6)}`));
const does = async (bench: Workbench, run: Run) => (await bench.report(run.id)).recovery?.lines.map((one) => `${one.does} ${one.line}`);

describe('a recovery', () => {
  test('shows first what it would do, and writes nothing', async () => {
    const bench = await released();
    await lose(bench);
    const before = bench.memory.items().filter((item) => !item.pk.startsWith('RUN#'));
    const run = await recover(bench, {});
    expect(run).toMatchObject({ outcome: 'complete', kind: 'recover' });
    expect((await bench.report(run.id)).recovery).toMatchObject({
      dry: true,
      head: 'restore',
      skipped: [],
      lines: [
        { line: 'a', does: 'restore', resources: ['thing x', 'thing y'], foreign: [] },
        { line: 'b', does: 'restore', resources: ['thing z'], foreign: [] },
      ],
    });
    expect(bench.memory.items().filter((item) => !item.pk.startsWith('RUN#'))).toEqual(before);
    expect(bench.bucket.bodies(latestKey(path))).toHaveLength(1);
  });

  test('brings back what the table lost, above the receipt’s fence: applying again writes nothing, a destroy removes all (I3, I8)', async () => {
    const bench = await released();
    const fence = JSON.parse(bench.bucket.bodies(latestKey(path)).at(-1) as string).fence as number;
    await lose(bench);
    expect(await recover(bench)).toMatchObject({ outcome: 'complete' });
    expect(await held(bench)).toEqual(['a x', 'a y', 'b z']);
    expect((await readLease(bench.world(), scope))?.fence).toBe(fence + 1);
    expect(await readHead(bench.memory.table, scope)).toMatchObject({ history: [{ sha: commitOf('one') }], fence: fence + 1 });
    expect(await verifyChain(bench.bucket.objects, path)).toMatchObject({ links: 2, latest: { kind: 'recover', fence: fence + 1 } });
    expect(disagreements(bench)).toEqual([]);
    const writes = bench.provider.writes.length;
    expect((await bench.release(7, 'one', lines)).outcome).toBe('complete');
    expect(bench.provider.writes).toHaveLength(writes);
    await bench.close(7, 'one');
    expect(bench.provider.names()).toEqual([]);
    expect(disagreements(bench)).toEqual([]);
  });

  test('of what is whole has nothing to do, and does not bring back what was cleared away', async () => {
    const bench = await released();
    await bench.release(7, 'two', lines.slice(0, 1));
    const id = await bench.command({ ...at, intent: 'prune', options: { busy: 'wait', confirmed: true } });
    await bench.quiet();
    expect((await bench.run(id)).outcome).toBe('complete');
    expect(await does(bench, await recover(bench, {}))).toEqual(['keep a']);
  });

  test('goes on above every fence that is left, where the lease is gone and a later run died before its receipt (I9)', async () => {
    const bench = await released();
    await damage(bench, 'LEDGER#a', { fence: 41 });
    await lose(bench, ({ sk }) => sk === 'LEASE' || sk === 'LEDGER#b');
    await recover(bench);
    expect((await readLease(bench.world(), scope))?.fence).toBe(42);
  });

  test('goes back past damaged versions, says which, and mends the chain', async () => {
    const bench = await released();
    await bench.release(7, 'two', [...lines, { id: 'c', things: { w: '1' } }]);
    await overwriteReceipt(bench, '{"format":1');
    await lose(bench);
    const run = await recover(bench);
    expect(run.outcome).toBe('complete');
    const { recovery } = await bench.report(run.id);
    expect(recovery?.skipped).toMatchObject([{ why: 'A stored receipt is not JSON.' }]);
    expect(await held(bench)).toEqual(['a x', 'a y', 'b z', 'c w']);
    expect(await verifyChain(bench.bucket.objects, path)).not.toHaveProperty('broken');
    expect((await bench.release(7, 'two', [...lines, { id: 'c', things: { w: '1' } }])).outcome).toBe('complete');
  });

  test('never goes back past a receipt of a newer format (R1.83)', async () => {
    const bench = await released();
    await overwriteReceipt(bench, JSON.stringify({ format: 2, run: 'newer', ledger: [] }));
    await lose(bench);
    expect(await recover(bench)).toMatchObject({ outcome: 'failed', problem: { code: 'RECEIPT_VERSION' } });
    expect(await held(bench)).toEqual([]);
  });

  test('never writes over a line that can be read, whatever the receipt says of it, nor over one of a newer format', async () => {
    const bench = await released();
    const newer = { entries: [], version: 'a newer write' };
    await damage(bench, 'LEDGER#a', newer);
    await lose(bench, ({ sk }) => sk === 'LEDGER#b');
    const run = await recover(bench);
    expect(await does(bench, run)).toEqual(['keep a', 'restore b']);
    expect(await held(bench)).toEqual(['b z']);
    await damage(bench, 'LEDGER#a', { format: 2 });
    expect(await recover(bench)).toMatchObject({ outcome: 'failed', problem: { code: 'RECEIPT_VERSION' } });
  });

  test('replaces what is damaged: a ledger line, and the head', async () => {
    const bench = await released();
    await damage(bench, 'LEDGER#a', { entries: 'none' });
    await damage(bench, 'HEAD', { history: 'none' });
    const run = await recover(bench);
    expect([await does(bench, run), await held(bench)]).toEqual([
      ['restore a', 'keep b'],
      ['a x', 'a y', 'b z'],
    ]);
    expect(await readHead(bench.memory.table, scope)).toMatchObject({ history: [{ sha: commitOf('one') }] });
    expect(disagreements(bench)).toEqual([]);
  });

  test('names a damaged line that no receipt knows, and does not call the rest whole', async () => {
    const bench = await released();
    await bench.memory.table.write({ pk: `SCOPE#${scope}`, sk: 'LEDGER#q' }, { put: { line: 'q', format: 1, fence: 1 } }, { is: 'always' });
    expect(await does(bench, await recover(bench, {}))).toEqual(['keep a', 'keep b', 'lost q']);
    expect(await recover(bench)).toMatchObject({ outcome: 'failed', problem: { code: 'RECEIPT_CORRUPT', message: expect.stringContaining('LEDGER#q') } });
  });

  test('claims each identity again: what somebody else owns by now is named, not taken (R1.97, I5)', async () => {
    const bench = await released();
    await lose(bench);
    bench.code.tips.set('other', commitOf('other'));
    bench.code.commit(commitOf('other'), 'release.plan.yaml', planOf([{ id: 'mine', things: { x: '1' } }]));
    await bench.command({ commit: 'other', branch: 'other', scope: 'branch-other' });
    await bench.quiet();
    for (const run of [await recover(bench, {}), await recover(bench)]) {
      const [a] = (await bench.report(run.id)).recovery?.lines ?? [];
      expect(a).toMatchObject({ line: 'a', resources: ['thing y'], foreign: [{ label: 'thing x', owner: expect.stringContaining('line mine of scope') }] });
    }
    expect(await held(bench)).toEqual(['a y', 'b z']);
    expect(disagreements(bench)).toEqual([]);
  });

  test('keeps a destroyed scope destroyed: the tombstone is in the receipt', async () => {
    const bench = await released();
    const { id } = await bench.close(7, 'one');
    await lose(bench);
    await recover(bench);
    expect(await readHead(bench.memory.table, scope)).toMatchObject({ tombstone: { run: id } });
    await lose(bench);
    await recover(bench);
    expect(await readHead(bench.memory.table, scope)).toMatchObject({ tombstone: { run: id } });
  });

  test('and of two, the second remembers who took the scope over (R1.96)', async () => {
    const bench = openWorkbench();
    bench.code.tips.set('feat-7', commitOf('zero'));
    bench.code.commit(commitOf('zero'), 'release.plan.yaml', planOf(lines));
    const branch = { commit: 'zero', branch: 'feat-7', scope: 'branch-feat-7' };
    await bench.command(branch);
    await bench.quiet();
    await bench.release(7, 'one', lines);
    for (const _time of ['first', 'second']) {
      await bench.memory.table.write({ pk: `SCOPE#${scopeOf('branch-feat-7')}`, sk: 'HEAD' }, { delete: true }, { is: 'always' });
      await bench.command({ ...branch, intent: 'recover', options: { busy: 'fail', confirmed: true } });
      await bench.quiet();
    }
    expect(await readHead(bench.memory.table, scopeOf('branch-feat-7'))).toMatchObject({ supersededBy: { scope: 'pr-7', told: true } });
  });

  test('brings back what a person did in each scope, and claims nothing for it: the same step elsewhere is another (R1.55)', async () => {
    const bench = openWorkbench('embedded', { registry: createRegistry([things as Op, step as Op]) });
    const steps = [{ id: 'invite', adapter: 'manual', op: 'step', title: 'Invite the bot', instructions: 'Press Invite.' }];
    for (const number of [7, 8]) {
      const run = await bench.release(number, `of ${number}`, steps);
      const found = await findStep(bench.world(), scopeOf(number), 'invite');
      if ('done' in found) throw new Error('it was done before');
      const by = { name: 'kim', through: 'machine' } as const;
      await confirmStep(bench.world(), scopeOf(number), found, { by, start: bench.world().ids.fresh(), at: new Date(bench.clock.now()).toISOString() });
      await bench.quiet();
      expect(await bench.run(run.id)).toMatchObject({ outcome: 'complete' });
    }
    for (const number of [7, 8]) {
      await bench.memory.table.write({ pk: `SCOPE#${scopeOf(number)}`, sk: 'LEDGER#invite' }, { delete: true }, { is: 'always' });
      const run = await recoverOf(bench, number);
      expect((await bench.report(run.id)).recovery?.lines).toMatchObject([{ line: 'invite', does: 'restore', resources: [expect.any(String)], foreign: [] }]);
      const again = await bench.release(number, `again ${number}`, steps);
      expect(await bench.statuses(again.id)).toEqual({ invite: 'unchanged' });
    }
    expect(bench.memory.items().filter(({ pk }) => pk.startsWith('CLAIM#'))).toEqual([]);
  });

  test('is refused while another run holds the lease, and waits for nobody', async () => {
    const bench = await released();
    await lose(bench, ({ sk }) => sk === 'LEDGER#b');
    await grantLease(bench.world(), scope, 'a run at work');
    expect(await recover(bench)).toMatchObject({ outcome: 'failed', problem: { code: 'LOCK_HELD' } });
    expect(await held(bench)).toEqual(['a x', 'a y']);
  });

  test('of a scope without a receipt, or without one that can be read, says so and does nothing', async () => {
    const bench = openWorkbench();
    expect(await recover(bench)).toMatchObject({ outcome: 'failed', problem: { code: 'NOT_FOUND' } });
    await bench.bucket.objects.put(latestKey(path), 'nothing of ours', { ifAbsent: true });
    expect(await recover(bench)).toMatchObject({ outcome: 'failed', problem: { code: 'RECEIPT_CORRUPT' } });
    expect(stored(bench, () => true)).toEqual([]);
  });

  test.each(['before', 'after', 'lost', 'unsent'] as const)('that is cut off anywhere is finished (%s its calls)', async (fate) => {
    let step = 0;
    for (; ; step += 1) {
      const bench = await released();
      await lose(bench);
      const id = await bench.command({ ...at, intent: 'recover', options: { busy: 'fail', confirmed: true } });
      bench.fates.plan(step, fate);
      await bench.quiet();
      await bench.sweep();
      const met = bench.fates.met();
      if (met === undefined) break;
      expect([step, met, (await bench.run(id)).outcome, await held(bench)]).toEqual([step, met, 'complete', ['a x', 'a y', 'b z']]);
      expect((await bench.report(id)).recovery?.lines.map((one) => one.does)).toEqual(['restore', 'restore']);
      expect(disagreements(bench)).toEqual([]);
    }
    expect(step).toBeGreaterThan(25);
  });
});
