import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { context, resolve } from '../../../test/contract/op-contract.ts';
import { simWorld } from '../../../test/contract/sim-world.ts';
import { demo } from '../../../test/sim/seed.ts';
import type { VercelTarget } from '../../../test/sim/vercel/state.ts';
import type { OpCall, Remembered } from '../../engine/op.ts';
import type { Resolved, ResolvedParams } from '../../engine/value.ts';
import type { PlanValue } from '../../plan/types.ts';
import { sha256 } from '../digest.ts';
import { env } from './env.ts';

const { sha, branch } = context;
const keep: Resolved = { kind: 'keep' };
const known = (value: string, sensitive = false): Resolved => ({ kind: 'known', value, sensitive });

let world: Awaited<ReturnType<typeof simWorld>>;
let call: OpCall;
beforeEach(async () => {
  world = await simWorld(env, { project: demo.vercelProject, team: demo.vercelTeam }, (sim) => sim.control.set({ vercel: { builds: 'never' } }));
  call = { ...world.call, identity: await env.identity(world.call) };
});
afterEach(() => world.stop());

/** Parameters after resolution; preview of the current branch unless it is said. */
const lineOf = (values: Record<string, Resolved>, place: Record<string, PlanValue> = {}): ResolvedParams => ({
  ...resolve(env.defaults(place as never, context)),
  values,
});

async function inspect(params: ResolvedParams) {
  const reading = await env.read(params, call);
  return { reading, changes: env.diff(params, reading, context) };
}

async function apply(params: ResolvedParams) {
  const { reading, changes } = await inspect(params);
  const applied = await env.apply(params, reading, changes, call);
  if (!applied.done) throw new Error(applied.why);
  return applied;
}

const variables = () => world.sim.state().vercel.projects[0]?.variables ?? [];
const variable = (key: string) => variables().find((found) => found.key === key);
const console = (key: string, value: string, type: 'encrypted' | 'sensitive' | 'plain' = 'encrypted') =>
  world.sim.control.edit('vercel.add', { key, value, branch, type });

describe('vercel.env: where a line writes', () => {
  it.each([
    ['preview', {}, { target: 'preview', branch }],
    ['production', {}, { target: 'production', branch: '*' }],
    ['staging', {}, { target: 'preview', branch }],
    ['preview', { branch: '' }, { target: 'preview', branch: '*' }],
    ['preview', { branch: 'other' }, { target: 'preview', branch: 'other' }],
    ['preview', { target: 'development' }, { target: 'development', branch: '*' }],
  ])('under %s with %j is %j', (environment, written, place) => {
    expect(env.defaults(written, { ...context, environment })).toMatchObject(place);
  });

  it('says production for target production, whatever the environment is called', () => {
    expect(env.writesEnvironment({ target: 'production' }, {}, context)).toBe('production');
    expect(env.writesEnvironment({}, {}, { ...context, environment: 'production' })).toBe('production');
    expect(env.writesEnvironment({}, {}, context)).toBe('preview');
  });

  it('cannot be chosen by a reference: approval is judged before references are known', () => {
    expect(() => env.defaults({ target: { from: 'a.b' } }, context)).toThrow(expect.objectContaining({ code: 'PARAM_INVALID' }));
    expect(env.params.safeParse({ target: { from: 'a.b' } }).success).toBe(false);
  });

  it('has a branch with target preview only', () => {
    expect(() => env.defaults({ target: 'production', branch: 'x' }, context)).toThrow(expect.objectContaining({ code: 'PARAM_INVALID' }));
  });

  it('is one project by id and by name, with its team or without', async () => {
    const byName = await simWorld(env, { project: demo.vercelProjectName });
    try {
      expect(await env.identity(byName.call)).toEqual(call.identity);
    } finally {
      await byName.stop();
    }
  });
});

