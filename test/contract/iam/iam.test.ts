import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entries } from '../../../infra/bundle.ts';
import type { Template } from '../../../infra/template.ts';
import { openStage, type Stage } from '../../e2e/stage.ts';
import { propertiesOf } from '../../template/reading.ts';
import { recordedTool } from '../../tools/terraform/play.ts';
import { drive } from '../drive.ts';
import { driveStacks, stackPlay } from '../drive-stacks.ts';
import { type AwsCall, callsOf } from './call.ts';
import { callsOfPlatform, type Grant, grantsOf, jobsOf, stateMachinesOf } from './grant.ts';
import { judge, missingStatement } from './judge.ts';
import { openRecorder, type Recorder } from './recorder.ts';
import { reasons } from './unused.ts';

const hastyJob = fileURLToPath(new URL('./hasty-job.fixture.ts', import.meta.url));

/** No emulator asks IAM. So every call of every function is recorded here, and put to the role that the template gives it. */
let folder: string;
let stage: Stage;
let recorder: Recorder;
let grants: Grant[];
let calls: AwsCall[];

beforeAll(async () => {
  recorder = await openRecorder([...entries, 'plan-job', 'apply-job']);
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-iam-'));
  const tool = recordedTool(folder, stackPlay);
  stage = await openStage({ template: throughRecorder, toolPath: `${tool.bin}:${process.env['PATH']}`, toolProgram: hastyJob });
  recorder.sendTo(stage.stack.environment);
  await drive(stage);
  await driveStacks(stage, tool);
  const named = { template: stage.template, physical: (id: string) => stage.stack.physical(id) };
  grants = grantsOf(named);
  const machines = stateMachinesOf(named);
  const all = [...recorder.requests().flatMap((request) => callsOf(request, machines)), ...callsOfPlatform(named)];
  // A call that was made a thousand times is judged once.
  calls = [...new Map(all.map((call) => [JSON.stringify(call), call])).values()];
}, 420_000);
afterAll(async () => {
  await stage?.stop();
  rmSync(folder, { recursive: true, force: true });
  await recorder?.stop();
});

describe('what the functions do to AWS', () => {
  it('is seen for every one of them, and reaches the stack', () => {
    expect(recorder.failures()).toEqual([]);
    expect([...new Set(recorder.requests().map(({ caller }) => caller))].sort()).toEqual([...entries, 'plan-job', 'apply-job'].sort());
  });

  it('is allowed by the role each of them has', () => {
    const denied = calls.filter((call) => !judge(grants, call).allowed);
    expect([...new Set(denied.map((call) => `${call.caller} ${call.action} ${call.resource}: it lacks ${missingStatement(call)}`))]).toEqual([]);
  });

  it('uses every grant, or the grant has its reason', () => {
    const used = new Set(calls.flatMap((call) => judge(grants, call).by));
    const unused = grants.filter((grant) => !used.has(grant)).map(nameOf);
    expect(unused.sort()).toEqual(Object.keys(reasons).sort());
  });

  it('would be denied somewhere without any one of the grants in use: none says what another says already', () => {
    const used = new Set(calls.flatMap((call) => judge(grants, call).by));
    const missed = [...used].filter((grant) => {
      const rest = grants.filter((one) => one !== grant);
      return calls.every((call) => judge(rest, call).allowed);
    });
    expect(missed.map(nameOf)).toEqual([]);
  });
});

/** Function, action, and the resource without account, region and the hash in its name. */
const nameOf = ({ entry, action, resource }: Grant): string =>
  `${entry} ${action} ${resource.replace(/^arn:aws:\w*:[\w-]*:\d*:/, '').replace(/[0-9A-Fa-f]{8}(?=$|[/:])/, '')}`;

/** Tells each function and each kind of tool job an address of the recorder that is its own. */
function throughRecorder(template: Template): Template {
  const jobs = jobsOf(template).map(({ entry, id, project }) => {
    const { EnvironmentVariables } = project.Environment;
    const own = { Name: 'AWS_ENDPOINT_URL_S3', Value: recorder.variablesOf(entry)['AWS_ENDPOINT_URL_S3'] };
    return [
      id,
      { ...template.Resources[id], Properties: { ...project, Environment: { ...project.Environment, EnvironmentVariables: [...EnvironmentVariables, own] } } },
    ];
  });
  const resources = Object.entries(template.Resources).map(([id, resource]) => {
    const entry = resource.Metadata?.['lockkeeper:entry'];
    if (typeof entry !== 'string') return [id, resource];
    const { Variables } = propertiesOf(template, id)['Environment'] as { Variables: object };
    return [id, { ...resource, Properties: { ...resource.Properties, Environment: { Variables: { ...Variables, ...recorder.variablesOf(entry) } } } }];
  });
  return { ...template, Resources: Object.fromEntries([...resources, ...jobs]) } as Template;
}
