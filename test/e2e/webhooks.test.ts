import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES } from '../../functions/github-webhook/admission.ts';
import { type Happening, readEvent } from '../../functions/github-webhook/intake-of.ts';
import { recordAndQueue } from '../../functions/github-webhook/record.ts';
import { ulids } from '../../shared/platform/ids.ts';
import { deliveryHeaders } from '../sim/github/deliver.ts';
import { expectChain, expectLeftInOrder } from './invariants.ts';
import { everyItem, everyVersion } from './sinks.ts';
import {
  chain,
  closeAndRun,
  deliverPull,
  openAndRun,
  openPull,
  openStage,
  providerWrites,
  pushAndRun,
  pushTo,
  queuesOf,
  runsAtRest,
  type Stage,
  scheduleOf,
  standing,
  until,
} from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  // Keys, app token and webhook secret are read once per process: from here on every read of a secret is a run's own.
  await openAndRun(stage, 'warm', chain('warm'));
});
afterEach(() => expectLeftInOrder(stage));
afterAll(() => stage?.stop());

const writes = (since: number) => providerWrites(stage, since);
const now = () => stage.sim.requests().at(-1)?.at ?? 0;

/** Everything that is stored or shown, for a comparison of before and after. */
async function world(): Promise<unknown> {
  await stage.stack.idle({ withinMs: 20_000, ignoreDelayed: true });
  const { neon, vercel, clerk, github } = stage.sim.state();
  const { comments = [], checks = [] } = github.repositories[0] ?? {};
  return { items: await everyItem(stage), objects: await everyVersion(stage), comments, checks, neon, vercel, clerk };
}