describe('vercel.env: reading', () => {
  it('names each variable by target, branch and name, and hashes its value (R1.75)', async () => {
    console('A', 'one');
    const { reading } = await inspect(lineOf({ A: known('one'), B: known('two') }));
    expect(reading.resources).toMatchObject([{ key: `env:preview:${branch}:A`, id: variable('A')?.id, hash: sha256('one') }]);
  });

  it('asks alone for values a list does not give, and only for those it manages', async () => {
    console('A', 'one');
    console('B', 'two');
    console('KEPT', 'three');
    world.sim.control.set({ vercel: { decryptLists: false } });
    const { changes } = await inspect(lineOf({ A: known('one'), KEPT: keep }));
    expect(changes.map((change) => change.kind)).toEqual(['unchanged', 'unchanged']);
    expect(world.sim.requests({ provider: 'vercel' }).filter((request) => request.path.includes('/v1/projects/'))).toHaveLength(1);
  });

  it('finds a variable on a later page', async () => {
    console('A', 'one');
    for (const key of ['B', 'C', 'D']) console(key, 'x');
    world.sim.control.set({ vercel: { pageSize: 2 } });
    expect((await inspect(lineOf({ A: known('one') }))).changes).toMatchObject([{ kind: 'unchanged' }]);
  });

  it('does not mistake the variable of another branch, or of all, for its own', async () => {
    world.sim.control.edit('vercel.add', { key: 'A', value: 'one', branch: 'other' });
    world.sim.control.edit('vercel.add', { key: 'A', value: 'one' });
    expect((await inspect(lineOf({ A: known('one') }))).changes).toMatchObject([{ kind: 'create' }]);
  });

  it('foretells no hash for a value that is pending', async () => {
    const [change] = (await inspect(lineOf({ A: { kind: 'pending', ref: 'db.connection_string', sensitive: true } }))).changes;
    expect(change).toMatchObject({ kind: 'create', fields: [{ after: { state: 'pending', ref: 'db.connection_string' } }] });
    expect(change).not.toHaveProperty('hash');
  });

  it('never shows the live value', async () => {
    console('A', 'from-the-console');
    const { changes } = await inspect(lineOf({ A: known('literal') }));
    expect(changes).toMatchObject([
      { kind: 'update', fields: [{ path: 'values.A', before: { state: 'sensitive' }, after: { state: 'literal', value: 'literal' } }] },
    ]);
    expect(JSON.stringify(changes)).not.toContain('from-the-console');
  });

  it('writes a value it cannot read again, and says why', async () => {
    console('A', 'one', 'sensitive');
    const params = lineOf({ A: known('one') });
    expect((await inspect(params)).changes).toMatchObject([{ kind: 'update', label: expect.stringContaining('does not show its present value') }]);
    await apply(params);
    expect(variable('A')).toMatchObject({ value: 'one', type: 'sensitive' });
  });
});

describe('vercel.env: keep', () => {
  it('asks only that the variable is there: an edit of its value is no change', async () => {
    console('A', 'one');
    const before = await inspect(lineOf({ A: keep }));
    world.sim.control.edit('vercel.set', { key: 'A', branch, value: 'two' });
    const after = await inspect(lineOf({ A: keep }));
    expect(after.changes).toMatchObject([{ kind: 'unchanged' }]);
    expect(after.reading.resources).toEqual(before.reading.resources);
  });

  it('of a variable that is not there is PARAM_INVALID', async () => {
    await expect(inspect(lineOf({ A: keep }))).rejects.toMatchObject({ code: 'PARAM_INVALID' });
  });
});

describe('vercel.env: a record that covers several targets', () => {
  const shared = { target: 'production' };

  it('is not changed for one of them', async () => {
    await expect(inspect(lineOf({ NEXT_PUBLIC_SITE_NAME: known('x') }, shared))).rejects.toMatchObject({ code: 'PROVIDER_CONFLICT' });
  });

  it('may be kept', async () => {
    expect((await inspect(lineOf({ NEXT_PUBLIC_SITE_NAME: keep }, shared))).changes).toMatchObject([{ kind: 'unchanged' }]);
  });

  it('is not handed out for deletion', async () => {
    const id = variable('NEXT_PUBLIC_SITE_NAME')?.id ?? '';
    await expect(env.lookup({ key: 'env:production:*:NEXT_PUBLIC_SITE_NAME', id }, call)).rejects.toMatchObject({ code: 'PROVIDER_CONFLICT' });
  });
});

