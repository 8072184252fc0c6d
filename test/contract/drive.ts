import { randomUUID } from 'node:crypto';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { readEvent } from '../../functions/github-webhook/intake-of.ts';
import { recordAndQueue } from '../../functions/github-webhook/record.ts';
import { type Decision, decide, type Person } from '../../shared/approvals/decision.ts';
import { sqs } from '../../shared/platform/clients.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { ulids } from '../../shared/platform/ids.ts';
import { createRun } from '../../shared/run/create-run.ts';
import type { Run } from '../../shared/run/items.ts';
import { latestScans } from '../../shared/run/latest-runs.ts';
import { readRun } from '../../shared/run/run-store.ts';
import {
  callback,
  chain,
  closeAndRun,
  db,
  deliverPull,
  deliverPush,
  linesOf,
  nightOf,
  openAndRun,
  openPull,
  type Pull,
  planOf,
  pushAndRun,
  pushTo,
  runsAtRest,
  type Stage,
  scheduleOf,
  until,
} from '../e2e/stage.ts';
import { demo } from '../sim/seed.ts';
import { inSlack } from './drive-slack.ts';
import { pushes, unheard } from './drive-webhooks.ts';

/** Everything that a function does to AWS is done here at least once: the life of a pull request, and what goes wrong in one. */
export async function drive(stage: Stage): Promise<void> {
  await life(stage);
  await night(stage);
  await rollback(stage);
  await parameter(stage);
  await deployment(stage);
  await queueAtTheDoor(stage);
  await lostDelivery(stage);
  await scan(stage);
  await deadLine(stage);
  await deadStep(stage);
  await stepTwice(stage);
  await fromTerminal(stage);
  await deployed(stage);
  await gated(stage);
  await pushes(stage, decideOn);
  await inSlack(stage);
  await unheard(stage);
  await outsideTheRules(stage);
  await stage.stack.idle({ withinMs: 30_000, ignoreDelayed: true });
}

/** Applied, unchanged, refused for an edit, destroyed. */
async function life(stage: Stage): Promise<void> {
  const { pull } = await openAndRun(stage, 'life', chain('life'));
  const same = await pushAndRun(stage, pull, chain('life'), { 'notes.md': 'same' });
  stage.sim.control.edit('vercel.set', { key: 'APP_MODE', branch: 'life', value: 'by-hand' });
  const refused = await pushAndRun(stage, same.pull, chain('life'), { 'notes.md': 'edited' });
  stage.sim.control.edit('vercel.set', { key: 'APP_MODE', branch: 'life', value: 'preview' });
  await closeAndRun(stage, refused.pull);
  await recovery(stage, refused.pull);
}

/** What a person at a terminal asks for after damage: every version of the scope's receipt is read. */
async function recovery(stage: Stage, pull: Pull): Promise<void> {
  const queues = { control: (message: object) => send(stage, 'ControlQueueUrl', message), lines: async () => undefined };
  const id = await createRun({ table: stage.table, queues, clock: systemClock, ids: ulids() }, ulids().fresh(), {
    intent: 'recover',
    repository: { id: String(demo.repositoryId), owner: demo.owner, name: demo.repository, defaultBranch: 'main' },
    plan: { name: 'main', path: 'release.plan.yaml' },
    environment: 'preview',
    scope: `pr-${pull.number}`,
    commit: pull.sha,
    branch: 'life',
    options: { busy: 'fail', confirmed: true },
  });
  await stage.runOf(pull.sha, (run) => run.id === id && run.phase === 'done');
}

/** A pull request that is closed and of which nobody hears, until the nightly clean-up. */
async function night(stage: Stage): Promise<void> {
  const { pull } = await openAndRun(stage, 'left', planOf(db('left')));
  stage.sim.control.edit('github.close', { number: pull.number });
  stage.stack.fire(nightOf(stage));
  await stage.runOf(pull.sha, (run) => run.options.cleanUp === true && run.phase === 'done');
}

async function rollback(stage: Stage): Promise<void> {
  stage.sim.control.rule({ provider: 'clerk', on: 'POST /redirect_urls', fail: { status: 422 }, times: 20 });
  await openAndRun(stage, 'undone', planOf(db('undone'), callback('undone', '[db]')));
  stage.sim.control.clear();
}