describe('the webhook’s answers', () => {
  const payload = (change: object = {}) => {
    const hook = stage.sim.control.webhook('pull_request.opened', { number: 1 });
    return JSON.stringify({ ...hook.payload, ...change });
  };
  const elsewhere = () => {
    const { repository } = JSON.parse(payload()) as { repository: object };
    return payload({ repository: { ...repository, id: 1, name: 'elsewhere', owner: { login: 'somebody' } } });
  };
  const post = (body: string, headers: Record<string, string> = {}, event = 'pull_request') =>
    fetch(stage.webhookUrl, { method: 'POST', body, headers: { ...deliveryHeaders(event, body, stage.webhookSecret, randomUUID()), ...headers } });
  const forged = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` };

  it.each([
    ['413 for a body too large to look at, signed or not', 413, () => post('x'.repeat(MAX_BODY_BYTES + 1), forged)],
    ['401 for a forged signature, before the body is parsed', 401, () => post('no json', forged)],
    ['401 for a forged signature, whatever repository it names', 401, () => post(elsewhere(), forged)],
    ['400 for a signed body that is no JSON', 400, () => post('no json')],
    ['400 for a signed body that is no object', 400, () => post('[]')],
    ['200 for a ping', 200, () => post(payload(), {}, 'ping')],
    ['204 for an event that starts nothing', 204, () => post(payload(), {}, 'watch')],
    ['204 for an action that starts nothing, before its shape is looked at', 204, () => post(JSON.stringify({ action: 'labeled' }))],
    ['400 for a handled event of another shape, before the allow-list', 400, () => post(JSON.stringify({ action: 'opened', repository: { id: 1 } }))],
    ['400 for a delivery without a proper id', 400, () => post(payload(), { 'x-github-delivery': 'a b' })],
    ['403 for a repository that is not on the allow-list', 403, () => post(elsewhere())],
  ])('are %s; nothing is stored and nothing queued', async (_, status, send) => {
    await stage.stack.idle({ withinMs: 20_000, ignoreDelayed: true });
    const before = await everyItem(stage);
    await stage.stack.resetCounts();

    const answer = await send();

    expect(answer.status).toBe(status);
    expect((await stage.stack.counts()).functions).toEqual({});
    expect(await everyItem(stage)).toEqual(before);
  });

  it('are 202 for what starts a run, with one write and one message', async () => {
    await stage.stack.idle({ withinMs: 20_000, ignoreDelayed: true });
    await stage.stack.resetCounts();
    const pull = openPull(stage, 'accepted', null);
    expect((await deliverPull(stage, pull, 'opened')).status).toBe(202);
    await stage.stack.idle({ withinMs: 20_000, ignoreDelayed: true });
    // What else is counted is the intake step's: it reads the item and marks it done.
    expect((await stage.stack.counts()).functions).toEqual({
      'dynamodb.PutItem': 1,
      'sqs.SendMessage': 1,
      'dynamodb.GetItem': expect.any(Number),
      'dynamodb.Query': 1,
      'dynamodb.UpdateItem': 1,
    });
  });
});

describe('what was seen before (I10)', () => {
  it('changes nothing when GitHub delivers it again, when its queue messages come again, and when the schedule fires', async () => {
    const { pull, run } = await openAndRun(stage, 'again', chain('again'));
    const before = await world();

    expect((await stage.sim.control.redeliver())?.status).toBe(202);
    const { control, lines } = queuesOf(stage);
    const group = run.repository.id;
    await control({ format: 1, run: run.id, group });
    await lines(['db', 'env', 'callback'].map((line) => ({ format: 1, run: run.id, round: 1, phase: 'applying', line, group })));
    stage.stack.fire(scheduleOf(stage));

    expect(await world()).toEqual(before);
    await expectChain(stage, pull);
  });

  it('writes nothing at any provider when the same commit comes under another delivery id', async () => {
    const { pull } = await openAndRun(stage, 'twice', chain('twice'));
    const since = now();
    await deliverPull(stage, pull, 'reopened');
    const runs = await runsAtRest(stage, pull, 2);
    expect(runs.map((run) => run.outcome)).toEqual(['complete', 'complete']);
    expect(writes(since)).toEqual([]);
    expect((await standing(stage, pull)).comments).toHaveLength(1);
    expect(await expectChain(stage, pull)).toHaveLength(2);
  });

  it('is found by the sweep when the webhook died between recording and queueing', async () => {
    const pull = openPull(stage, 'unqueued', chain('unqueued'));
    const hook = stage.sim.control.webhook('pull_request.opened', { number: pull.number });
    const dies = async () => {
      throw new Error('died before it queued');
    };
    // The sweep leaves alone what is younger than a minute: this delivery came two minutes ago.
    const ports = { table: stage.table, queues: { control: dies }, clock: { now: () => Date.now() - 120_000 }, ids: ulids() };
    await expect(recordAndQueue(ports, randomUUID(), readEvent(hook.event, hook.payload) as Happening)).rejects.toThrow('died');
    expect(await stage.runs()).not.toContainEqual(expect.objectContaining({ commit: pull.sha }));

    stage.stack.fire(scheduleOf(stage));

    expect((await stage.runOf(pull.sha)).outcome).toBe('complete');
    expect(await standing(stage, pull)).toMatchObject({ branches: ['unqueued'], runs: [{ outcome: 'complete' }] });
  });
});

describe('a pull request', () => {
  it('without a plan file gets no run, no comment and no check', async () => {
    const pull = openPull(stage, 'planless', null);
    expect((await deliverPull(stage, pull, 'opened')).status).toBe(202);
    await stage.stack.idle({ withinMs: 20_000, ignoreDelayed: true });
    expect(await standing(stage, pull)).toMatchObject({ lease: undefined, head: undefined, runs: [], comments: [], checks: [] });
    stage.sim.control.edit('github.close', { number: pull.number });
    await deliverPull(stage, pull, 'closed');
    await stage.stack.idle({ withinMs: 20_000, ignoreDelayed: true });
    expect(await standing(stage, pull)).toMatchObject({ runs: [], comments: [], checks: [] });
  });

  it('that takes its plan file away keeps what is managed and is told so by a check; closing removes it', async () => {
    const { pull } = await openAndRun(stage, 'removed', chain('removed'));
    const since = now();

    const next = pushTo(stage, pull, null);
    await stage.sim.control.deliver(
      stage.webhookUrl,
      stage.sim.control.webhook('pull_request.synchronize', { number: pull.number, before: pull.sha }),
      stage.webhookSecret,
    );
    await until('a check on the new commit', async () => ((await standing(stage, next)).checks.length > 0 ? true : undefined));

    expect(writes(since)).toEqual([]);
    const after = await standing(stage, next);
    expect(after.checks).toMatchObject([{ conclusion: 'neutral', title: 'No plan file; 4 resources still managed' }]);
    expect(after.checks[0]?.text).toContain('env:preview:removed:DATABASE_URL');
    expect(after.runs).toHaveLength(1);
    expect(after.entries).toHaveLength(4);

    expect((await closeAndRun(stage, next)).outcome).toBe('complete');
    expect(await standing(stage, next)).toMatchObject({ branches: [], variables: [], redirects: [], entries: [] });
  });

  it('from a fork gets no secret read, no run and no write', async () => {
    await stage.stack.resetCounts();
    await openAndRun(stage, 'member', chain('member'));
    await stage.stack.idle({ withinMs: 20_000, ignoreDelayed: true });
    expect((await stage.stack.counts()).functions).toHaveProperty(['aws.GetSecretValue']);

    const fork = { owner: 'stranger', name: 'storefront' };
    const { sha } = stage.sim.control.edit('github.forkPush', { fork, branch: 'gift', files: { 'release.plan.yaml': chain('gift') } });
    const { number } = stage.sim.control.edit('github.open', { branch: 'gift', fork, sha });
    const pull = { number, branch: 'gift', sha };
    const since = now();
    await stage.stack.resetCounts();

    expect((await deliverPull(stage, pull, 'opened')).status).toBe(202);
    await stage.stack.idle({ withinMs: 20_000, ignoreDelayed: true });

    expect((await stage.stack.counts()).functions).not.toHaveProperty(['aws.GetSecretValue']);
    expect(writes(since)).toEqual([]);
    expect(await standing(stage, pull)).toMatchObject({ runs: [], comments: [], branches: [], variables: [], redirects: [] });
  });

  it('that is closed before its opening is looked at gets nothing made', async () => {
    const pull = openPull(stage, 'hasty', chain('hasty'));
    const opened = stage.sim.control.webhook('pull_request.opened', { number: pull.number });
    stage.sim.control.edit('github.close', { number: pull.number });
    const since = now();

    await deliverPull(stage, pull, 'closed');
    await stage.sim.control.deliver(stage.webhookUrl, opened, stage.webhookSecret);
    const runs = await runsAtRest(stage, pull, 1);

    expect(runs.map((run) => run.outcome)).toEqual(['complete']);
    expect(writes(since)).toEqual([]);
    expect(await standing(stage, pull)).toMatchObject({ branches: [], entries: [], comments: [] });
  });

  it('that is closed stays empty when its opening comes once more, and is built again when it is reopened', async () => {
    const { pull } = await openAndRun(stage, 'back', chain('back'));
    const opened = stage.sim.control.webhook('pull_request.opened', { number: pull.number });
    await closeAndRun(stage, pull);
    const since = now();

    await stage.sim.control.deliver(stage.webhookUrl, opened, stage.webhookSecret);
    await runsAtRest(stage, pull, 3);
    expect(writes(since)).toEqual([]);
    expect(await standing(stage, pull)).toMatchObject({ branches: [], entries: [], head: { tombstone: {} } });

    stage.sim.control.edit('github.reopen', { number: pull.number });
    await deliverPull(stage, pull, 'reopened');
    await runsAtRest(stage, pull, 4);
    const after = await standing(stage, pull);
    expect(after).toMatchObject({ branches: ['back'], variables: ['APP_MODE', 'DATABASE_URL'], redirects: ['https://back.acme.example/cb'] });
    expect(after.head?.tombstone).toBeUndefined();
    expect(after.comments).toHaveLength(1);
    await expectChain(stage, pull);
  });

  it('is not moved back by the late webhook of an older commit: that run is superseded and says nothing', async () => {
    const { pull } = await openAndRun(stage, 'older', chain('older'));
    const late = stage.sim.control.webhook('pull_request.opened', { number: pull.number });
    const next = await pushAndRun(stage, pull, chain('older').replace('preview', 'newer'), { 'notes.md': 'newer' });
    const before = (await standing(stage, next.pull)).comments[0]?.body;
    const since = now();

    await stage.sim.control.deliver(stage.webhookUrl, late, stage.webhookSecret);
    const runs = await runsAtRest(stage, pull, 3);

    expect(runs.map((run) => run.outcome)).toEqual(['superseded', 'complete', 'complete']);
    expect(writes(since)).toEqual([]);
    expect((await standing(stage, next.pull)).comments.map((comment) => comment.body)).toEqual([before]);
    expect(await expectChain(stage, pull)).toHaveLength(2);
  });
});
