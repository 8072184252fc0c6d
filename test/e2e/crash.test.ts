import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Template } from '../../infra/template.ts';
import { rests } from './house.ts';
import { expectAtRest, expectChain, expectNoSecretAnywhere } from './invariants.ts';
import {
  callback,
  chain,
  db,
  deliverPull,
  deliverPush,
  env,
  givenBack,
  killedAt,
  openPull,
  openStage,
  type Pull,
  planOf,
  pushTo,
  type Stage,
  standing,
  withProperties,
} from './stage.ts';

/** One worker at a time, so that the process that will send the next request is known. */
const oneWorker = (template: Template): Template =>
  withProperties(template, 'AWS::Lambda::EventSourceMapping', 'FunctionsLineWorkerFromLines', () => ({ ScalingConfig: { MaximumConcurrency: 1 } }));

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ isolatedWorker: true, template: oneWorker });
});
afterEach(async () => {
  await expectAtRest(stage);
  await expectNoSecretAnywhere(stage);
});
afterAll(() => stage?.stop());

const close = async (pull: Pull) => {
  stage.sim.control.edit('github.close', { number: pull.number });
  await deliverPull(stage, pull, 'closed');
};
const atRest = async (pull: Pull, kind: 'apply' | 'destroy') =>
  givenBack(stage, pull, await stage.runOf(pull.sha, (run) => run.kind === kind && rests(run), 60_000));
const writesAt = (method: string, path: RegExp) => stage.sim.writes().filter((write) => write.performed && write.method === method && path.test(write.path));

const everything = (name: string) => ({
  branches: [name],
  variables: ['APP_MODE', 'DATABASE_URL'],
  redirects: [`https://${name}.acme.example/cb`],
  runs: [{ outcome: 'complete' }],
  lease: { released: true },
});
const nothing = { branches: [], variables: [], redirects: [], entries: [], lease: { released: true } };

describe('a worker that is killed after its write was performed and before it was answered', () => {
  const creates = [
    ['neon-create', { provider: 'neon', on: 'POST /projects/*/branches' }],
    ['vercel-create', { provider: 'vercel', on: 'POST /v10/projects/*/env' }],
    ['vercel-redeploy', { provider: 'vercel', on: 'POST /v13/deployments' }],
    ['clerk-create', { provider: 'clerk', on: 'POST /redirect_urls' }],
  ] as const;
  const pulls = new Map<string, Pull>();
  const pullOf = (name: string) => pulls.get(name) as Pull;

  describe('while it creates', () => {
    // All crash first and come back together: each waits for its message's visibility to end.
    beforeAll(async () => {
      for (const [name, at] of creates) {
        const pull = openPull(stage, name, chain(name));
        pulls.set(name, pull);
        await killedAt(stage, at, () => deliverPull(stage, pull, 'opened'));
      }
    });

    it.each(creates)('is followed by one that finishes: one of each resource, all in the ledger (%s)', async (name) => {
      const pull = pullOf(name);
      expect((await atRest(pull, 'apply')).outcome).toBe('complete');
      const after = await standing(stage, pull);
      expect(after).toMatchObject(everything(name));
      expect(after.entries.map((entry) => entry.createdBy)).toEqual(['lockkeeper', 'lockkeeper', 'lockkeeper', 'lockkeeper']);
      expect(after.comments).toHaveLength(1);
      expect(after.checks).toMatchObject([{ status: 'completed', conclusion: 'success' }]);
      expect((await expectChain(stage, pull)).at(-1)?.ledger.flatMap((line) => line.entries)).toHaveLength(4);
    });

    it.each(['neon-create', 'vercel-redeploy', 'clerk-create'])('has the commit that was built before built once more, not twice (%s)', async (name) => {
      const { sha } = pullOf(name);
      await atRest(pullOf(name), 'apply');
      const builds = stage.sim.state().vercel.projects[0]?.deployments.filter((one) => one.sha === sha);
      expect(builds?.map((one) => one.source)).toEqual(['git', 'api-trigger-git-deploy']);
    });

    it('has its creates sent once', () => {
      expect(writesAt('POST', /branches$/)).toHaveLength(creates.length);
      expect(writesAt('POST', /\/env$/)).toHaveLength(creates.length);
      expect(writesAt('POST', /redirect_urls$/)).toHaveLength(creates.length);
    });
  });

  describe('while it updates, removes, or undoes', () => {
    const undone = 'undone';
    let updated: Pull;

    beforeAll(async () => {
      await killedAt(stage, { provider: 'neon', on: 'DELETE /projects/*/branches/*' }, () => close(pullOf('neon-create')));
      await killedAt(stage, { provider: 'vercel', on: 'DELETE /v9/projects/*/env/*' }, () => close(pullOf('vercel-create')));
      await killedAt(stage, { provider: 'clerk', on: 'DELETE /redirect_urls/*' }, () => close(pullOf('clerk-create')));
      const before = pullOf('vercel-redeploy');
      updated = pushTo(stage, before, planOf(db(before.branch), env(before.branch, 'moved'), callback(before.branch, '[env]')));
      await killedAt(stage, { provider: 'vercel', on: 'PATCH /v9/projects/*/env/*' }, () => deliverPush(stage, updated, before.sha));
      const failing = openPull(stage, undone, chain(undone));
      pulls.set(undone, failing);
      stage.sim.control.rule({ provider: 'clerk', on: 'POST /redirect_urls', fail: { status: 500 } });
      await killedAt(stage, { provider: 'neon', on: 'DELETE /projects/*/branches/*' }, () => deliverPull(stage, failing, 'opened'));
    });

    it.each(['neon-create', 'vercel-create', 'clerk-create'])('is followed by one that finishes the removal: nothing is left (%s)', async (name) => {
      const pull = pullOf(name);
      expect((await atRest(pull, 'destroy')).outcome).toBe('complete');
      expect(await standing(stage, pull)).toMatchObject({ ...nothing, head: { tombstone: {} } });
      expect((await expectChain(stage, pull)).at(-1)).toMatchObject({ kind: 'destroy', status: 'complete' });
    });

    it('is followed by one that takes the half-done update for its own, not for drift', async () => {
      const run = await atRest(updated, 'apply');
      expect(run.outcome).toBe('complete');
      expect(await standing(stage, updated)).toMatchObject({ ...everything('vercel-redeploy'), runs: [{ outcome: 'complete' }, { outcome: 'complete' }] });
      expect((await expectChain(stage, updated)).at(-1)?.drift).toEqual([]);
    });

    it('is followed by one that finishes the rollback: nothing of the failed run is left', async () => {
      const pull = pullOf(undone);
      expect((await atRest(pull, 'apply')).outcome).toBe('failed');
      const after = await standing(stage, pull);
      expect(after).toMatchObject(nothing);
      expect(after.comments[0]?.body).toContain('rolled back');
      await expectChain(stage, pull);
    });
  });
});
