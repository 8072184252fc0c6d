import { describe, expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { things } from '../../test/ports/example-op.ts';
import { watchOwners } from '../../test/ports/owners.ts';
import { commitOf, openWorkbench, planOf, repository, scopeOf, type Workbench } from '../../test/ports/workbench.ts';
import { step } from '../adapters/manual/step.ts';
import { createRegistry } from '../adapters/registry.ts';
import type { Op } from '../engine/op.ts';
import { grantLease } from '../lease/lease.ts';
import { ensureHead, readHead } from '../ledger/head.ts';
import { readLedger } from '../ledger/ledger-line.ts';
import { verifyChain } from '../receipts/verify-chain.ts';
import { scopePath } from '../table/keys.ts';

const lines = [
  { id: 'a', things: { x: '1', y: '1' } },
  { id: 'b', things: { z: { from: 'a.id' } } },
];
const old = scopeOf('branch-feat-7');
const path = (scope: string) => scopePath({ repository: repository.id, plan: 'main', environment: 'preview', scope });

/** Branch `feat-7` with these lines applied from a terminal, under a scope of its own. */
async function withBranch(changes: readonly object[] = lines, branch = 'feat-7'): Promise<Workbench> {
  const bench = openWorkbench();
  bench.code.tips.set(branch, commitOf('zero'));
  bench.code.commit(commitOf('zero'), 'release.plan.yaml', planOf(changes));
  await bench.command({ commit: 'zero', branch, scope: `branch-${branch}` });
  await bench.quiet();
  return bench;
}

const held = async (bench: Workbench, scope: string) =>
  (await readLedger(bench.memory.table, scope)).flatMap((line) => line.entries.map(({ key, createdBy }) => `${line.line} ${key.slice(6)} ${createdBy}`)).sort();
const there = (bench: Workbench) => bench.provider.names().map((name) => name[0]);
const deletes = (bench: Workbench) => bench.provider.writes.filter(({ method }) => method === 'DELETE').map(({ name }) => name);

describe('a pull request whose head branch had a scope of its own (R1.30)', () => {
  test('takes over what that manages without a write to the provider, and its destroy removes everything once (R1.97, I8)', async () => {
    const bench = await withBranch();
    const writes = bench.provider.writes.length;
    expect((await bench.release(7, 'one', lines)).outcome).toBe('complete');
    expect(bench.provider.writes).toHaveLength(writes);
    expect([await held(bench, old), await held(bench, scopeOf(7))]).toEqual([[], ['a x lockkeeper', 'a y lockkeeper', 'b z lockkeeper']]);
    expect(disagreements(bench)).toEqual([]);
    await bench.close(7, 'one');
    expect([there(bench), deletes(bench).sort()]).toEqual([[], ['x', 'y', 'z']]);
    expect(disagreements(bench)).toEqual([]);
  });

  test('changes what it took over as its own: fingerprints compare, and an edit outside is still found (R0.4)', async () => {
    const bench = await withBranch();
    expect((await bench.release(7, 'one', [{ id: 'a', things: { x: '2', y: '1' } }])).outcome).toBe('complete');
    expect(bench.provider.find('x')?.value).toBe('2');
    bench.provider.edit('x', 'by hand');
    const run = await bench.release(7, 'two', [{ id: 'a', things: { x: '3', y: '1' } }]);
    expect((await bench.report(run.id)).lines[0]?.problem?.code).toBe('DRIFT_CHANGED');
  });

  test('knows as adopted what the branch had adopted, and as an orphan what it no longer wants', async () => {
    const bench = openWorkbench();
    bench.provider.edit('x', '1');
    bench.code.commit(commitOf('zero'), 'release.plan.yaml', planOf(lines));
    await bench.command({ commit: 'zero', branch: 'feat-7', scope: 'branch-feat-7' });
    await bench.quiet();
    const run = await bench.release(7, 'one', lines.slice(0, 1));
    expect(await held(bench, scopeOf(7))).toEqual(['a x adopted', 'a y lockkeeper', 'b z lockkeeper']);
    expect((await bench.report(run.id)).drift.map(({ kind, line }) => `${kind} ${line}`)).toEqual(['orphan b']);
    await bench.close(7, 'one');
    expect(there(bench)).toEqual(['x']);
  });

  test('leaves a head that says who has it, and a chain of receipts without a gap (R1.96, I6)', async () => {
    const bench = await withBranch();
    const run = await bench.release(7, 'one', lines);
    expect(await readHead(bench.memory.table, old)).toMatchObject({ supersededBy: { scope: 'pr-7', run: run.id, told: true } });
    const chain = await verifyChain(bench.bucket.objects, path('branch-feat-7'));
    expect(chain).toMatchObject({ links: 2, latest: { supersededBy: 'pr-7', status: 'superseded', scope: 'branch-feat-7', managed: 0, ledger: [{}, {}] } });
    expect(chain).not.toHaveProperty('broken');
  });

  test('waits for nobody: what a busy predecessor holds is relied on, and taken over by the next run (P4)', async () => {
    const bench = await withBranch();
    await grantLease(bench.world(), old, 'a run at work on the branch');
    expect((await bench.release(7, 'one', lines)).outcome).toBe('complete');
    expect([await held(bench, old), await held(bench, scopeOf(7))]).toEqual([['a x lockkeeper', 'a y lockkeeper', 'b z lockkeeper'], []]);
    bench.clock.advance(60_000);
    await bench.release(7, 'two', lines);
    expect([await held(bench, old), (await held(bench, scopeOf(7))).length]).toEqual([[], 3]);
  });

  test('may not change what a busy predecessor holds, and a destroy leaves it there (I5)', async () => {
    const bench = await withBranch();
    await grantLease(bench.world({ leaseTtl: 3_600_000 }), old, 'a run at work on the branch');
    const run = await bench.release(7, 'one', [{ id: 'a', things: { x: '2' } }]);
    expect((await bench.report(run.id)).lines[0]?.problem?.code).toBe('OWNED_BY_OTHER_SCOPE');
    await bench.close(7, 'one');
    expect(there(bench)).toEqual(['x', 'y', 'z']);
  });

  test('takes over again what a later run of the branch made', async () => {
    const bench = await withBranch();
    await bench.release(7, 'one', lines);
    bench.code.commit(commitOf('later'), 'release.plan.yaml', planOf([...lines, { id: 'c', things: { w: '1' } }]));
    await bench.command({ commit: 'later', branch: 'feat-7', scope: 'branch-feat-7' });
    await bench.quiet();
    expect(await held(bench, old)).toEqual(['c w lockkeeper']);
    await bench.release(7, 'two', lines);
    expect([await held(bench, old), (await held(bench, scopeOf(7))).length]).toEqual([[], 4]);
    expect(disagreements(bench)).toEqual([]);
  });

  test('ends the run of the branch that waits, whose things are the pull request’s now (P4, I11)', async () => {
    const bench = openWorkbench('embedded', { registry: createRegistry([things as Op, step as Op]) });
    const waiting = [...lines, { id: 'invite', adapter: 'manual', op: 'step', title: 'Invite the bot', instructions: 'Press Invite.' }];
    bench.code.tips.set('feat-7', commitOf('zero'));
    bench.code.commit(commitOf('zero'), 'release.plan.yaml', planOf(waiting));
    const branch = await bench.command({ commit: 'zero', branch: 'feat-7', scope: 'branch-feat-7' });
    await bench.quiet();
    expect((await bench.run(branch)).phase).toBe('waiting');
    const run = await bench.release(7, 'one', waiting);
    expect(await bench.run(branch)).toMatchObject({ phase: 'done', outcome: 'superseded', problem: { message: `Run ${run.id} took its place.` } });
    expect((await readHead(bench.memory.table, old))?.openRuns).toEqual([]);
    expect((await bench.run(run.id)).phase).toBe('waiting');
  });

  test('is planned as if it had it all already, and a plan takes nothing over (I4)', async () => {
    const bench = await withBranch();
    bench.pull(7, 'one', [{ id: 'a', things: { x: '2', y: '1', w: '1' } }]);
    const before = bench.memory.items().filter((item) => item.pk.startsWith('SCOPE#') || item.pk.startsWith('CLAIM#'));
    const id = await bench.command({ commit: 'one', intent: 'plan', pullRequest: 7, branch: 'feat-7', scope: 'pr-7' });
    await bench.quiet();
    const [line] = (await bench.report(id)).lines;
    expect(line?.changes.map(({ key, kind }) => `${kind} ${key}`).sort()).toEqual(['create thing:w', 'unchanged thing:y', 'update thing:x']);
    expect(bench.memory.items().filter((item) => item.pk.startsWith('SCOPE#') || item.pk.startsWith('CLAIM#'))).toEqual(before);
  });

  test('that is asked about first takes it over before it is planned: nothing moves under a decision (P7)', async () => {
    const bench = await withBranch();
    bench.code.tips.set('main', commitOf('policy'));
    bench.code.commit(commitOf('policy'), 'lockkeeper.yaml', 'version: 1\nenvironments: { preview: { protected: true } }\n');
    const run = await bench.release(7, 'one', [{ id: 'a', things: { x: '2', y: '1' } }]);
    expect(run).toMatchObject({ phase: 'awaiting' });
    expect([await held(bench, old), (await held(bench, scopeOf(7))).length]).toEqual([[], 3]);
    expect(bench.provider.find('x')?.value).toBe('1');
  });
});

describe('a hand-over (P4)', () => {
  test('leaves every resource exactly one owner at each of its writes (R1.97)', async () => {
    const bench = await withBranch();
    watchOwners(bench, ['x', 'y', 'z']);
    expect((await bench.release(7, 'one', lines)).outcome).toBe('complete');
    expect(await held(bench, old)).toEqual([]);
  });

  test('starts no step that could end after one of the two leases', async () => {
    const bench = await withBranch();
    const { write } = bench.memory.table;
    const late: string[] = [];
    let copied = false;
    bench.memory.table.write = async (key, change, when) => {
      const lease = (scope: string) => bench.memory.items().find((item) => item.pk === `SCOPE#${scope}` && item.sk === 'LEASE');
      const alive = [old, scopeOf(7)].every((scope) => (lease(scope)?.['expiresAt'] as number) > bench.clock.now() && lease(scope)?.['released'] !== true);
      if (key.pk.startsWith('CLAIM#') && !alive) late.push(key.pk);
      const answer = await write.call(bench.memory.table, key, change, when);
      if (!copied && key.pk === `SCOPE#${scopeOf(7)}` && key.sk === 'LEDGER#a' && (change as { set?: { entries?: unknown[] } }).set?.entries?.length) {
        copied = true;
        bench.clock.advance(20_000);
      }
      return answer;
    };
    expect((await bench.release(7, 'one', lines)).outcome).toBe('complete');
    expect([copied, late, await held(bench, old)]).toEqual([true, [], []]);
  });

  test('that died between copy and claim leaves a copy, which a destroy forgets and does not delete', async () => {
    const bench = await withBranch();
    const item = bench.memory.items().find(({ pk, sk }) => pk === `SCOPE#${old}` && sk === 'LEDGER#a');
    const at = { repository: repository.id, plan: 'main', environment: 'preview', scope: 'pr-7' };
    await ensureHead(bench.world(), at, { fence: 0, deadline: 0 });
    await bench.memory.table.write({ pk: `SCOPE#${scopeOf(7)}`, sk: 'LEDGER#a' }, { put: { ...item, fence: 0 } }, { is: 'always' });
    const id = await bench.command({ commit: 'one', intent: 'destroy', scope: 'pr-7', branch: 'feat-7', pullRequest: 7 });
    await bench.quiet();
    expect((await bench.run(id)).outcome).toBe('complete');
    expect([there(bench), (await held(bench, old)).length, await held(bench, scopeOf(7))]).toEqual([['x', 'y', 'z'], 3, []]);
  });
});

describe('nothing is inherited (R1.30)', () => {
  test('by a pull request from a fork, though its branch has the name of one that is here', async () => {
    const bench = await withBranch();
    bench.pull(7, 'one', lines);
    const pull = bench.code.pulls.get(7);
    if (pull) bench.code.pulls.set(7, { ...pull, head: { ...pull.head, fork: true } });
    const id = await bench.command({ commit: 'one', intent: 'apply', pullRequest: 7, branch: 'feat-7', scope: 'pr-7' });
    await bench.quiet();
    expect((await bench.run(id)).outcome).toBe('complete');
    expect([(await held(bench, old)).length, await held(bench, scopeOf(7))]).toEqual([3, []]);
  });

  test.each(['main', 'trunk'])('by one whose head is the default branch %s', async (branch) => {
    const bench = await withBranch(lines, branch);
    bench.code.repository = { defaultBranch: branch };
    bench.pull(7, 'one', lines);
    const pull = bench.code.pulls.get(7);
    if (pull) bench.code.pulls.set(7, { ...pull, head: { ...pull.head, branch } });
    await bench.event('opened', 7, 'one');
    await bench.quiet();
    expect([(await held(bench, scopeOf(`branch-${branch}`))).length, await held(bench, scopeOf(7))]).toEqual([3, []]);
  });

  test('by one whose head branch the host calls otherwise than the run', async () => {
    const bench = await withBranch();
    bench.pull(7, 'one', lines);
    const id = await bench.command({ commit: 'one', intent: 'apply', pullRequest: 7, branch: 'feat-7', scope: 'pr-7' });
    const pull = bench.code.pulls.get(7);
    if (pull) bench.code.pulls.set(7, { ...pull, head: { ...pull.head, branch: 'another' } });
    await bench.quiet();
    expect([(await bench.run(id)).outcome, (await held(bench, old)).length]).toEqual(['complete', 3]);
  });
});
