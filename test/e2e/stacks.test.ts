import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordedTool } from '../tools/terraform/play.ts';
import { everyItem, everyVersion } from './sinks.ts';
import { allowStacks, approve, cancel, created, openStackPull, roleOf } from './stack-lines.ts';
import { deliverPull, linesOf, openStage, type Stage, until } from './stage.ts';

let folder: string;
let stage: Stage;
let tool: ReturnType<typeof recordedTool>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-stacks-'));
  tool = recordedTool(folder, { ...created, apply: [{ recording: 'terraform/apply-create.ndjson' }, { hangs: true, deaf: true }] });
  stage = await openStage({ toolPath: `${tool.bin}:${process.env['PATH']}` });
});
afterAll(async () => {
  await stage?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const isThere = (pid: number | undefined): boolean => {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Calls of the tool, each with the role that it had. */
const rolesOf = (calls: ReturnType<typeof tool.calls>): string[] =>
  calls.map(({ call, environment }) => `${call} as ${environment['AWS_SECRET_ACCESS_KEY']?.replace('secret-of-', '').split('/').at(-1)}`);

describe('a stack of a pull request', () => {
  it('is asked about and applied by builds of the two projects, each with its own role and nothing of Lockkeeper’s', async () => {
    allowStacks(stage, { protected: true });
    const pull = openStackPull(stage, 'net');
    await deliverPull(stage, pull, 'opened');
    const asked = await stage.runOf(pull.sha, ({ phase }) => phase === 'awaiting', 50_000);
    const planned = tool.calls();
    expect(new Set(rolesOf(planned).map((one) => one.split(' as ')[1]))).toEqual(new Set(['lockkeeper-stack-plan']));
    await approve(stage, asked);
    const run = await stage.runOf(pull.sha, undefined, 50_000);
    const [line] = await linesOf(stage, run);
    expect([run.outcome, line?.result?.status, line?.result?.notes]).toEqual(['complete', 'applied', undefined]);
    const applied = tool.calls().slice(planned.length);
    expect(rolesOf(applied)).toContain('apply as lockkeeper-stack-apply');
    expect(applied.find(({ call }) => call === 'apply')?.plan).toBe('the saved plan');
    for (const { environment } of tool.calls()) {
      const names = Object.keys(environment).filter((name) => !/^(TF_|CHECKPOINT_|PWD$|SHLVL$|_$)/.test(name));
      expect(names.sort()).toEqual(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'HOME', 'PATH', 'TMPDIR']);
    }
  }, 150_000);

  it('that is cancelled while its tool is at work, and deaf, ends with every process of it', async () => {
    const pull = openStackPull(stage, 'deaf');
    await deliverPull(stage, pull, 'opened');
    await approve(stage, await stage.runOf(pull.sha, ({ phase }) => phase === 'awaiting', 50_000));
    const deaf = await until('the tool is at work', () => tool.calls().filter(({ call }) => call === 'apply')[1], 50_000);
    const [job] = stage.stack.buildPids();
    await cancel(stage, await stage.runOf(pull.sha, () => true));
    const run = await stage.runOf(pull.sha, undefined, 55_000);
    expect(run.outcome).toBe('cancelled');
    expect([job, deaf.pid].map(isThere)).toEqual([false, false]);
    expect(stage.stack.buildPids()).toEqual([]);
  }, 200_000);

  it('leaves the credentials of its roles, and what the tool saved, nowhere in clear', async () => {
    const seen = [...stage.logs.lines, JSON.stringify(await everyItem(stage)), ...(await everyVersion(stage)).map(({ body }) => body)].join('\n');
    for (const canary of [`secret-of-${roleOf('plan')}`, `secret-of-${roleOf('apply')}`, 'the saved plan', Buffer.from('the saved plan').toString('base64')])
      expect(seen.includes(canary), canary).toBe(false);
    expect(seen).toContain('lko1.');
  });
});
