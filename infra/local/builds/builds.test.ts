import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { AssumeRoleCommand } from '@aws-sdk/client-sts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assumedRoles } from '../../../shared/platform/assumed-roles.ts';
import { codebuild, sts } from '../../../shared/platform/clients.ts';
import { codebuildRunner } from '../../../shared/platform/codebuild-runner.ts';
import type { ToolJobState, ToolRunner } from '../../../shared/ports/tool-runner.ts';
import { manualClock } from '../../../test/ports/manual-clock.ts';
import { type LocalStack, startLocalStack } from '../stack.ts';

/** Writes down what it was given, then does what the first letter of its token says. */
const program = `
import { appendFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
const token = process.env.LOCKKEEPER_TOOL_TOKEN;
appendFileSync(process.env.SEEN, JSON.stringify(process.env) + '\\n');
if (token.startsWith('f')) process.exit(3);
if (token.startsWith('c')) spawn('/bin/sleep', ['60'], { stdio: ['ignore', 'ignore', 'inherit'] });
if (/^[hc]/.test(token)) setInterval(() => {}, 1000);
`;

let folder: string;
let stack: LocalStack;
let tools: ToolRunner;
const clock = manualClock(Date.now());

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-builds-'));
  writeFileSync(join(folder, 'program.mjs'), program);
  const project = (purpose: string) => ({
    Type: 'AWS::CodeBuild::Project',
    Metadata: { 'lockkeeper:program': 'job' },
    Properties: {
      Environment: {
        EnvironmentVariables: [
          { Name: 'SEEN', Value: join(folder, 'seen'), Type: 'PLAINTEXT' },
          { Name: 'PURPOSE', Value: purpose },
        ],
      },
    },
  });
  const rule = {
    EventPattern: { source: ['aws.codebuild'], detail: { 'build-status': ['SUCCEEDED', 'FAILED', 'STOPPED'], 'project-name': [{ Ref: 'Plan' }] } },
    Targets: [
      {
        Id: 'one',
        Arn: { 'Fn::GetAtt': ['Ends', 'Arn'] },
        InputTransformer: {
          InputPathsMap: { status: '$.detail.build-status', nothing: '$.detail.nothing.at' },
          InputTemplate: '{"was":<status>,"no":<nothing>}',
        },
      },
    ],
  };
  const Resources = {
    Plan: project('plan'),
    Apply: project('apply'),
    Ends: { Type: 'AWS::SQS::Queue', Properties: {} },
    Rule: { Type: 'AWS::Events::Rule', Properties: rule },
  };
  stack = await startLocalStack({
    template: { Resources },
    handlers: {},
    programs: { job: { file: join(folder, 'program.mjs') } },
    buildPath: '/only/these',
    stopWithinMs: 50,
  });
  tools = codebuildRunner({
    client: codebuild(stack.environment),
    projects: { plan: stack.physical('Plan'), apply: stack.physical('Apply') },
    clock,
  });
});
afterEach(async () => {
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
});

const start = (token: string) => tools.start({ token, purpose: 'plan', timeoutMs: 60_000 });

async function until(job: string, state: ToolJobState): Promise<void> {
  for (let looks = 0; (await tools.state(job)) !== state; looks += 1) {
    if (looks === 2000) throw new Error(`${job} is ${await tools.state(job)}`);
    await setTimeout(25);
  }
}

/** Environments of the processes that have begun. */
async function seen(count: number): Promise<Record<string, string>[]> {
  for (let looks = 0; looks < 20000; looks += 1) {
    const lines = spawnSync('cat', [join(folder, 'seen')], { encoding: 'utf8' })
      .stdout.split('\n')
      .filter(Boolean);
    if (lines.length >= count) return lines.map((line) => JSON.parse(line) as Record<string, string>);
    await setTimeout(25);
  }
  throw new Error('they have not begun');
}

const isThere = (pid: number | undefined): boolean => {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('builds, asked for as in AWS', () => {
  it('are processes that see the project’s variables, the token, the bucket, and nothing of this process', async () => {
    const job = await start('ok');
    await until(job, 'succeeded');
    const [environment] = await seen(1);
    const { SEEN: _seen, AWS_ENDPOINT_URL_S3, AWS_SECRET_ACCESS_KEY, CODEBUILD_BUILD_ARN, ...rest } = environment ?? {};
    expect(rest).toEqual({
      PATH: '/only/these',
      EMBEDDED_STACK: 'yes',
      PURPOSE: 'plan',
      LOCKKEEPER_TOOL_TOKEN: 'ok',
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      CODEBUILD_BUILD_ID: job,
      CI: 'true',
    });
    expect(AWS_ENDPOINT_URL_S3).toBe(stack.environment['AWS_ENDPOINT_URL_S3']);
  });

  it('are one build for one token, however often it is started (P9)', async () => {
    const [first, second] = await Promise.all([start('hold'), start('hold')]);
    expect(second).toBe(first);
    expect(stack.buildPids()).toHaveLength(1);
  });

  it('end as failed, as stopped with all that they had started, and are unknown where there was none', async () => {
    await until(await start('fail'), 'failed');
    const job = await start('child');
    expect(await tools.state(job)).toBe('running');
    await seen(2);
    const [pid] = stack.buildPids();
    await tools.stop(job);
    await until(job, 'stopped');
    expect(isThere(pid)).toBe(false);
    await tools.stop(job);
    await tools.stop(`${stack.physical('Plan')}:never`);
    expect(await tools.state(`${stack.physical('Plan')}:never`)).toBe('unknown');
    expect(await tools.state('no build at all')).toBe('unknown');
  });

  it('tell of their end through the rule, and of that of another project nobody', async () => {
    await tools.start({ token: 'elsewhere', purpose: 'apply', timeoutMs: 1 });
    await until(await start('fail'), 'failed');
    await stack.idle({ withinMs: 50_000 });
    const depth = async () => (await stack.queueDepths())['Ends']?.visible;
    for (let looks = 0; (await depth()) !== 1 && looks < 2000; looks += 1) await setTimeout(25);
    expect(await depth()).toBe(1);
  });

  it('do not outlive the stack', async () => {
    await start('hold');
    await seen(1);
    const [pid] = stack.buildPids();
    expect(isThere(pid)).toBe(true);
    await stack.stop();
    expect(isThere(pid)).toBe(false);
  });
});

describe('roles, asked for as in AWS', () => {
  it('can be assumed in the account that the stack pretends to be in, and in no other', async () => {
    const roles = assumedRoles(sts(stack.environment));
    const own = await roles.assume('arn:aws:iam::000000000000:role/lockkeeper-stack-preview', 'run 1/line');
    expect(Object.keys(own)).toEqual(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN']);
    await expect(roles.assume('arn:aws:iam::123456789012:role/lockkeeper-stack-preview', 'run')).rejects.toMatchObject({
      code: 'ROLE_REFUSED',
      message: 'The role arn:aws:iam::123456789012:role/lockkeeper-stack-preview cannot be assumed: AccessDenied.',
    });
    await expect(
      sts(stack.environment).send(new AssumeRoleCommand({ RoleArn: 'arn:aws:iam::000000000000:role/x', RoleSessionName: 'ok' })),
    ).resolves.toBeDefined();
  });
});
