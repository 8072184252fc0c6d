import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { log } from '../../../functions/cli/commands/log.ts';
import { diffPlans, showPlan } from '../../../functions/cli/commands/plans.ts';
import { latestReceipt, receiptOfRun } from '../../../functions/cli/commands/receipt.ts';
import { runs } from '../../../functions/cli/commands/runs.ts';
import { show } from '../../../functions/cli/commands/show.ts';
import { storeOf } from '../../../functions/cli/folder/store.ts';
import { untilRest } from '../../../functions/cli/runs/await-run.ts';
import { reportOfRun } from '../../../functions/cli/runs/run-report.ts';
import { recordCommand, startedRun } from '../../../functions/cli/stack/command.ts';
import { variableOfOutput } from '../../../functions/cli/stack/outputs.ts';
import { sessionOf } from '../../../functions/cli/stack/stack.ts';
import { account, arn, region } from '../../../infra/local/template/place.ts';
import { decide } from '../../../shared/approvals/decision.ts';
import type { Run } from '../../../shared/run/items.ts';
import { knownRepository } from '../../../shared/run/known-repository.ts';
import { scopeKey, scopePath } from '../../../shared/table/keys.ts';
import { chain, deliverPull, openAndRun, openPull, openStage, planOf, type Stage } from '../../e2e/stage.ts';
import { demo } from '../../sim/seed.ts';
import { type AwsCall, callsOf } from './call.ts';
import type { Grant } from './grant.ts';
import { judge, missingStatement } from './judge.ts';
import { openRecorder, type Recorder } from './recorder.ts';

/**
 * What a person's commands do to AWS through `--stack`, put to the policies that docs/deploy.md gives people. Asking CloudFormation for the
 * outputs is written down by hand, because the embedded stack has none; who one is STS tells everybody.
 */
const people = ['reader', 'operator', 'approver'] as const;
const stackName = 'Lockkeeper';

let stage: Stage;
let recorder: Recorder;
let grants: Grant[];
let calls: AwsCall[];

beforeAll(async () => {
  recorder = await openRecorder(people);
  stage = await openStage();
  recorder.sendTo(stage.stack.environment);
  await looks();
  await asks();
  await decides();
  grants = people.flatMap(grantsFor);
  const described = { action: 'cloudformation:DescribeStacks', resource: arn('cloudformation', `stack/${stackName}/0a1b2c`), keys: {} };
  calls = [...recorder.requests().flatMap((request) => callsOf(request)), ...people.map((caller) => ({ caller, ...described }))];
}, 120_000);
afterAll(async () => {
  await stage?.stop();
  await recorder?.stop();
});

describe('what people do to AWS through --stack', () => {
  it('is seen for each of them, and reaches the stack', () => {
    expect(recorder.failures()).toEqual([]);
    expect([...new Set(recorder.requests().map(({ caller }) => caller))].sort()).toEqual([...people].sort());
  });

  it('is allowed by the policies that docs/deploy.md gives them', () => {
    const denied = calls.filter((call) => !judge(grants, call).allowed);
    expect([
      ...new Set(denied.map((call) => `${call.caller} ${call.action} ${call.resource} ${JSON.stringify(call.keys)}: ${missingStatement(call)}`)),
    ]).toEqual([]);
  });

  it('uses every right in them', () => {
    const used = new Set(calls.flatMap((call) => judge(grants, call).by));
    const read = (grant: Grant) =>
      grants.filter((one) => one.entry !== grant.entry && one.action === grant.action && one.resource === grant.resource).some((one) => used.has(one));
    expect(grants.filter((grant) => !used.has(grant) && !read(grant)).map(({ entry, action, resource }) => `${entry} ${action} ${resource}`)).toEqual([]);
  });

  it('is no write to a run, a ledger or a decision for whoever may only ask', () => {
    const write = (caller: string, partition: string): AwsCall => ({
      caller,
      action: 'dynamodb:PutItem',
      resource: arn('dynamodb', `table/${tableName()}`),
      keys: { 'dynamodb:LeadingKeys': [partition] },
    });
    for (const partition of ['RUN#1', 'SCOPE#1', 'PLAN#1', 'CLAIM#1', 'NAME#1'])
      expect([partition, judge(grants, write('operator', partition)).allowed]).toEqual([partition, false]);
    for (const partition of ['RUN#1', 'SCOPE#1', 'COMMAND#1'])
      expect([partition, judge(grants, write('approver', partition)).allowed]).toEqual([partition, false]);
    for (const partition of ['PLAN#1', 'COMMAND#1']) expect([partition, judge(grants, write('reader', partition)).allowed]).toEqual([partition, false]);
  });
});

const tableName = (): string => String(stage.stack.outputs['TableName']);