describe('vercel.env: writing', () => {
  it('creates all new variables in one request, encrypted, for the target and branch alone', async () => {
    const { created } = await apply(lineOf({ A: known('one'), B: known('two', true) }));
    expect(created).toEqual([`env:preview:${branch}:A`, `env:preview:${branch}:B`]);
    expect(world.writes()).toBe(1);
    expect(variable('B')).toMatchObject({ value: 'two', type: 'encrypted', target: ['preview'], gitBranch: branch });
  });

  it('sends only what changed', async () => {
    console('A', 'one');
    console('B', 'old');
    const id = variable('B')?.id;
    const { resources, created } = await apply(lineOf({ A: known('one'), B: known('new') }));
    expect(world.sim.writes().map(({ method, path }) => [method, path])).toEqual([['PATCH', expect.stringContaining(id ?? '?')]]);
    expect(variable('B')?.value).toBe('new');
    expect(created).toEqual([]);
    expect(resources.map((resource) => resource.hash).sort()).toEqual([sha256('new'), sha256('one')].sort());
  });

  it('overwrites nothing that somebody made since the read', async () => {
    const params = lineOf({ A: known('ours') });
    const { reading, changes } = await inspect(params);
    console('A', 'theirs');
    await expect(env.apply(params, reading, changes, call)).rejects.toMatchObject({ problem: { code: 'PROVIDER_CONFLICT', details: { exists: true } } });
    expect(variable('A')?.value).toBe('theirs');
  });

  it('does not say "exists" for a line of which a part was created', async () => {
    const params = lineOf({ A: known('ours'), B: known('ours') });
    const { reading, changes } = await inspect(params);
    console('A', 'theirs');
    const problem = await env.apply(params, reading, changes, call).then(
      () => undefined,
      (error) => error.problem,
    );
    expect(problem).toMatchObject({
      code: 'PROVIDER_CONFLICT',
      message: expect.stringContaining('A (ENV_CONFLICT)'),
      details: { created: [`env:preview:${branch}:B`] },
    });
    expect(problem.details).not.toHaveProperty('exists');
  });

  it('names the variables that Vercel refuses, without its sentences', async () => {
    world.sim.control.set({ vercel: { refuseKeys: ['A'] } });
    await expect(apply(lineOf({ A: known('one') }))).rejects.toMatchObject({
      code: 'PROVIDER_INVALID',
      message: 'vercel: POST of 1 variables was refused for A (INVALID_ENV_KEY).',
    });
  });

  it('does not create a variable anew that was deleted since the read: it had no intent', async () => {
    console('A', 'old');
    const params = lineOf({ A: known('new') });
    const { reading, changes } = await inspect(params);
    world.sim.control.edit('vercel.delete', { key: 'A', branch });
    await expect(env.apply(params, reading, changes, call)).rejects.toMatchObject({ code: 'PROVIDER_CONFLICT' });
    expect(variable('A')).toBeUndefined();
  });

  it('an update whose answer is lost is sent again, because twice does no harm', async () => {
    console('A', 'old');
    world.sim.control.rule({ on: 'PATCH /**', drop: true });
    await apply(lineOf({ A: known('new') }));
    expect(variable('A')?.value).toBe('new');
  });

  it('deletes by id alone: the same variable made anew stays', async () => {
    const [made] = (await apply(lineOf({ A: known('one') }))).resources;
    if (made === undefined) throw new Error('nothing was made');
    world.sim.control.edit('vercel.recreate', { key: 'A', branch });
    await env.destroy(made, call);
    expect(variable('A')).toBeDefined();
  });

  it('reports a variable edited by hand as changed', async () => {
    const [made] = (await apply(lineOf({ A: known('one') }))).resources;
    world.sim.control.edit('vercel.set', { key: 'A', branch, value: 'two' });
    expect(await env.lookup({ key: made?.key ?? '', id: made?.id ?? '' }, call)).toMatchObject({ hash: sha256('two') });
  });

  it.each<[string, { target: VercelTarget[] } | { key: string }]>([
    ['to production', { target: ['production'] }],
    ['to production and development', { target: ['production', 'development'] }],
    ['to every branch', { target: ['preview'] }],
    ['to another name', { key: 'B' }],
  ])('marks a variable that somebody moved %s: it is not ours to delete (I7)', async (_where, to) => {
    const [made] = (await apply(lineOf({ A: known('one') }))).resources;
    if (made === undefined) throw new Error('nothing was made');
    expect(await env.lookup(made, call)).not.toHaveProperty('moved');
    world.sim.control.edit('vercel.move', { key: 'A', branch, to });
    expect(await env.lookup(made, call)).toMatchObject({ id: made.id, moved: true });
  });
});

