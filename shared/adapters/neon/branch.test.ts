import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { context, resolve } from '../../../test/contract/op-contract.ts';
import { simWorld } from '../../../test/contract/sim-world.ts';
import { demo } from '../../../test/sim/seed.ts';
import type { OpCall } from '../../engine/op.ts';
import type { Value } from '../../engine/value.ts';
import type { Params } from '../../plan/types.ts';
import { branch } from './branch.ts';

const usual = 'lockkeeper/preview/pr-7';

let world: Awaited<ReturnType<typeof simWorld>>;
let call: OpCall;
beforeEach(async () => {
  world = await simWorld(branch, { project: demo.neonProject });
  call = { ...world.call, identity: await branch.identity(world.call) };
});
afterEach(() => world.stop());

const paramsOf = (params: Params = {}) => resolve(branch.defaults(params, context));

async function inspect(params: Params = {}) {
  const resolved = paramsOf(params);
  const reading = await branch.read(resolved, call);
  return { resolved, reading, changes: branch.diff(resolved, reading, context) };
}

async function make(params: Params = {}) {
  const { resolved, reading, changes } = await inspect(params);
  const applied = await branch.apply(resolved, reading, changes, call);
  if (!applied.done) throw new Error(applied.why);
  return applied;
}

const branches = () => world.sim.state().neon.projects[0]?.branches ?? [];

describe('neon.branch', () => {
  it('is named after environment and scope where the line does not say', async () => {
    expect((await make()).resources[0]?.key).toBe(`branch:${usual}`);
  });

  it('creates the branch with one endpoint that takes writes, in one write', async () => {
    const { outputs } = await make();
    const made = branches().find((found) => found.name === usual);
    expect(made?.endpoints.map((endpoint) => endpoint.type)).toEqual(['read_write']);
    expect(world.writes()).toBe(1);
    expect(outputs).toMatchObject({ branch_id: made?.id, host: expect.stringContaining(made?.endpoints[0]?.id ?? '?') });
    expect(outputs['connection_string']).toContain(made?.roles[0]?.password);
  });

  it('takes the time of creation from Neon, by which an interrupted create is recognised', async () => {
    const [made] = (await make()).resources;
    expect(made?.createdAt).toBe(branches().find((found) => found.name === usual)?.createdAt);
  });

  it('grows from main where the line does not say', async () => {
    await make();
    expect(branches().find((found) => found.name === usual)?.parentId).toBe(demo.neonRootBranch);
  });

  it('grows from the default branch where none is called main', async () => {
    world.sim.control.edit('neon.rename', { branch: 'main', to: 'trunk' });
    await make();
    expect(branches().find((found) => found.name === usual)?.parentId).toBe(demo.neonRootBranch);
  });

  it.each(['by name', 'by id'])('grows from the parent that is given %s', async (how) => {
    const { id } = world.sim.control.edit('neon.create', { name: 'staging' });
    await make({ parent: how === 'by id' ? id : 'staging' });
    expect(branches().find((found) => found.name === usual)?.parentId).toBe(id);
  });

  it('refuses a parent that is not there before anything is written', async () => {
    await expect(inspect({ parent: 'nowhere' })).rejects.toMatchObject({ code: 'PARAM_INVALID' });
    expect(world.writes()).toBe(0);
  });

  it('foretells no hash while the parent is pending', async () => {
    const pending: Value = { kind: 'pending', ref: 'base.branch_id', sensitive: false };
    const resolved = { ...paramsOf(), parent: pending };
    const [change] = branch.diff(resolved, await branch.read(resolved, call), context);
    expect(change).toMatchObject({ kind: 'create', fields: [{ path: 'name' }, { path: 'parent', after: { state: 'pending', ref: 'base.branch_id' } }] });
    expect(change).not.toHaveProperty('hash');
  });

  it('leaves a branch under another parent as it is', async () => {
    world.sim.control.edit('neon.create', { name: 'staging' });
    world.sim.control.edit('neon.create', { name: usual, parent: 'staging' });
    const { reading, changes } = await inspect();
    expect(changes).toMatchObject([{ kind: 'unchanged', hash: reading.resources[0]?.hash }]);
  });

  it('reads every page of branches', async () => {
    for (const name of [usual, 'a', 'b', 'c']) world.sim.control.edit('neon.create', { name });
    world.sim.control.set({ neon: { pageSize: 2 } });
    expect((await inspect()).changes).toMatchObject([{ kind: 'unchanged' }]);
  });

  it('gives what outputs it can for a branch without an endpoint', async () => {
    const { id } = world.sim.control.edit('neon.create', { name: usual, endpoint: false });
    expect((await inspect()).reading.outputs).toEqual({ branch_id: id });
  });

  it('reports a branch renamed by hand as changed, under the key it is remembered by', async () => {
    const [made] = (await make()).resources;
    world.sim.control.edit('neon.rename', { branch: usual, to: 'mine-now' });
    const found = await branch.lookup({ key: made?.key ?? '', id: made?.id ?? '' }, call);
    expect(found).toMatchObject({ key: made?.key, id: made?.id });
    expect(found?.hash).not.toBe(made?.hash);
  });

  it('waits out a busy project a few times, then says that it is busy', async () => {
    world.sim.control.rule({ provider: 'neon', times: 2, fail: { status: 423 } });
    expect((await make()).created).toEqual([`branch:${usual}`]);
    world.sim.control.rule({ provider: 'neon', times: 9, fail: { status: 423 } });
    await expect(make({ name: 'second' })).rejects.toMatchObject({ code: 'PROVIDER_TRANSIENT' });
  });

  it('never deletes the default branch', async () => {
    await expect(branch.destroy({ key: 'branch:main', id: demo.neonRootBranch, hash: '', label: 'main' }, call)).rejects.toMatchObject({
      code: 'PROVIDER_CONFLICT',
    });
    expect(world.writes()).toBe(0);
  });

  it('never deletes a branch that was protected since', async () => {
    const [made] = (await make()).resources;
    if (made === undefined) throw new Error('nothing was made');
    await call.http.send({
      method: 'PATCH',
      path: `/projects/${demo.neonProject}/branches/${made.id}`,
      body: { branch: { protected: true } },
      answer: z.unknown(),
    });
    await expect(branch.destroy(made, call)).rejects.toMatchObject({ code: 'PROVIDER_CONFLICT' });
    expect(branches().some((found) => found.id === made.id)).toBe(true);
  });

  it('deletes by id alone: a branch of the same name that somebody made anew stays', async () => {
    const [made] = (await make()).resources;
    if (made === undefined) throw new Error('nothing was made');
    const { id } = world.sim.control.edit('neon.recreate', { branch: usual });
    await branch.destroy(made, call);
    expect(branches().map((found) => found.id)).toContain(id);
  });

  it('lists every branch but the root', async () => {
    world.sim.control.edit('neon.create', { name: 'stray' });
    expect((await branch.list?.(paramsOf(), call))?.map((found) => found.key)).toEqual(['branch:stray']);
  });

  it('refuses a name that comes from a secret: keys are shown', async () => {
    const secret: Value = { kind: 'known', value: 'x', sensitive: true, ref: 'env://NAME' };
    await expect(branch.read({ name: secret }, call)).rejects.toMatchObject({ code: 'SECRET_IN_IDENTITY' });
  });
});
