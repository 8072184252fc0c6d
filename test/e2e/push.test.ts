import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../shared/platform/clock.ts';
import { ulids } from '../../shared/platform/ids.ts';
import { answerQuestion } from '../../shared/run/answer-question.ts';
import type { Run } from '../../shared/run/items.ts';
import type { CheckRun } from '../sim/github/state.ts';
import type { WebhookInput, WebhookKind } from '../sim/github/webhook.ts';
import { rests } from './house.ts';
import { expectLeftInOrder } from './invariants.ts';
import {
  chain,
  isAfterMerge,
  openAndRun,
  openPull,
  openStage,
  planOf,
  providerWrites,
  queuesOf,
  runsAtRest,
  type Stage,
  scheduleOf,
  standing,
  until,
} from './stage.ts';

/** What the default branch, "Re-run" and a comment start, on the whole stack. */
let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  stage.sim.control.edit('github.role', { login: 'robin', role: 'maintain' });
});
afterEach(() => expectLeftInOrder(stage));
afterAll(() => stage?.stop());

const now = () => stage.sim.requests().at(-1)?.at ?? 0;
const live = (mode: string) => planOf(`  - { id: live, adapter: vercel, op: env, target: production, values: { LIVE_MODE: ${mode} } }\n`);
const tell = <Kind extends WebhookKind>(kind: Kind, input: WebhookInput[Kind]) =>
  stage.sim.control.deliver(stage.webhookUrl, stage.sim.control.webhook(kind, input), stage.webhookSecret);
const github = () => stage.sim.state().github.repositories[0];
const checksOf = (sha: string): CheckRun[] => (github()?.checks ?? []).filter((check) => check.sha === sha && !isAfterMerge(check));
const commentsOn = (number: number): string[] => (github()?.comments ?? []).filter((comment) => comment.issue === number).map(({ body }) => body);
const asks = (run: Run) => run.phase === 'awaiting';

/** A pull request with this plan, merged: its number and the commit it was merged as. */
function merged(branch: string, plan: string | null): { number: number; sha: string; before: string | undefined } {
  stage.sim.control.edit('github.push', { branch, files: { 'release.plan.yaml': plan, 'notes.md': branch } });
  const { number } = stage.sim.control.edit('github.open', { branch });
  return { number, ...stage.sim.control.edit('github.merge', { number }) };
}

async function answer(run: Run, verdict: 'approve' | 'reject'): Promise<Run> {
  const timing = { leaseTtl: 18_000, skew: 0, functionTimeout: 2_000, storeTimeout: 500, httpTimeout: 1_000 };
  const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const world = { table: stage.table, queues: queuesOf(stage), clock: systemClock, ids: ulids(), log: quiet, timing };
  await answerQuestion(world, run, run.question as NonNullable<Run['question']>, { verdict, person: { name: 'robin', through: 'machine' } });
  return stage.runOf(run.commit, rests, 60_000);
}

describe('a merge to the default branch', () => {
  it('asks before production, on the commit and on the merged pull request, and applies what was approved (I7)', async () => {
    const since = now();
    const { number, sha, before = '' } = merged('first', live('first'));
    expect((await tell('push', { before })).status).toBe(202);

    const asked = await stage.runOf(sha, asks, 60_000);
    expect(asked).toMatchObject({ environment: 'production', scope: 'main', triggeredBy: 'kim' });
    expect(providerWrites(stage, since)).toEqual([]);
    await until('the question on the commit', () => checksOf(sha).find(({ conclusion }) => conclusion !== null));
    expect(commentsOn(number)).toEqual([expect.stringContaining('Waits for approval')]);
    expect(checksOf(sha)).toMatchObject([{ name: 'lockkeeper / production', conclusion: 'action_required', externalId: asked.id }]);

    expect((await answer(asked, 'approve')).outcome).toBe('complete');
    const written = providerWrites(stage, since).length;
    expect(written).toBeGreaterThan(0);
    expect(commentsOn(number)).toEqual([expect.stringContaining('1 line applied')]);
    expect(checksOf(sha)).toMatchObject([{ conclusion: 'success' }]);

    // Told again, and the pull request's closing, late: production stays as it is.
    expect((await stage.sim.control.redeliver())?.status).toBe(202);
    await tell('pull_request.closed', { number });
    await stage.stack.idle({ withinMs: 20_000, ignoreDelayed: true });
    expect(providerWrites(stage, since)).toHaveLength(written);
    expect(checksOf(sha)).toHaveLength(1);
  });

  it('that takes the plan file away says on the commit what is still managed', async () => {
    const since = now();
    const { sha, before = '' } = merged('planless', null);
    await tell('push', { before });
    const [check] = await until('a check', () => (checksOf(sha).length > 0 ? checksOf(sha) : undefined));
    expect(check).toMatchObject({ conclusion: 'neutral', title: 'No plan file; 1 resource still managed' });
    expect(providerWrites(stage, since)).toEqual([]);
  });

  it('rejected, can be asked for again by "Re-run" on its check, and is then another question', async () => {
    const { sha, before = '' } = merged('again', live('again'));
    await tell('push', { before });
    const first = await answer(await stage.runOf(sha, asks, 60_000), 'reject');
    expect(first.outcome).toBe('rejected');
    const [check] = checksOf(sha);
    expect(check).toMatchObject({ conclusion: 'failure' });

    expect((await tell('check_run.rerequested', { id: check?.id ?? 0, sender: 'lou' })).status).toBe(202);
    const second = await stage.runOf(sha, (run) => run.id !== first.id && asks(run), 60_000);
    expect(second).toMatchObject({ retryOf: first.id, triggeredBy: 'lou' });
    expect((await answer(second, 'approve')).outcome).toBe('complete');
    expect(checksOf(sha)).toMatchObject([{ conclusion: 'success', externalId: second.id }]);
  });
});

