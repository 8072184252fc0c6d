import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { context } from '../../../test/contract/op-contract.ts';
import { simWorld } from '../../../test/contract/sim-world.ts';
import { demo } from '../../../test/sim/seed.ts';
import type { OpCall } from '../../engine/op.ts';
import { deploy } from './deploy.ts';

const { sha, branch } = context;
const provider = { project: demo.vercelProjectName };

let world: Awaited<ReturnType<typeof simWorld>>;
let call: OpCall;
beforeEach(async () => {
  world = await simWorld(deploy, provider, (sim) => sim.control.set({ vercel: { builds: 'never' } }));
  call = { ...world.call, identity: await deploy.identity(world.call) };
});
afterEach(() => world.stop());

/** One visit of the job. */
async function visit() {
  const reading = await deploy.read({}, call);
  const changes = deploy.diff({}, reading, call.context);
  return { reading, changes, applied: await deploy.apply({}, reading, changes, call) };
}

const built = () => world.sim.state().vercel.projects[0]?.deployments ?? [];

describe('vercel.deploy', () => {
  it('starts a build of the commit where there is none, and comes back instead of waiting', async () => {
    const { applied } = await visit();
    expect(applied).toMatchObject({ done: false, seconds: expect.any(Number) });
    expect(built()).toMatchObject([{ sha, branch, target: null, source: 'api-trigger-git-deploy' }]);
  });

  it('starts it once, however often it comes back', async () => {
    await visit();
    await visit();
    expect(world.writes()).toBe(1);
  });

  it('gives address and id when the build is ready', async () => {
    await visit();
    const { id, url } = world.sim.control.edit('vercel.finish', { sha });
    const { changes, applied } = await visit();
    expect(changes).toMatchObject([{ kind: 'unchanged', key: `deployment:preview:${sha}` }]);
    expect(applied).toMatchObject({ done: true, outputs: { deployment_id: id, preview_url: `https://${url}` } });
  });

  it('watches a build that Vercel began by itself, and does not call it its own', async () => {
    world.sim.control.edit('vercel.build', { sha, branch });
    expect((await visit()).applied).toMatchObject({ done: false });
    world.sim.control.edit('vercel.finish', { sha });
    expect((await visit()).applied).toMatchObject({ done: true, created: [] });
    expect(world.writes()).toBe(0);
  });

  it('builds once more what failed by itself, and fails when that fails too', async () => {
    world.sim.control.edit('vercel.build', { sha, branch, state: 'ERROR' });
    expect((await visit()).applied).toMatchObject({ done: false });
    world.sim.control.edit('vercel.finish', { sha, state: 'ERROR' });
    await expect(visit()).rejects.toMatchObject({ code: 'EXTERNAL_FAILED' });
    expect(world.writes()).toBe(1);
  });

  it('takes no build of another commit or target for its own', async () => {
    world.sim.control.edit('vercel.build', { sha: demo.mainCommit, branch, state: 'READY' });
    world.sim.control.edit('vercel.build', { sha, branch, target: 'production', state: 'READY' });
    expect((await visit()).applied).toMatchObject({ done: false });
  });

  it('writes production under production, and says so before anything is read', async () => {
    expect(deploy.writesEnvironment({}, {}, { ...context, environment: 'production' })).toBe('production');
    expect(deploy.writesEnvironment({}, {}, context)).toBe('preview');
    await world.stop();
    world = await simWorld(deploy, provider, (sim) => sim.control.set({ vercel: { builds: 'never' } }), 'production');
    call = { ...world.call, identity: await deploy.identity(world.call) };
    await visit();
    expect(built()).toMatchObject([{ target: 'production' }]);
  });

  it('refuses a project that is linked to no repository', async () => {
    const state = world.sim.state();
    const [project] = state.vercel.projects;
    if (project === undefined) throw new Error('the seed has no project');
    world.sim.control.reset({ ...state, vercel: { ...state.vercel, projects: [{ ...project, link: undefined }] } });
    await expect(visit()).rejects.toMatchObject({ code: 'PROVIDER_INVALID', message: expect.stringContaining('linked to no Git repository') });
  });

  it('forgets a deployment that failed when it is looked up', async () => {
    const { id } = world.sim.control.edit('vercel.build', { sha, branch, state: 'ERROR' });
    expect(await deploy.lookup({ key: `deployment:preview:${sha}`, id }, call)).toBeUndefined();
    expect(await deploy.lookup({ key: `deployment:preview:${sha}` }, call)).toBeUndefined();
  });
});
