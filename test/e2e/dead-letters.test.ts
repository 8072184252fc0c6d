import { PurgeQueueCommand } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Template } from '../../infra/template.ts';
import { sqs } from '../../shared/platform/clients.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { ulids } from '../../shared/platform/ids.ts';
import { latestKey } from '../../shared/receipts/chain.ts';
import { createRun } from '../../shared/run/create-run.ts';
import { present } from '../../shared/table/condition.ts';
import { runKey } from '../../shared/table/keys.ts';
import { demo } from '../sim/seed.ts';
import { rests } from './house.ts';
import { expectChain, expectLeftInOrder } from './invariants.ts';
import { logged } from './sinks.ts';
import {
  callback,
  chain,
  closeAndRun,
  db,
  deliverPull,
  killedAt,
  linesOf,
  openAndRun,
  openPull,
  openStage,
  planOf,
  pushAndRun,
  reportOf,
  runsAtRest,
  type Stage,
  scheduleOf,
  standing,
  until,
  warmWorker,
  withProperties,
} from './stage.ts';

/** Fewer receives and shorter visibility than a real queue has (a claim's seven seconds still fit in), so that a message dies while a test watches. */
function hasty(template: Template): Template {
  const receives = (seconds: number, times: number) => (queue: Readonly<Record<string, unknown>>) => ({
    VisibilityTimeout: seconds,
    RedrivePolicy: { ...(queue['RedrivePolicy'] as object), maxReceiveCount: times },
  });
  const lines = withProperties(template, 'AWS::SQS::Queue', 'QueuesLines', receives(8, 2));
  const control = withProperties(lines, 'AWS::SQS::Queue', 'QueuesControl', receives(2, 4));
  return withProperties(control, 'AWS::Lambda::EventSourceMapping', 'FunctionsLineWorkerFromLines', () => ({ ScalingConfig: { MaximumConcurrency: 1 } }));
}

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ isolatedWorker: true, template: hasty });
  await warmWorker(stage);
});
afterEach(() => expectLeftInOrder(stage));
afterAll(() => stage?.stop());

const errorsSince = (from: number): string => logged({ ...stage.logs, lines: stage.logs.lines.slice(from) }, 'error').join('\n');

describe('a message that dies', () => {
  it('of a line: the line is INTERRUPTED, the run fails, says so and leaves nothing, also of the write nobody saw the answer of', async () => {
    const from = stage.logs.lines.length;
    const pull = openPull(stage, 'dying', planOf(db('dying'), callback('dying', '[db]')));
    await killedAt(stage, { provider: 'clerk', on: 'POST /redirect_urls' }, () => deliverPull(stage, pull, 'opened'));
    // The second attempt dies at its first look: it would find the redirect and finish.
    await killedAt(stage, { provider: 'clerk', on: 'GET /redirect_urls' });
    expect((await standing(stage, pull)).redirects).toHaveLength(1);

    const run = await stage.runOf(pull.sha, rests, 60_000);

    expect(run.outcome).toBe('failed');
    const after = await standing(stage, pull);
    expect(after).toMatchObject({ branches: [], redirects: [], entries: [] });
    expect(after.comments[0]?.body).toContain('**INTERRUPTED**');
    expect(after.checks).toMatchObject([{ conclusion: 'failure' }]);
    expect(errorsSince(from)).toMatch(/"a line died".*"line":"callback"/);
    await expectChain(stage, pull);
  });

  it('of a control step: the run ends failed, says so and gives its lease back', async () => {
    const from = stage.logs.lines.length;
    const pull = openPull(stage, 'steps', chain('steps'));
    // The intake asks once, and is answered: the run it starts is not.
    stage.sim.control.rule({ provider: 'github', on: 'GET /repos/*/*/pulls/*', fail: { status: 500 }, skip: 1, times: 50 });

    await deliverPull(stage, pull, 'opened');
    const run = await stage.runOf(pull.sha, rests, 60_000);

    expect(run).toMatchObject({ outcome: 'failed', stopping: { cause: 'died' } });
    expect((await reportOf(stage, run)).problem).toMatchObject({ code: 'INTERRUPTED' });
    const after = await standing(stage, pull);
    expect(after.comments[0]?.body).toContain('**INTERRUPTED**');
    expect(after).toMatchObject({ branches: [], entries: [] });
    expect(errorsSince(from)).toContain('a control step died');
  });

  it('of a settling step: the run ends failed, what it made stays known, and the next commit takes over its lease and finishes', async () => {
    const from = stage.logs.lines.length;
    const pull = openPull(stage, 'unsettled', planOf(db('unsettled')));
    stage.sim.control.rule({ provider: 'neon', on: 'POST /projects/*/branches', hold: true });
    await deliverPull(stage, pull, 'opened');
    await stage.sim.control.untilHeld();
    // A receipt nobody can read comes to stand where the chain goes on, while the run is at work: no settle can link to it.
    const latest = latestKey(`${demo.repositoryId}/main/preview/pr-${pull.number}`);
    await stage.objects.put(latest, 'no receipt', { ifAbsent: true });
    stage.sim.control.release();
    const run = await stage.runOf(pull.sha, rests, 60_000);

    expect(run).toMatchObject({ outcome: 'failed', problem: { code: 'INTERRUPTED' } });
    expect(await standing(stage, pull)).toMatchObject({ branches: ['unsettled'], entries: [{ createdBy: 'lockkeeper' }], lease: { holder: run.id } });
    expect(errorsSince(from)).toContain('a control step died');

    const top = await stage.objects.get(latest);
    await stage.objects.put(latest, JSON.stringify({ format: 1, run: 'none', round: 1, fence: 0, ledger: [], history: [], previous: null }), {
      ifMatch: top?.etag ?? '',
    });
    const next = await pushAndRun(stage, pull, planOf(db('unsettled')), { 'notes.md': 'mended' }, 60_000);
    expect(next.run).toMatchObject({ outcome: 'complete', tookOver: run.id });
    expect(await standing(stage, next.pull)).toMatchObject({ branches: ['unsettled'], entries: [{ createdBy: 'lockkeeper' }], lease: { released: true } });
  });
});

