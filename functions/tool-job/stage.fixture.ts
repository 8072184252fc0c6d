import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../shared/platform/clock.ts';
import { packedFiles } from '../../shared/platform/tar-file.ts';
import type { Objects } from '../../shared/ports/objects.ts';
import { sealingKey } from '../../shared/secrets/keys.ts';
import { sealedObject } from '../../shared/stacks/sealed-object.ts';
import type { SealedObject, StackPlan, ToolOutcome, ToolWork } from '../../shared/stacks/tool-work.ts';
import { askForEnd, handOver, readHello, readResult } from '../../shared/stacks/worker-mailbox.ts';
import { memoryObjects } from '../../test/ports/memory-objects.ts';
import { runJob, type Times } from './program.ts';

/** A bucket, a folder for states that outlive a job, and the worker's side of every job. */
export interface Stage {
  /** Outlives the jobs: local backends keep their states in it. */
  readonly folder: string;
  readonly objects: Objects;
  /** Puts a commit's files into the bucket. */
  source(files: Readonly<Record<string, string>>): Promise<SealedObject>;
  /** Puts a saved plan into the bucket. */
  saved(plan: StackPlan): Promise<SealedObject>;
  /** One job from hello to answer; `meanwhile` is called when it has its work. */
  job(work: ToolWork, meanwhile?: (ends: { cancel(): Promise<void> }) => void | Promise<void>, looks?: Looks): Promise<ToolOutcome>;
  /** What is left in the folder in which jobs make theirs. */
  leftBehind(): string[];
}

const key = sealingKey('k'.repeat(40), randomBytes);

/** Where programs are looked for: in folders before those of this machine, or in others alone. */
export interface Looks {
  readonly programs?: readonly string[];
  readonly path?: string;
}

export interface StageOptions {
  readonly times?: Partial<Times>;
}

export function openStage({ times = {} }: StageOptions = {}): Stage {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-stage-'));
  const tmp = join(folder, 'jobs');
  mkdirSync(tmp);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { objects } = memoryObjects();
  let count = 0;

  async function put(object: string, bytes: Uint8Array): Promise<SealedObject> {
    const { body, opens } = sealedObject(object, bytes, randomBytes);
    await objects.put(object, body, { ifAbsent: true });
    return opens;
  }

  return {
    folder,
    objects,
    source: (files) => put(`sources/${++count}`, packedFiles(Object.entries(files).map(([path, text]) => ({ path, body: Buffer.from(text) })))),
    saved(plan) {
      if (plan.saved === undefined) throw new Error('nothing was saved');
      return put(`plans/${plan.saved.sha256}`, Buffer.from(plan.saved.bytes, 'base64'));
    },
    async job(work, meanwhile, { programs = [], path = process.env['PATH'] ?? '' } = {}) {
      const box = { purpose: work.do === 'plan' ? 'plan' : 'apply', token: `token-${++count}` } as const;
      const end = { objects, keys: { sealing: key } };
      const ran = runJob({
        place: { ...box, bucket: 'bucket', job: `job-${count}` },
        objects,
        random: randomBytes,
        clock: { ...systemClock, sleep: (ms) => systemClock.sleep(Math.min(ms, 20)) },
        path: [...programs, path].join(':'),
        tmp,
        times: { lookMs: 20, graceMs: 10_000, ...times },
      });
      for (;;) {
        const hello = await readHello(end, box);
        if (hello !== undefined && hello !== 'closed') {
          await handOver(end, box, hello, work);
          break;
        }
        await systemClock.sleep(5);
      }
      await meanwhile?.({ cancel: async () => void (await askForEnd(end, box, systemClock.now())) });
      await ran;
      const outcome = await readResult(end, box);
      if (outcome === undefined || outcome === 'unreadable') throw new Error('the job has not answered');
      return outcome;
    },
    leftBehind: () => readdirSync(tmp),
  };
}

/** Work on the stack at `stack`, with what is the same for every test. */
export const workOn = (source: SealedObject, more: Partial<ToolWork> = {}): ToolWork => ({
  format: 1,
  do: 'plan',
  tool: 'terraform',
  root: { path: 'stack', varFiles: [] },
  source,
  variables: {},
  secretVariables: [],
  environment: {},
  mask: [],
  lock: true,
  drift: true,
  show: [],
  fingerprintKey: { id: 'a1b2c3d4', key: createHash('sha256').update('a key').digest('base64') },
  timeoutMs: 60_000,
  ...more,
});