/** The person's store, as `openStack` makes it, with every request told apart by its caller. */
function storeFor(caller: (typeof people)[number]) {
  const found = Object.entries(variableOfOutput).map(([output, variable]) => [variable, stage.stack.outputs[output]]);
  return storeOf({ ...stage.stack.environment, ...recorder.variablesOf(caller), ...Object.fromEntries(found) });
}

const patience = { progress: { show: () => undefined, clear: () => undefined }, signal: new AbortController().signal };

async function looks(): Promise<void> {
  const { pull, run } = await openAndRun(stage, 'looked-at', chain('looked-at'));
  const store = storeFor('reader');
  const repository = await knownRepository(store.table, demo.owner, demo.repository);
  if (!repository) throw new Error('the stack does not know the repository by its name');
  const address = { repository: repository.id, plan: 'main', environment: 'preview', scope: `pr-${pull.number}` };
  const at = (scope: string) => ({ key: scopeKey({ ...address, scope }), path: scopePath({ ...address, scope }) });
  const place = { repository, folder: '/', plan: 'main', environment: 'preview', scope: address.scope, ...at(address.scope) };
  const typed = { sim: false, local: false, stateDir: '.lockkeeper', stack: stackName };
  const view = { store, repository, run: run.id.slice(0, 12), typed };
  await show(store, place, typed);
  await latestReceipt(store, place, typed);
  await latestReceipt(store, { ...place, ...at('nothing-here') }, typed).catch(() => undefined);
  for (const look of [runs, log, receiptOfRun]) await look(view);
}

async function asks(): Promise<void> {
  const store = storeFor('operator');
  const branch = 'asked-for';
  const { sha } = stage.sim.control.edit('github.push', { branch, files: { 'release.plan.yaml': planOf('') } });
  const asked = { owner: demo.owner, name: demo.repository, path: 'release.plan.yaml', environment: 'preview', branch, commit: sha, reconcile: false };
  const command = await recordCommand(store, { ...asked, intent: 'plan', person: { principal: 'arn:aws:iam::000000000000:user/ada' } });
  const id = await startedRun(store, command, patience);
  await reportOfRun(store, await untilRest(sessionOf({ name: stackName, store }), id, patience));
}

async function decides(): Promise<void> {
  const pull = openPull(stage, 'decided', planOf('  - { id: live, adapter: vercel, op: env, target: production, values: { LIVE_MODE: first } }\n'));
  await deliverPull(stage, pull, 'opened');
  const run = await stage.runOf(pull.sha, ({ phase }: Run) => phase === 'awaiting');
  const store = storeFor('approver');
  const person = { name: 'ada', through: 'aws', principal: 'arn:aws:iam::000000000000:user/ada' } as const;
  const question = { ...(run.question as NonNullable<Run['question']>), run: run.id };
  const seen = {
    store,
    repository: run.repository,
    run: undefined,
    digest: question.digest.slice(0, 12),
    other: question.digest,
    typed: { sim: false, local: false, stateDir: '.lockkeeper', stack: stackName },
  };
  for (const look of [showPlan, diffPlans]) await look(seen);
  // Approved, and thought better of.
  for (const verdict of ['approve', 'reject'] as const) await decide(store, question, { verdict, person, at: new Date().toISOString() });
  await store.queues.control({ format: 1, run: run.id, group: run.repository.id });
}

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Grant['condition'];
}

/** The policy under one heading of docs/deploy.md, with the names of this stack in place of its words in capitals. */
function policyUnder(heading: string): readonly Statement[] {
  const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'deploy.md'), 'utf8');
  const [, text] = new RegExp(`### ${heading}\\n[\\s\\S]*?\`\`\`json\\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  const { outputs } = stage.stack;
  const queue = String(outputs['ControlQueueUrl']).split('/').at(-1) ?? '';
  const names = { TABLE: tableName(), BUCKET: String(outputs['BucketName']), CONTROL_QUEUE: queue, STACK: stackName, REGION: region, ACCOUNT: account };
  const filled = Object.entries(names).reduce((json, [word, name]) => json.replaceAll(new RegExp(`\\b${word}\\b`, 'g'), name), String(text));
  return (JSON.parse(filled) as { Statement: Statement[] }).Statement;
}

const headings = { reader: ['Look'], operator: ['Look', 'Run'], approver: ['Look', 'Decide'] } as const;

function grantsFor(entry: (typeof people)[number]): Grant[] {
  const statements = headings[entry].flatMap(policyUnder);
  return statements.flatMap(({ Action, Resource, Condition = {} }) =>
    [Action]
      .flat()
      .flatMap((action) => [Resource].flat().map((resource) => ({ entry, effect: 'Allow' as const, action, resource, condition: listed(Condition) }))),
  );
}

/** A condition's single value stands for a list of one. */
const listed = (condition: Grant['condition']): Grant['condition'] =>
  Object.fromEntries(
    Object.entries(condition).map(([operator, tests]) => [operator, Object.fromEntries(Object.entries(tests).map(([key, values]) => [key, [values].flat()]))]),
  );
