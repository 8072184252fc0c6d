import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { s3Reads, s3Writes } from '../../shared/platform/clients.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { s3Objects } from '../../shared/platform/s3-objects.ts';
import { packedFiles } from '../../shared/platform/tar-file.ts';
import { sealingKey } from '../../shared/secrets/keys.ts';
import { letterKey, type Mailbox } from '../../shared/stacks/mailbox.ts';
import { sealedObject } from '../../shared/stacks/sealed-object.ts';
import type { ToolWork } from '../../shared/stacks/tool-work.ts';
import { handOver, readHello, readResult } from '../../shared/stacks/worker-mailbox.ts';
import { startBucket } from '../../test/contract/buckets.ts';
import { mixed, type Play, recordedTool } from '../../test/tools/terraform/play.ts';
import { workOn } from './stage.fixture.ts';

const credentials = { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'CANARY-of-the-job' };
const keys = { sealing: sealingKey('k'.repeat(40), randomBytes) };
const main = join(import.meta.dirname, 'main.ts');

let bucket: Awaited<ReturnType<typeof startBucket>>;
beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(() => bucket.stop());

const objectsOf = () => {
  const environment = { ...credentials, AWS_ENDPOINT_URL_S3: bucket.url };
  return s3Objects({ bucket: bucket.name, writes: s3Writes(environment), reads: s3Reads(environment), clock: systemClock });
};

interface Job {
  readonly process: ChildProcess;
  /** All that it wrote to either output. */
  said(): string;
  readonly ended: Promise<number | null>;
}

/** The program as a runner starts it: a process with an environment of its own, told nothing but its token. */
function start(box: Mailbox, folder: string, bin: string, node: readonly string[] = []): Job {
  const own = { BUCKET_NAME: bucket.name, LOCKKEEPER_TOOL_PURPOSE: box.purpose, LOCKKEEPER_TOOL_TOKEN: box.token, CODEBUILD_BUILD_ID: `build:${box.token}` };
  const env = { PATH: `${bin}:/usr/bin:/bin`, TMPDIR: folder, EMBEDDED_STACK: 'yes', AWS_ENDPOINT_URL_S3: bucket.url, ...credentials, ...own };
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...node, main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { process: child, said: () => said, ended };
}

let count = 0;

async function started(play: Play, more: Partial<ToolWork> = {}, node: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-main-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const jobs = join(folder, 'jobs');
  mkdirSync(jobs);
  const tool = recordedTool(folder, play);
  onTestFinished(() => {
    for (const { pid } of tool.calls()) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  });
  const objects = objectsOf();
  const { body, opens } = sealedObject(`sources/${++count}`, packedFiles([{ path: 'stack/main.tf', body: Buffer.from('# CANARY-source') }]), randomBytes);
  await objects.put(opens.object, body, { ifAbsent: true });
  const work = workOn(opens, more);
  const box: Mailbox = { purpose: work.do === 'plan' ? 'plan' : 'apply', token: `token-${count}` };
  const end = { objects, keys };
  const job = start(box, jobs, tool.bin, node);
  const hello = await until(async () => readHello(end, box));
  if (hello === 'closed') return expect.fail('nobody said hello');
  return { folder, jobs, tool, objects, work, box, end, job, hello };
}

async function until<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await systemClock.sleep(20);
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0) && !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
};

describe('the program of a tool job', () => {
  it('works for one process of its token alone, says nothing on its outputs, and seals all that it puts (I1, P9)', async () => {
    const { jobs, tool, objects, work, box, end, job, hello } = await started(mixed, {
      variables: { db_password: 'CANARY-variable' },
      secretVariables: ['db_password'],
      environment: { TOKEN: 'CANARY-environment' },
    });
    const second = start(box, jobs, tool.bin);
    expect(await second.ended).toBe(0);
    await handOver(end, box, hello, work);
    expect(await job.ended).toBe(0);
    const outcome = await readResult(end, box);
    expect(outcome, JSON.stringify(outcome)).toMatchObject({ did: 'planned', plan: { version: '1.11.4' } });
    expect([job.said(), second.said()]).toEqual(['', '']);
    for (const letter of ['hello', 'input', 'result'] as const) {
      const body = (await objects.get(letterKey(box, letter)))?.body ?? '';
      expect(body.length).toBeGreaterThan(0);
      expect(body).not.toContain('CANARY');
    }
    for (const { environment } of tool.calls()) {
      expect(environment).toMatchObject({ TOKEN: 'CANARY-environment' });
      expect(JSON.stringify(environment)).not.toContain('CANARY-of-the-job');
      expect(Object.keys(environment).filter((name) => /^(AWS_|LOCKKEEPER_|BUCKET|CODEBUILD)/.test(name))).toEqual([]);
    }
    expect(readdirSync(jobs)).toEqual([]);
  });

  it('told to end by its runner, interrupts the tool and answers what was done', async () => {
    const { jobs, tool, work, box, end, job, hello } = await started({ ...mixed, apply: { hangs: true } }, { do: 'plan-and-apply' });
    await handOver(end, box, hello, work);
    await until(() => tool.calls().some(({ call }) => call === 'apply'));
    job.process.kill('SIGTERM');
    expect(await job.ended).toBe(0);
    expect(await readResult(end, box)).toMatchObject({ did: 'failed', cause: 'stopped', done: [], planned: { version: '1.11.4' } });
    expect(readdirSync(jobs)).toEqual([]);
  });

  it('killed half way, takes its tool and its folder with it before it counts as ended (P9)', async () => {
    const { jobs, tool, work, box, end, job, hello } = await started({ ...mixed, plan: { hangs: true, deaf: true } });
    await handOver(end, box, hello, work);
    const pid = await until(() => tool.calls().find(({ call }) => call === 'plan')?.pid);
    expect(isAlive(pid)).toBe(true);
    job.process.kill('SIGKILL');
    await job.ended;
    expect(isAlive(pid)).toBe(false);
    await until(() => !existsSync(join(jobs, 'lockkeeper-tool')));
    expect(await readResult(end, box)).toBeUndefined();
  });

  it('takes 50 MB of output in a heap of 64 MB: nothing of it is kept but beginning and end', async () => {
    const { work, box, end, job, hello } = await started({ ...mixed, plan: { floods: 50, plan: 'the saved plan' } }, {}, ['--max-old-space-size=64']);
    await handOver(end, box, hello, work);
    expect(await job.ended).toBe(0);
    expect(await readResult(end, box)).toMatchObject({ did: 'planned' });
  });
});
