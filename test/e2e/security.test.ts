import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { decide, type Person, readDecisions } from '../../shared/approvals/decision.ts';
import { ulids } from '../../shared/platform/ids.ts';
import type { Run } from '../../shared/run/items.ts';
import type { Webhook } from '../sim/github/webhook.ts';
import { expectNoSecretAnywhere } from './invariants.ts';
import { chain, deliverPull, openAndRun, openPull, openStage, type Pull, planOf, queuesOf, runsAtRest, type Stage, standing, until } from './stage.ts';

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
    expect(run).toMatchObject({ outcome: 'failed', problem: { code: 'PLAN_INVALID' } });
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
    await stage.stack.idle({ withinMs: 20_000, ignoreDelayed: true });
    expect(writes(since)).toEqual([]);
    expect(await standing(stage, pull)).toMatchObject({ runs: [], branches: [], variables: [], comments: [], entries: [] });
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

  it('cannot make the author of a commit an approver of it by naming another sender', async () => {
    knowPeople();
    const { sha } = stage.sim.control.edit('github.push', { branch: 'by-robin', files: { 'release.plan.yaml': live('BY_ROBIN') }, author: 'robin' });
    const { number } = stage.sim.control.edit('github.open', { branch: 'by-robin' });
    await forge(stage.sim.control.webhook('pull_request.opened', { number, sender: 'alex' }));
    const run = await stage.runOf(sha, (one) => one.phase === 'awaiting');
    const since = now();
    expect(await answered(stage, run, throughAws('robin'))).toMatch(/robin wrote the commit or started the run/);
    expect(writes(since)).toEqual([]);
    expect((await stage.runOf(sha, () => true)).phase).toBe('awaiting');
  });
});

describe('whoever may answer in a person’s name', () => {
  it('cannot approve with write access alone, through a principal of nobody’s, or of somebody else’s', async () => {
    knowPeople();
    const pull = openPull(stage, 'asked', live('ASKED'));
    await deliverPull(stage, pull, 'opened');
    const run = await stage.runOf(pull.sha, (one) => one.phase === 'awaiting');
    const since = now();
    stage.sim.control.edit('github.role', { login: 'alex', role: 'write' });
    expect(await answered(stage, run, throughAws('alex'))).toMatch(/alex may not maintain the repository/);
    expect(await answered(stage, run, { ...throughAws('robin'), principal: 'arn:aws:iam::123456789012:user/stranger' })).toMatch(/to nobody/);
    expect(await answered(stage, run, { ...throughAws('Robin'), principal: throughAws('alex').principal as string })).toMatch(/to alex, not to Robin/);
    expect(writes(since)).toEqual([]);
    expect((await stage.runOf(pull.sha, () => true)).phase).toBe('awaiting');
  });

  it('cannot pass for somebody at a machine on a stack that is not embedded', async () => {
    const deployed = await openStage({ environment: { EMBEDDED_STACK: 'no' } });
    try {
      const pull = openPull(deployed, 'asked', live('ASKED'));
      await deliverPull(deployed, pull, 'opened');
      const run = await deployed.runOf(pull.sha, (one) => one.phase === 'awaiting');
      expect(await answered(deployed, run, { name: 'alex', through: 'machine' })).toMatch(/nobody verified/);
      expect((await deployed.runOf(pull.sha, () => true)).phase).toBe('awaiting');
    } finally {
      await deployed.stop();
    }
  });
});

const throughAws = (name: string): Person => ({ name, through: 'aws', principal: `arn:aws:iam::123456789012:user/${name}` });

/** A policy that knows robin and alex, and lists nobody for production: whoever may maintain decides there. */
function knowPeople(): void {
  const people = ['robin', 'alex'].map((name) => ({ github: name, aws: throughAws(name).principal }));
  onMain({ 'lockkeeper.yaml': JSON.stringify({ version: 1, environments: { staging: { approvers: people } } }) });
}

/** Writes an approval, as whoever may write one, and wakes the run. Returns why it does not count. */
async function answered(at: Stage, run: Run, person: Person): Promise<string> {
  const question = { ...(run.question as NonNullable<Run['question']>), run: run.id };
  await decide({ table: at.table, ids: ulids() }, question, { verdict: 'approve', person, at: new Date().toISOString() });
  await queuesOf(at).control({ format: 1, run: run.id, group: run.repository.id });
  return until(`the answer of ${person.name} is judged`, async () => {
    const [mine] = (await readDecisions(at.table, question)).filter((one) => JSON.stringify(one.person) === JSON.stringify(person));
    return mine?.ignored;
  });
}
