import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Webhook } from '../sim/github/webhook.ts';
import { expectNoSecretAnywhere } from './invariants.ts';
import { chain, deliverPull, openAndRun, openPull, openStage, type Pull, planOf, runsAtRest, type Stage, standing } from './stage.ts';

/** What SECURITY.md says somebody cannot do, tried. */
let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterEach(() => expectNoSecretAnywhere(stage));
afterAll(() => stage?.stop());

const writes = (since: number) => stage.sim.writes({ since }).filter((write) => write.provider !== 'github');
const now = () => stage.sim.requests().at(-1)?.at ?? 0;
/** Delivered by whoever has the webhook's secret. */
const forge = (hook: Webhook) => stage.sim.control.deliver(stage.webhookUrl, hook, stage.webhookSecret);
const onMain = (files: Record<string, string | null>) => stage.sim.control.edit('github.push', { branch: 'main', files });
const live = (name: string) => planOf(`  - { id: live, adapter: vercel, op: env, target: production, values: { ${name}: live } }\n`);

function forkPull(branch: string): Pull {
  const fork = { owner: 'stranger', name: 'storefront' };
  const { sha } = stage.sim.control.edit('github.forkPush', { fork, branch, files: { 'release.plan.yaml': chain(branch) } });
  const { number } = stage.sim.control.edit('github.open', { branch, fork, sha });
  return { number, branch, sha };
}

describe('whoever opens a pull request', () => {
  it('cannot write in production without being asked about it: the run parks and has written nothing', async () => {
    const pull = openPull(stage, 'to-live', live('LIVE_MODE'));
    const since = now();
    await deliverPull(stage, pull, 'opened');
    const run = await stage.runOf(pull.sha, (one) => one.phase === 'awaiting');
    expect(run.question?.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(writes(since)).toEqual([]);
  });

  it('cannot be judged by a policy of their own: the one of the default branch holds', async () => {
    onMain({ 'lockkeeper.yaml': 'version: 1\nenvironments:\n  preview: { providers: { clerk: [{}] } }\n' });
    const since = now();
    const { sha } = stage.sim.control.edit('github.push', {
      branch: 'own-policy',
      files: { 'release.plan.yaml': chain('own-policy'), 'lockkeeper.yaml': 'version: 1\nenvironments:\n  preview: { protected: false }\n' },
    });
    const { number } = stage.sim.control.edit('github.open', { branch: 'own-policy' });
    const pull = { number, branch: 'own-policy', sha };
    await deliverPull(stage, pull, 'opened');
    const run = await stage.runOf(sha);
    onMain({ 'lockkeeper.yaml': null });
    expect(run.outcome).toBe('failed');
    expect(run.problem?.code).toMatch(/^POLICY_/);
    expect(writes(since)).toEqual([]);
  });

  it('cannot reach a secret of another environment than their run’s: a reference is one name, and no path', async () => {
    const since = now();
    const reaching = `  - { id: env, adapter: vercel, op: env, values: { KEY: { secret: 'env://../production/STRIPE_KEY' } } }\n`;
    const { run } = await openAndRun(stage, 'reaching', planOf(reaching));
    expect(run).toMatchObject({ outcome: 'failed', problem: { code: 'POLICY_DENIED' } });
    expect(writes(since)).toEqual([]);
  });
});

describe('whoever has the webhook’s secret', () => {
  it('cannot pass a fork’s pull request off as a member’s', async () => {
    const pull = forkPull('passed-off');
    const hook = stage.sim.control.webhook('pull_request.opened', { number: pull.number });
    const shown = hook.payload['pull_request'] as { head: object; base: { repo: object } };
    const since = now();
    expect((await forge({ ...hook, payload: { ...hook.payload, pull_request: { ...shown, head: { ...shown.head, repo: shown.base.repo } } } })).status).toBe(
      202,
    );
    const [run] = await runsAtRest(stage, pull, 1);
    expect(run?.outcome).toBe('superseded');
    expect(writes(since)).toEqual([]);
    expect(await standing(stage, pull)).toMatchObject({ branches: [], variables: [], comments: [], entries: [] });
  });

  it('cannot have a commit applied that is not the head of an open pull request', async () => {
    const { pull } = await openAndRun(stage, 'head', chain('head'));
    const { sha } = stage.sim.control.edit('github.push', { branch: 'aside', files: { 'release.plan.yaml': chain('aside') } });
    const hook = stage.sim.control.webhook('pull_request.opened', { number: pull.number });
    const shown = hook.payload['pull_request'] as { head: object };
    const since = now();
    await forge({ ...hook, payload: { ...hook.payload, pull_request: { ...shown, head: { ...shown.head, sha } } } });
    const runs = await runsAtRest(stage, pull, 2);
    expect(runs.find((run) => run.commit === sha)?.outcome).toBe('superseded');
    expect(writes(since)).toEqual([]);
  });

  it('cannot destroy what an open pull request has by saying that it was closed', async () => {
    const { pull } = await openAndRun(stage, 'kept', chain('kept'));
    const hook = stage.sim.control.webhook('pull_request.closed', { number: pull.number });
    const since = now();
    await forge(hook);
    await runsAtRest(stage, pull, 2);
    expect(writes(since)).toEqual([]);
    expect(await standing(stage, pull)).toMatchObject({ branches: ['kept'], variables: ['APP_MODE', 'DATABASE_URL'] });
  });

  it('cannot name another default branch, and with it another policy', async () => {
    onMain({ 'lockkeeper.yaml': 'version: 1\nenvironments:\n  preview: { providers: { clerk: [{}] } }\n' });
    stage.sim.control.edit('github.push', { branch: 'mine', files: { 'lockkeeper.yaml': 'version: 1\n' } });
    const pull = openPull(stage, 'other-default', chain('other-default'));
    const hook = stage.sim.control.webhook('pull_request.opened', { number: pull.number });
    const since = now();
    await forge({ ...hook, payload: { ...hook.payload, repository: { ...(hook.payload['repository'] as object), default_branch: 'mine' } } });
    const run = await stage.runOf(pull.sha);
    onMain({ 'lockkeeper.yaml': null });
    expect(run.repository.defaultBranch).toBe('main');
    expect(run.problem?.code).toMatch(/^POLICY_/);
    expect(writes(since)).toEqual([]);
  });

  it('cannot open a second ledger for a repository by giving it another id', async () => {
    const pull = openPull(stage, 'other-id', chain('other-id'));
    const hook = stage.sim.control.webhook('pull_request.opened', { number: pull.number });
    const since = now();
    await forge({ ...hook, payload: { ...hook.payload, repository: { ...(hook.payload['repository'] as object), id: 4711 } } });
    await stage.stack.idle({ withinMs: 20_000, ignoreDelayed: true });
    expect((await standing(stage, pull)).runs).toEqual([]);
    expect(writes(since)).toEqual([]);
  });
});