/** A secret of the parameter store, which has none of that name: asked for, and its line is blocked. */
async function parameter(stage: Stage): Promise<void> {
  const wants = "  - { id: env, adapter: vercel, op: env, branch: parameter, values: { A: { secret: 'ssm:///lockkeeper/preview/NOT_THERE' } } }\n";
  await openAndRun(stage, 'parameter', planOf(wants));
}

/** A line that waits for the deployment, which then fails and then succeeds. */
async function deployment(stage: Stage): Promise<void> {
  const waits = `  - { id: env, adapter: vercel, op: env, branch: waits, values: { APP_MODE: preview } }
  - { id: login, adapter: clerk, op: redirect_allow, url: { from: env.preview_url } }\n`;
  const { pull } = await openAndRun(stage, 'waits', planOf(waits));
  stage.sim.control.edit('vercel.finish', { sha: pull.sha, state: 'READY' });
  await stage.sim.control.deliver(
    stage.webhookUrl,
    stage.sim.control.webhook('deployment_status', { sha: pull.sha, url: 'https://waits.vercel.app' }),
    stage.webhookSecret,
  );
  await stage.runOf(pull.sha, (run) => run.phase === 'done');
}

/** A second commit comes while the first is applied: its run waits for the lease. A message of the first comes twice meanwhile. */
async function queueAtTheDoor(stage: Stage): Promise<void> {
  stage.sim.control.rule({ provider: 'neon', on: 'GET /projects/*/branches', hold: true });
  const pull = openPull(stage, 'busy', planOf(db('busy')));
  await deliverPull(stage, pull, 'opened');
  await stage.sim.control.untilHeld();
  const first = await stage.runOf(pull.sha, (run) => run.phase === 'applying');
  await send(stage, 'LinesQueueUrl', lineMessage(first, 'db'));
  await send(stage, 'LinesDeadLetterQueueUrl', lineMessage(first, 'db'));
  const next = pushTo(stage, pull, planOf(db('busy')), { 'notes.md': 'next' });
  await deliverPush(stage, next, pull.sha);
  await until('the next run waits for the lease', async () => (await stage.runs({ commit: next.sha })).find((run) => run.waitsUntil !== undefined));
  stage.sim.control.clear();
  stage.sim.control.release();
  await runsAtRest(stage, next, 2, 60_000);
}

/** What a push released is deleted outside, and a scan finds it: policy turns scans on, and the schedule asks for the first. */
async function scan(stage: Stage): Promise<void> {
  const [repository] = stage.sim.state().github.repositories;
  const usual = repository?.commits[repository.branches['main'] ?? '']?.files ?? {};
  const policy = JSON.stringify({ version: 1, events: { push: ['preview'] }, environments: { preview: { drift: { enabled: true } } } });
  const push = (files: Record<string, string | null>) => stage.sim.control.edit('github.push', { branch: 'main', files });
  const { sha, before = '' } = push({ ...usual, 'lockkeeper.yaml': policy, 'release.plan.yaml': planOf(db('scanned')) });
  await stage.sim.control.deliver(stage.webhookUrl, stage.sim.control.webhook('push', { before }), stage.webhookSecret);
  await stage.runOf(sha, (run) => run.kind === 'apply' && run.phase === 'done');
  stage.sim.control.edit('neon.delete', { branch: 'scanned' });
  stage.stack.fire(scheduleOf(stage));
  await until('the scan', async () => (await latestScans(stage, String(demo.repositoryId))).find(({ phase }) => phase === 'done'));
  push({ 'lockkeeper.yaml': null, 'release.plan.yaml': null, ...usual });
}

/** Recorded, never queued, found by the schedule. */
async function lostDelivery(stage: Stage): Promise<void> {
  const pull = openPull(stage, 'unqueued', planOf(db('unqueued')));
  const hook = stage.sim.control.webhook('pull_request.opened', { number: pull.number });
  const happening = readEvent(hook.event, hook.payload);
  if (happening === undefined || happening === 'nothing') throw new Error('an opened pull request starts nothing');
  const ports = { table: stage.table, queues: { control: async () => undefined }, clock: { now: () => Date.now() - 120_000 }, ids: ulids() };
  await recordAndQueue(ports, randomUUID(), happening);
  stage.stack.fire(scheduleOf(stage));
  await stage.runOf(pull.sha);
}