describe('the sweep', () => {
  const old = () => new Date(Date.now() - 120_000).toISOString();

  it('finds a line whose message is lost, and the run finishes', async () => {
    stage.sim.control.rule({ provider: 'neon', on: 'POST /projects/*/branches', fail: { status: 429, retryAfter: 4 } });
    const pull = openPull(stage, 'lost-line', chain('lost-line'));
    await deliverPull(stage, pull, 'opened');
    const run = await stage.runOf(pull.sha, (one) => one.phase === 'applying');
    await until('the line to be put off', async () => ((await linesOf(stage, run)).some((line) => line.attempt === 1 && line.until === 0) ? true : undefined));
    await stage.stack.idle({ ignoreDelayed: true });
    await sqs(stage.stack.environment).send(new PurgeQueueCommand({ QueueUrl: stage.stack.functionEnvironment('line-worker')['LINES_QUEUE_URL'] }));

    // The sweep has a minute's patience, counted from what the run item says: the test says it for the run.
    await stage.table.write(runKey(run.id), { set: { since: old() } }, present);
    stage.stack.fire(scheduleOf(stage));

    expect((await stage.runOf(pull.sha)).outcome).toBe('complete');
    expect(await standing(stage, pull)).toMatchObject({ branches: ['lost-line'], variables: ['APP_MODE', 'DATABASE_URL'] });
    await expectChain(stage, pull);
  });

  it('finds a run that was recorded and never queued, once it has stood for a minute', async () => {
    const { pull, run } = await openAndRun(stage, 'lost-run', planOf(db('lost-run')));
    const { intent, repository, plan, environment, scope, commit, branch, options } = run;
    const asked = { intent, repository, plan: { name: plan.name, path: plan.path }, environment, scope, commit, branch, options, pullRequest: pull.number };
    const dies = async () => {
      throw new Error('died before it queued');
    };
    const ports = { table: stage.table, ids: ulids(), clock: systemClock, queues: { control: dies, lines: dies } };
    await expect(createRun(ports, 'a start that died', asked)).rejects.toThrow('died');
    const lost = (await standing(stage, pull)).runs.find((one) => one.phase === 'preparing');

    stage.stack.fire(scheduleOf(stage));
    await stage.stack.idle({ ignoreDelayed: true });
    expect((await standing(stage, pull)).runs).toMatchObject([{ phase: 'preparing' }, { phase: 'done' }]);

    await stage.table.write(runKey(lost?.id ?? ''), { set: { since: old() } }, present);
    stage.stack.fire(scheduleOf(stage));
    await runsAtRest(stage, pull, 2);
    expect((await standing(stage, pull)).runs).toMatchObject([{ outcome: 'complete' }, { outcome: 'complete' }]);
  });

  it('tries a destroy again that failed, when its time has come', async () => {
    const { pull } = await openAndRun(stage, 'stuck', chain('stuck'));
    stage.sim.control.rule({ provider: 'neon', on: 'DELETE /projects/*/branches/*', fail: { status: 500 } });
    const failed = await closeAndRun(stage, pull);
    expect(failed.outcome).toBe('failed');
    const after = await standing(stage, pull);
    expect(after).toMatchObject({ branches: ['stuck'], variables: [], redirects: [], entries: [{ op: 'branch' }], head: { tombstone: {} } });
    expect(after.comments[0]?.body).toContain('**DESTROY_FAILED**');

    stage.stack.fire(scheduleOf(stage));
    await stage.stack.idle({ ignoreDelayed: true });
    expect((await standing(stage, pull)).branches).toEqual(['stuck']);

    await stage.table.write(runKey(failed.id), { set: { since: old(), resumeAt: Date.now() - 1 } }, present);
    stage.stack.fire(scheduleOf(stage));
    await until('the second round’s end', async () =>
      (await stage.runs()).find((run) => run.id === failed.id && run.round === 2 && run.outcome === 'complete'),
    );
    expect(await standing(stage, pull)).toMatchObject({ branches: [], entries: [] });
    await expectChain(stage, pull);
  });
});
