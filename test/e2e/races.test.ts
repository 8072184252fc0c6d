import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Run } from '../../shared/run/items.ts';
import { demo } from '../sim/seed.ts';
import { freezeNext, restore } from './freeze.ts';
import { rests } from './house.ts';
import { expectChain, expectLeftInOrder } from './invariants.ts';
import {
  callback,
  chain,
  db,
  deliverPull,
  deliverPush,
  env,
  linesOf,
  openPull,
  openStage,
  planOf,
  providerWrites,
  pushTo,
  queuesOf,
  runsAtRest,
  type Stage,
  standing,
  until,
  whole,
} from './stage.ts';

let stage: Stage;
afterEach(() => expectLeftInOrder(stage));
afterAll(() => restore());

const writes = (since: number) => providerWrites(stage, since).filter((write) => write.performed);
const now = () => stage.sim.requests().at(-1)?.at ?? 0;
const outcomes = (runs: readonly Run[]) => runs.map((run) => run.outcome).sort();
/** Delivers a webhook that was built before. */
const send = (hook: ReturnType<Stage['sim']['control']['webhook']>) => stage.sim.control.deliver(stage.webhookUrl, hook, stage.webhookSecret);
const held = (count = 1) => stage.sim.control.untilHeld(count);

describe('two events of one pull request', () => {
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.stop());

  it.each([1, 2, 3, 4])('at the same instant, with the same head: one run writes, the other finds it done (%i)', async (time) => {
    const name = `same-${time}`;
    const pull = openPull(stage, name, chain(name));
    const since = now();

    await Promise.all([deliverPull(stage, pull, 'opened'), deliverPull(stage, pull, 'opened')]);
    const runs = await runsAtRest(stage, pull, 2);

    expect(outcomes(runs)).toEqual(['complete', 'complete']);
    const written = writes(since).map((write) => `${write.method} ${write.path}`);
    // The redeploy and the redirect both wait for the variables, and not for each other.
    expect([...written.slice(0, 2), ...written.slice(2).sort()]).toEqual([
      `POST /projects/${demo.neonProject}/branches`,
      `POST /v10/projects/${demo.vercelProject}/env`,
      'POST /redirect_urls',
      'POST /v13/deployments',
    ]);
    await stage.stack.idle({ withinMs: 20_000, ignoreDelayed: true });
    const after = await standing(stage, pull);
    expect(after).toMatchObject(whole(name));
    expect(after.comments).toHaveLength(1);
    expect(after.checks).toHaveLength(1);
    expect(await expectChain(stage, pull)).toHaveLength(2);
  });

  it.each([1, 2, 3])('at the same instant, with the head and an older one: the older run is superseded, and only the head is applied (%i)', async (time) => {
    const name = `ages-${time}`;
    const pull = openPull(stage, name, planOf(db(name), env(name, 'older'), callback(name, '[env]')));
    const older = stage.sim.control.webhook('pull_request.opened', { number: pull.number });
    const next = pushTo(stage, pull, planOf(db(name), env(name, 'newer'), callback(name, '[env]')));
    const newer = stage.sim.control.webhook('pull_request.synchronize', { number: pull.number, before: pull.sha });

    await Promise.all([send(older), send(newer)]);
    const runs = await runsAtRest(stage, pull, 2);

    expect(Object.fromEntries(runs.map((run) => [run.commit, run.outcome]))).toEqual({ [pull.sha]: 'superseded', [next.sha]: 'complete' });
    await stage.stack.idle({ withinMs: 20_000, ignoreDelayed: true });
    const after = await standing(stage, next);
    expect(after).toMatchObject(whole(name));
    expect(after.comments).toHaveLength(1);
    expect(stage.sim.state().vercel.projects[0]?.variables.filter((one) => one.gitBranch === name && one.value === 'newer')).toHaveLength(1);
    expect(await expectChain(stage, pull)).toHaveLength(1);
  });

  it('of which the second comes while the first is written: it waits, is woken by the release, and applies its own commit', async () => {
    stage.sim.control.rule({ provider: 'neon', on: 'POST /projects/*/branches', hold: true });
    const pull = openPull(stage, 'waits', chain('waits'));
    await deliverPull(stage, pull, 'opened');
    await held();

    const next = pushTo(stage, pull, planOf(db('waits'), env('waits', 'newer'), callback('waits', '[env]')));
    await deliverPush(stage, next, pull.sha);
    await until('the second run to wait', async () => ((await standing(stage, pull)).lease?.waiters.length === 1 ? true : undefined), 1_200);
    stage.sim.control.release();
    const runs = await runsAtRest(stage, pull, 2);

    expect(outcomes(runs)).toEqual(['complete', 'complete']);
    expect(runs[0]).toMatchObject({ commit: next.sha });
    expect(runs[0]?.tookOver).toBeUndefined();
    await stage.stack.idle({ withinMs: 20_000, ignoreDelayed: true });
    expect(await standing(stage, next)).toMatchObject(whole('waits'));
    expect((await expectChain(stage, pull)).map((receipt) => receipt.commit)).toEqual([pull.sha, next.sha]);
  });

  it('of which the second is its end, while the first is written: what the first made is gone afterwards', async () => {
    stage.sim.control.rule({ provider: 'neon', on: 'POST /projects/*/branches', hold: true });
    const pull = openPull(stage, 'ends', chain('ends'));
    await deliverPull(stage, pull, 'opened');
    await held();

    stage.sim.control.edit('github.close', { number: pull.number });
    await deliverPull(stage, pull, 'closed');
    await until('the destroy to wait', async () => ((await standing(stage, pull)).lease?.waiters.length === 1 ? true : undefined), 1_200);
    stage.sim.control.release();
    await runsAtRest(stage, pull, 2);

    await stage.stack.idle({ withinMs: 20_000, ignoreDelayed: true });
    const after = await standing(stage, pull);
    expect(after).toMatchObject({ branches: [], variables: [], redirects: [], entries: [], lease: { released: true, waiters: [] }, head: { tombstone: {} } });
    expect(after.runs).toMatchObject([{ kind: 'destroy', outcome: 'complete' }, { kind: 'apply' }]);
  });

  it('that are a deployment’s end, while the run that needs it still works: nothing is lost, the waiting line follows by itself', async () => {
    const url =
      '  - { id: env, adapter: vercel, op: env, branch: early, values: { APP_MODE: preview } }\n  - { id: callback, adapter: clerk, op: redirect_allow, url: { from: env.preview_url } }\n';
    stage.sim.control.rule({ provider: 'neon', on: 'POST /projects/*/branches', hold: true });
    const pull = openPull(stage, 'early', planOf(db('early'), url));
    await deliverPull(stage, pull, 'opened');
    await held();
    const run = await stage.runOf(pull.sha, (one) => one.phase === 'applying');
    await until(
      'the callback to wait',
      async () => (await linesOf(stage, run)).some((line) => line.spec.id === 'callback' && line.result?.status === 'waiting') || undefined,
      1_200,
    );

    const built = stage.sim.control.edit('vercel.finish', { sha: pull.sha });
    await send(stage.sim.control.webhook('deployment_status', { sha: pull.sha, url: `https://${built.url}` }));
    await until('the note', async () => ((await standing(stage, pull)).head?.notes.length === 1 ? true : undefined), 1_200);
    stage.sim.control.release();
    const done = await stage.runOf(pull.sha, (one) => one.phase === 'done');

    expect(done).toMatchObject({ outcome: 'complete', round: 2 });
    expect(stage.sim.state().clerk.redirects.map((one) => one.url)).toContain(`https://${built.url}`);
    expect((await expectChain(stage, pull)).map((receipt) => receipt.status)).toEqual(['partial', 'complete']);
  });

  it('and the message of a line that is at work five times over: the copies come back, find it done, and it is worked on once', async () => {
    stage.sim.control.rule({ provider: 'neon', on: 'POST /projects/*/branches', hold: true });
    const pull = openPull(stage, 'copies', chain('copies'));
    const since = now();
    await deliverPull(stage, pull, 'opened');
    await held();
    const run = await stage.runOf(pull.sha, (one) => one.phase === 'applying');
    const copy = { format: 1, run: run.id, round: 1, phase: 'applying', line: 'db', group: run.repository.id } as const;

    await queuesOf(stage).lines(Array.from({ length: 5 }, () => copy));
    stage.sim.control.release();
    const done = await stage.runOf(pull.sha);

    expect(done.outcome).toBe('complete');
    expect(writes(since)).toHaveLength(4);
    // A copy that met the live claim comes back when the claim would have ended.
    await stage.stack.idle({ withinMs: 30_000, ignoreDelayed: true });
    expect(writes(since)).toHaveLength(4);
    expect((await linesOf(stage, run)).find((line) => line.spec.id === 'db')?.attempt).toBe(1);
    expect(await standing(stage, pull)).toMatchObject(whole('copies'));
  });

  it('lets an attempt that stood still for longer than its claim record nothing: what the next attempt made stays, once', async () => {
    const frozen = freezeNext((method, path) => method === 'POST' && path.endsWith('/branches'));
    const pull = openPull(stage, 'thawed', chain('thawed'));
    await deliverPull(stage, pull, 'opened');
    await frozen.reached;

    const run = await stage.runOf(pull.sha, rests, 40_000);
    const before = await standing(stage, pull);
    expect(await frozen.thaw()).toBe(409);

    expect(run.outcome).toBe('complete');
    expect((await linesOf(stage, run)).find((line) => line.spec.id === 'db')?.attempt).toBe(2);
    await stage.stack.idle({ withinMs: 20_000, ignoreDelayed: true });
    const after = await standing(stage, pull);
    expect(after).toMatchObject(whole('thawed'));
    expect(after.entries).toEqual(before.entries);
  });
});