/** A run whose first line the provider puts off again and again: nobody has a claim in between. */
async function putOff(stage: Stage, name: string): Promise<{ pull: Pull; run: Run }> {
  stage.sim.control.rule({ provider: 'neon', on: 'GET /projects/*/branches', fail: { status: 429, retryAfter: 4 }, times: 50 });
  const pull = openPull(stage, name, planOf(db(name), callback(name, '[db]')));
  await deliverPull(stage, pull, 'opened');
  const run = await stage.runOf(pull.sha, (one) => one.phase === 'applying');
  await until('the line is put off', async () => (await linesOf(stage, run)).find(({ attempt, until: end }) => attempt > 0 && end === 0));
  return { pull, run };
}

/** A line whose message died while nobody was at it. */
async function deadLine(stage: Stage): Promise<void> {
  const { pull, run } = await putOff(stage, 'dead-line');
  await send(stage, 'LinesDeadLetterQueueUrl', lineMessage(run, 'db'));
  await stage.runOf(pull.sha);
  stage.sim.control.clear();
}

/** A control step whose message came again, and died, while another delivery of it was at work. */
async function stepTwice(stage: Stage): Promise<void> {
  stage.sim.control.rule({ provider: 'github', on: 'POST /repos/*/*/check-runs', hold: true });
  const pull = openPull(stage, 'step-twice', planOf(db('step-twice')));
  await deliverPull(stage, pull, 'opened');
  await stage.sim.control.untilHeld();
  const run = await stage.runOf(pull.sha, () => true);
  await send(stage, 'ControlQueueUrl', stepMessage(run));
  await send(stage, 'ControlDeadLetterQueueUrl', stepMessage(run));
  const taken = (id: string) => async () => ((await stage.stack.queueDepths())[id]?.inFlight ? true : undefined);
  await until('the dead step is handed back', taken(queueOf(stage, 'ControlDeadLetterQueueUrl')));
  await until('a second delivery is handed back', taken(queueOf(stage, 'ControlQueueUrl')));
  stage.sim.control.clear();
  stage.sim.control.release();
  await stage.runOf(pull.sha, undefined, 60_000);
}

/** A step that died while its run was waiting for a line: the run stops. */
async function deadStep(stage: Stage): Promise<void> {
  const { pull, run } = await putOff(stage, 'dead-step');
  await send(stage, 'ControlDeadLetterQueueUrl', stepMessage(run));
  await stage.runOf(pull.sha, (one) => one.stopping !== undefined);
  stage.sim.control.clear();
  await stage.runOf(pull.sha, undefined, 60_000);
}

/** A plan, and two applies of which the second is of an older commit: plan files that lie in the bucket, as a terminal's do. */
async function fromTerminal(stage: Stage): Promise<void> {
  const older = stage.sim.control.edit('github.push', { branch: 'terminal', files: { 'a.md': '1' } }).sha;
  const newer = stage.sim.control.edit('github.push', { branch: 'terminal', files: { 'a.md': '2' } }).sha;
  await command(stage, 'plan', newer);
  await command(stage, 'apply', newer);
  await command(stage, 'apply', older);
}

async function command(stage: Stage, intent: 'plan' | 'apply', commit: string): Promise<void> {
  const object = 'plans/of-a-terminal.yaml';
  await stage.objects.put(object, planOf(db('terminal')), { ifAbsent: true });
  const queues = { control: (message: object) => send(stage, 'ControlQueueUrl', message), lines: async () => undefined };
  const id = await createRun({ table: stage.table, queues, clock: systemClock, ids: ulids() }, ulids().fresh(), {
    intent,
    repository: { id: String(demo.repositoryId), owner: demo.owner, name: demo.repository, defaultBranch: 'main' },
    plan: { name: 'main', path: 'release.plan.yaml', object },
    environment: 'preview',
    scope: 'terminal',
    commit,
    branch: 'terminal',
    options: { busy: 'fail' },
  });
  await until(`the ${intent} is done`, async () => ((await readRun(stage.table, id))?.phase === 'done' ? true : undefined));
}