describe('a failed run of a pull request', () => {
  it('is run again by "Re-run all checks", by a comment of somebody who may push, and by nobody else', async () => {
    stage.sim.control.rule({ provider: 'clerk', on: 'POST /redirect_urls', fail: { status: 422 }, times: 20 });
    const { pull, run } = await openAndRun(stage, 'flaky', chain('flaky'));
    expect(run.outcome).toBe('failed');
    expect((await tell('check_suite.rerequested', { sha: pull.sha })).status).toBe(202);
    expect((await runsAtRest(stage, pull, 2)).map(({ outcome }) => outcome)).toEqual(['failed', 'failed']);
    stage.sim.control.clear();

    expect((await tell('issue_comment.created', { number: pull.number, body: '/lockkeeper retry', sender: 'stranger' })).status).toBe(202);
    expect((await tell('issue_comment.created', { number: pull.number, body: 'try /lockkeeper retry', sender: 'robin' })).status).toBe(204);
    await stage.stack.idle({ withinMs: 20_000, ignoreDelayed: true });
    expect((await standing(stage, pull)).runs).toHaveLength(2);

    expect((await tell('issue_comment.created', { number: pull.number, body: '/lockkeeper retry\r\n', sender: 'robin' })).status).toBe(202);
    const [newest] = await runsAtRest(stage, pull, 3);
    expect(newest).toMatchObject({ outcome: 'complete', triggeredBy: 'robin' });
    expect(await standing(stage, pull)).toMatchObject({ branches: ['flaky'], checks: [{ conclusion: 'success' }] });
  });
});

describe('what never arrived', () => {
  const fire = () => stage.stack.fire(scheduleOf(stage));

  it('is asked of GitHub once more by the schedule, and done then: a delivery that failed', async () => {
    const pull = openPull(stage, 'undelivered', chain('undelivered'));
    const guid = stage.sim.control.lose(stage.webhookUrl, stage.sim.control.webhook('pull_request.opened', { number: pull.number }), stage.webhookSecret);
    fire();
    await stage.stack.idle({ withinMs: 20_000, ignoreDelayed: true });
    expect(await stage.sim.control.tellAgain()).toEqual([]); // it may still be on its way

    stage.sim.control.edit('github.age', { delivery: guid, minutes: 20 });
    fire();
    await until('GitHub is asked', () => stage.sim.state().github.askedAgain?.at(0));
    expect(await stage.sim.control.tellAgain()).toMatchObject([{ id: guid, status: 202 }]);
    expect((await stage.runOf(pull.sha)).outcome).toBe('complete');

    fire();
    await stage.stack.idle({ withinMs: 20_000, ignoreDelayed: true });
    expect(await stage.sim.control.tellAgain()).toEqual([]);
  });

  it('is found by the schedule where GitHub has nothing to deliver: an open pull request whose head has no run', async () => {
    const pull = openPull(stage, 'untold', chain('untold'));
    fire();
    await stage.stack.idle({ withinMs: 20_000, ignoreDelayed: true });
    expect((await standing(stage, pull)).runs).toEqual([]);

    stage.sim.control.edit('github.age', { pull: pull.number, minutes: 20 });
    fire();
    expect((await stage.runOf(pull.sha)).outcome).toBe('complete');
    fire();
    await stage.stack.idle({ withinMs: 20_000, ignoreDelayed: true });
    expect(await standing(stage, pull)).toMatchObject({ branches: ['untold'], runs: [{ outcome: 'complete' }] });
  });

  it('waits while GitHub is down: the sweep does its work, and nothing becomes a dead letter', async () => {
    stage.sim.control.rule({ provider: 'github', on: 'GET /**', fail: { status: 503 }, times: 100 });
    fire();
    await until('the look to give up', () => stage.logs.lines.find((line) => line.includes('could not look for')), 60_000);
    await stage.stack.idle({ withinMs: 20_000, ignoreDelayed: true });
    expect(stage.logs.lines.some((line) => line.includes('"swept"'))).toBe(true);
  });
});
