import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Template } from '../../infra/template.ts';
import type { Run } from '../../shared/run/items.ts';
import { type Frozen, freezeNext, restore } from './freeze.ts';
import { rests } from './house.ts';
import { expectChain, expectLeftInOrder } from './invariants.ts';
import {
  callback,
  chain,
  closeAndRun,
  db,
  deliverPull,
  deliverPush,
  env,
  openAndRun,
  openPull,
  openStage,
  type Pull,
  planOf,
  pushAndRun,
  pushTo,
  reportOf,
  type Stage,
  standing,
  until,
  whole,
  withVariables,
} from './stage.ts';

let stage: Stage;
afterEach(() => expectLeftInOrder(stage));
afterAll(async () => {
  restore();
  await stage?.stop();
});

describe('a worker that stood still until another run had taken its lease', () => {
  const stood: Record<'create' | 'update' | 'delete', { frozen: Frozen; pull: Pull; first: Run }> = {} as never;

  /** A lease that lasts four seconds runs out while a worker stands still; with eighteen the tests would only wait longer. */
  const brief = (template: Template): Template =>
    ['run-controller', 'line-worker', 'dead-letter'].reduce((made, entry) => withVariables(made, entry, { LEASE_TTL_SECONDS: '4' }), template);

  // All three stand still together, all three leases run out and are taken, and then all three go on.
  beforeAll(async () => {
    stage = await openStage({ template: brief });
    const updated = await openAndRun(stage, 'fenced-update', chain('fenced-update'));
    const removed = await openAndRun(stage, 'fenced-delete', chain('fenced-delete'));

    const create = freezeNext((method, path) => method === 'POST' && path.endsWith('/branches'));
    const made = openPull(stage, 'fenced-create', chain('fenced-create'));
    await deliverPull(stage, made, 'opened');
    await create.reached;
    const update = freezeNext((method) => method === 'PATCH');
    const second = pushTo(stage, updated.pull, planOf(db('fenced-update'), env('fenced-update', 'second'), callback('fenced-update', '[env]')));
    await deliverPush(stage, second, updated.pull.sha);
    await update.reached;
    const remove = freezeNext((method, path) => method === 'DELETE' && path.includes('/branches/'));
    stage.sim.control.edit('github.close', { number: removed.pull.number });
    await deliverPull(stage, removed.pull, 'closed');
    await remove.reached;

    const firstOf = (pull: Pull, kind: 'apply' | 'destroy') => stage.runOf(pull.sha, (run) => run.kind === kind);
    const firsts = [await firstOf(made, 'apply'), await firstOf(second, 'apply'), await firstOf(removed.pull, 'destroy')] as const;

    const takesCreate = pushTo(stage, made, chain('fenced-create'), { 'notes.md': 'next' });
    await deliverPush(stage, takesCreate, made.sha);
    const takesUpdate = pushTo(stage, second, planOf(db('fenced-update'), env('fenced-update', 'third'), callback('fenced-update', '[env]')));
    await deliverPush(stage, takesUpdate, second.sha);
    stage.sim.control.edit('github.reopen', { number: removed.pull.number });
    const takesDelete = pushTo(stage, removed.pull, chain('fenced-delete'), { 'notes.md': 'next' });
    await deliverPull(stage, takesDelete, 'reopened');
    for (const [at, pull] of [takesCreate, takesUpdate, takesDelete].entries()) {
      const run = await stage.runOf(pull.sha, rests, 30_000);
      expect(run).toMatchObject({ outcome: 'complete', tookOver: firsts[at]?.id });
    }
    Object.assign(stood, {
      create: { frozen: create, pull: takesCreate, first: firsts[0] },
      update: { frozen: update, pull: takesUpdate, first: firsts[1] },
      delete: { frozen: remove, pull: takesDelete, first: firsts[2] },
    });
  });
  /** Lets the worker go on and waits for the end of its run, which comes when its message is delivered again. */
  async function goOn({ frozen, first }: { frozen: Frozen; first: Run }, then: () => void = () => undefined): Promise<{ status: number; run: Run }> {
    const status = await frozen.thaw();
    then();
    const run = await until(
      'the end of the fenced-out run',
      async () => (await stage.runs()).find((one) => one.id === first.id && one.phase === 'done'),
      40_000,
    );
    await stage.stack.idle({ withinMs: 20_000, ignoreDelayed: true });
    return { status, run };
  }

  it('before a create: it records nothing, and one resource remains, in the ledger of the run that took over', async () => {
    const { pull, first } = stood.create;
    const before = await standing(stage, pull);

    const { status, run } = await goOn(stood.create);

    expect(status).toBe(409);
    expect(run).toMatchObject({ outcome: 'fenced-out' });
    expect((await reportOf(stage, run)).problem).toMatchObject({ code: 'LOCK_LOST' });
    const after = await standing(stage, pull);
    expect(after).toMatchObject(whole('fenced-create'));
    expect(after.entries).toEqual(before.entries);
    expect(after.entries.some((entry) => entry.run === first.id)).toBe(false);
    expect((await expectChain(stage, pull)).map((receipt) => receipt.run)).not.toContain(first.id);
  });

  it('before an update: the old value lands where nobody can fence, is recorded nowhere, and the next run calls it drift', async () => {
    const { pull } = stood.update;
    const before = await standing(stage, pull);

    const { status, run } = await goOn(stood.update);

    expect(status).toBe(200);
    expect(run).toMatchObject({ outcome: 'fenced-out' });
    expect((await standing(stage, pull)).entries).toEqual(before.entries);

    const next = await pushAndRun(stage, pull, planOf(db('fenced-update'), env('fenced-update', 'third'), callback('fenced-update', '[env]')), {
      'notes.md': 'look',
    });
    expect(next.run.outcome).toBe('failed');
    expect((await standing(stage, next.pull)).comments[0]?.body).toContain('**DRIFT_CHANGED**');
  });

  it('before a delete: the resource is gone, its entry stays, and the next run calls it missing and makes it again', async () => {
    const { pull } = stood.delete;
    const before = await standing(stage, pull);
    expect(before).toMatchObject(whole('fenced-delete'));

    const { status, run } = await goOn(stood.delete);

    expect(status).toBe(200);
    expect(run).toMatchObject({ outcome: 'fenced-out', kind: 'destroy' });
    const after = await standing(stage, pull);
    expect(after).toMatchObject({ ...whole('fenced-delete'), branches: [] });
    expect(after.entries).toEqual(before.entries);

    const next = await pushAndRun(stage, pull, chain('fenced-delete'), { 'notes.md': 'look' });
    expect(next.run.outcome).toBe('complete');
    expect((await reportOf(stage, next.run)).drift).toMatchObject([{ kind: 'missing', line: 'db' }]);
    expect(await standing(stage, next.pull)).toMatchObject(whole('fenced-delete'));
    expect((await closeAndRun(stage, next.pull)).outcome).toBe('complete');
    expect(await standing(stage, next.pull)).toMatchObject({ branches: [], variables: [], redirects: [], entries: [] });
  });

  it('before a create, going on while the new holder has only begun: its record is refused, and the new holder takes the resource for its own', async () => {
    const frozen = freezeNext((method, path) => method === 'POST' && path.endsWith('/branches'));
    const pull = openPull(stage, 'fenced-early', planOf(db('fenced-early')));
    await deliverPull(stage, pull, 'opened');
    await frozen.reached;
    const first = await stage.runOf(pull.sha, (run) => run.phase === 'applying');
    stage.sim.control.rule({ provider: 'neon', on: 'GET /projects/*/branches', hold: true });
    const next = pushTo(stage, pull, planOf(db('fenced-early')), { 'notes.md': 'next' });
    await deliverPush(stage, next, pull.sha);

    // The new holder has sealed the scope and not yet written: the ledger line has the version the old holder read.
    await stage.sim.control.untilHeld();
    const { status, run } = await goOn({ frozen, first }, () => stage.sim.control.release());

    expect(status).toBe(201);
    expect(run).toMatchObject({ outcome: 'fenced-out' });
    const second = await stage.runOf(next.sha);
    expect(second).toMatchObject({ outcome: 'complete', tookOver: first.id });
    expect(await standing(stage, next)).toMatchObject({ branches: ['fenced-early'], entries: [{ createdBy: 'lockkeeper', run: second.id, fence: 2 }] });
    expect((await expectChain(stage, pull)).map((receipt) => receipt.run)).toEqual([second.id]);
  });
});