/** A line that deploys by itself, since nothing builds a push there; and its end. */
async function deployed(stage: Stage): Promise<void> {
  const deploys = planOf('  - { id: site, adapter: vercel, op: deploy }\n');
  stage.sim.control.set({ vercel: { builds: 'never', outcome: 'READY' } });
  const { pull } = await openAndRun(stage, 'deployed', deploys);
  await closeAndRun(stage, pull);
  stage.sim.control.set({ vercel: { builds: 'auto', outcome: 'wait' } });
}

/** A run that writes in production: approved by a maintainer whom policy knows; and once more, rejected by whoever sits at the machine. */
async function gated(stage: Stage): Promise<void> {
  const live = (mode: string) => planOf(`  - { id: live, adapter: vercel, op: env, target: production, values: { LIVE_MODE: ${mode} } }\n`);
  const policy = `version: 1\nenvironments: { staging: { approvers: [{ github: robin, aws: '${robin.principal}' }] } }\n`;
  stage.sim.control.edit('github.push', { branch: 'main', files: { 'lockkeeper.yaml': policy } });
  const pull = openPull(stage, 'gated', live('first'));
  await deliverPull(stage, pull, 'opened');
  const first = await stage.runOf(pull.sha, asks);
  await decideOn(stage, first, 'approve', robin);
  await stage.runOf(pull.sha, undefined, 60_000);
  const next = pushTo(stage, pull, live('second'));
  await deliverPush(stage, next, pull.sha);
  const second = await stage.runOf(next.sha, asks, 60_000);
  await decideOn(stage, second, 'reject');
  await stage.runOf(next.sha, undefined, 60_000);
}

const atMachine: Person = { name: 'kim', through: 'machine' };
const robin = { name: 'robin', through: 'aws', principal: 'arn:aws:iam::123456789012:user/robin' } as const;

const asks = (run: Run): boolean => run.phase === 'awaiting';

async function decideOn(stage: Stage, run: Run, verdict: Decision['verdict'], person: Person = atMachine): Promise<void> {
  const { question } = run;
  if (question === undefined) throw new Error(`run ${run.id} asks nothing`);
  const decision = { verdict, person, at: new Date().toISOString() };
  await decide({ table: stage.table, ids: ulids() }, { ...question, run: run.id }, decision);
  await send(stage, 'ControlQueueUrl', stepMessage(run));
}

/** Many variables, so that a list has a second page; a sensitive one; a provider that refuses, fails and forgets. */
async function outsideTheRules(stage: Stage): Promise<void> {
  stage.sim.control.set({ vercel: { pageSize: 2 }, neon: { pageSize: 1 }, clerk: { pageSize: 1 }, github: { pageSize: 1 } });
  const { pull } = await openAndRun(stage, 'pages', chain('pages'));
  stage.sim.control.set({ vercel: { pageSize: 100, decryptLists: false }, neon: { pageSize: 10_000 }, clerk: { pageSize: 500 }, github: { pageSize: 100 } });
  const changed = await pushAndRun(stage, pull, chain('pages').replace('preview', 'changed'));
  const [comment] = stage.sim.state().github.repositories[0]?.comments.filter(({ issue }) => issue === pull.number) ?? [];
  if (comment !== undefined) stage.sim.control.edit('github.deleteComment', { id: comment.id });
  const again = await pushAndRun(stage, changed.pull, chain('pages').replace('preview', 'again'));
  for (const provider of ['neon', 'vercel', 'clerk', 'github'] as const) stage.sim.control.rule({ provider, on: 'GET /**', fail: { status: 500 }, times: 1 });
  const failed = await pushAndRun(stage, again.pull, chain('pages'), { 'notes.md': 'fails' });
  stage.sim.control.clear();
  await closeAndRun(stage, failed.pull, 60_000);
}

const queueOf = (stage: Stage, output: string): string => Object.keys(stage.template.Resources).find((id) => stage.stack.outputs[output]?.endsWith(id)) ?? '';

const stepMessage = (run: Run) => ({ format: 1, run: run.id, group: run.repository.id });

const lineMessage = (run: Run, line: string) => ({ format: 1, run: run.id, round: run.round, phase: run.phase, line, group: run.repository.id });

/** Puts a message into a queue of the stack, as whoever watches it: not as one of its functions. */
async function send(stage: Stage, output: string, body: object): Promise<void> {
  await sqs(stage.stack.environment).send(new SendMessageCommand({ QueueUrl: String(stage.stack.outputs[output]), MessageBody: JSON.stringify(body) }));
}