describe('two pull requests at the same instant', () => {
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.stop());

  it.each([1, 2, 3, 4])('that want one resource: one makes it, the other is told whose it is or relies on it (%i)', async (time) => {
    const name = `both-${time}`;
    const pulls = [openPull(stage, `${name}-a`, planOf(callback(name))), openPull(stage, `${name}-b`, planOf(callback(name)))];

    await Promise.all(pulls.map((pull) => deliverPull(stage, pull, 'opened')));
    for (const pull of pulls) await runsAtRest(stage, pull, 1);

    await stage.stack.idle({ withinMs: 20_000, ignoreDelayed: true });
    expect(stage.sim.state().clerk.redirects.filter((one) => one.url === `https://${name}.acme.example/cb`)).toHaveLength(1);
    const both = await Promise.all(pulls.map((pull) => standing(stage, pull)));
    expect(both.flatMap((one) => one.entries)).toMatchObject([{ createdBy: 'lockkeeper' }]);
    for (const { runs, comments } of both.filter((one) => one.runs[0]?.outcome === 'failed')) {
      const owner = pulls.find((pull) => runs[0]?.scope !== `pr-${pull.number}`);
      expect(comments[0]?.body).toContain('**OWNED_BY_OTHER_SCOPE**');
      expect(comments[0]?.body).toContain(`pr-${owner?.number}`);
    }
  });

  it('each with its own: both are applied side by side', async () => {
    const pulls = Array.from({ length: 6 }, (_, at) => openPull(stage, `own-${at}`, chain(`own-${at}`)));
    await Promise.all(pulls.map((pull) => deliverPull(stage, pull, 'opened')));
    for (const pull of pulls) await runsAtRest(stage, pull, 1);
    await stage.stack.idle({ withinMs: 20_000, ignoreDelayed: true });
    for (const pull of pulls) expect(await standing(stage, pull)).toMatchObject({ ...whole(pull.branch), runs: [{ outcome: 'complete' }] });
  });
});