describe('vercel.env: redeploy', () => {
  const changed = async () => (await apply(lineOf({ A: known(`value ${world.writes()}`) }))).resources;
  const redeploy = (written: readonly Remembered[]) => env.redeploy?.run(written, 'preview', call);
  const builds = () => world.sim.state().vercel.projects[0]?.deployments.map((found) => found.sha);

  it('leaves the build to the redeploy that follows the last write', async () => {
    world.sim.control.edit('vercel.build', { sha, branch, state: 'READY' });
    await changed();
    expect(builds()).toEqual([sha]);
  });

  it('builds the commit again where it was built before the write, and says so of every look after it: there is one (P8)', async () => {
    world.sim.control.edit('vercel.build', { sha, branch, state: 'READY' });
    const written = await changed();
    expect([await redeploy(written), await redeploy(written)]).toEqual([true, true]);
    expect(builds()).toEqual([sha, sha]);
  });

  it('finds what was written by its name where an interrupted create left no id', async () => {
    world.sim.control.edit('vercel.build', { sha, branch, state: 'READY' });
    const written = await changed();
    expect(await redeploy(written.map(({ key }) => ({ key })))).toBe(true);
  });

  it('leaves a build alone that Vercel made after the write', async () => {
    const written = await changed();
    world.sim.control.edit('vercel.build', { sha, branch });
    expect(await redeploy(written)).toBe(false);
    expect(builds()).toEqual([sha]);
  });

  it('is due for what a target is deployed with, and never in development', () => {
    expect([env.redeploy?.group({ target: 'preview' }, context), env.redeploy?.group({ target: 'development' }, context)]).toEqual(['preview', undefined]);
  });

  it.each(['none', 'a failed one', 'another commit’s'])('builds nothing where there is %s', async (which) => {
    if (which === 'a failed one') world.sim.control.edit('vercel.build', { sha, branch, state: 'ERROR' });
    if (which === 'another commit’s') world.sim.control.edit('vercel.build', { sha: demo.mainCommit, branch, state: 'READY' });
    expect(await redeploy(await changed())).toBe(false);
    expect(world.writes()).toBe(1);
  });

  it('builds nothing where what was written is gone', async () => {
    world.sim.control.edit('vercel.build', { sha, branch, state: 'READY' });
    expect(await redeploy([{ key: `env:preview:${branch}:GONE`, id: 'gone' }])).toBe(false);
    expect(world.writes()).toBe(0);
  });
});

describe('vercel.env: waiting for the deployment', () => {
  const params = lineOf({});
  const wait = () => env.awaitExternal?.(params, call);

  it('gives nothing while there is none and while it is built, then address and id', async () => {
    expect(await wait()).toBeUndefined();
    const { id, url } = world.sim.control.edit('vercel.build', { sha, branch });
    expect(await wait()).toBeUndefined();
    world.sim.control.edit('vercel.finish', { sha });
    expect(await wait()).toEqual({ preview_url: `https://${url}`, branch_url: 'https://storefront-git-feat-login-acme.vercel.app', deployment_id: id });
  });

  it('goes by the newest: a redeploy that is being built is waited for', async () => {
    world.sim.control.edit('vercel.build', { sha, branch, state: 'READY' });
    world.sim.control.edit('vercel.build', { sha, branch });
    expect(await wait()).toBeUndefined();
  });

  it.each(['ERROR', 'CANCELED', 'BLOCKED', 'DELETED'] as const)('ends with %s', async (state) => {
    world.sim.control.edit('vercel.build', { sha, branch, state });
    await expect(wait()).rejects.toMatchObject({ code: 'EXTERNAL_FAILED' });
  });

  it('takes a busy provider for "not yet"', async () => {
    world.sim.control.rule({ on: 'GET /v7/deployments', times: 9, fail: { status: 503 } });
    expect(await wait()).toBeUndefined();
  });

  it('has nothing to wait for in development', async () => {
    await expect(env.awaitExternal?.(lineOf({}, { target: 'development' }), call)).rejects.toMatchObject({ code: 'PARAM_INVALID' });
  });

  it('writes nothing', async () => {
    await wait();
    expect(world.writes()).toBe(0);
  });
});

describe('vercel.env: what lies around', () => {
  it('is every variable of the target for the branch or for all', async () => {
    console('A', 'one');
    world.sim.control.edit('vercel.add', { key: 'B', value: 'x', branch: 'other' });
    world.sim.control.edit('vercel.add', { key: 'C', value: 'x', target: 'production' });
    const found = await env.list?.(lineOf({}), call);
    expect(found?.map((resource) => resource.key).sort()).toEqual(['env:preview:*:NEXT_PUBLIC_SITE_NAME', `env:preview:${branch}:A`]);
  });
});
