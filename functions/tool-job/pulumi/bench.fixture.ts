import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import type { StackPlan, ToolFailure, ToolWork } from '../../../shared/stacks/tool-work.ts';
import { inThisProcess } from '../../../test/tools/pulumi/in-this-process.ts';
import { type Backend, type Mischief, openBackend, type Properties } from '../../../test/tools/pulumi/stack.ts';
import type { Applied, PlanToApply, ToolDriver, Workplace } from '../driver.ts';
import { ToolFailed } from '../tool-failed.ts';
import { openWords } from '../words.ts';
import { pulumiDriver } from './driver.ts';

/** A stack of the Pulumi that is none, and jobs on it in this process: the program is called as a function. */
export interface Bench {
  /** The calls of every job so far, as they are typed. */
  readonly calls: string[];
  readonly backend: () => Backend;
  /** The commit's project from here on: `resources` and `outputs` of its YAML, as JSON. */
  program(written: object): void;
  mischief(more: Mischief): void;
  edit(name: string, outputs: Properties | undefined): void;
  /** What the last job said. */
  words(): string;
  plan(more?: Partial<ToolWork>): Promise<StackPlan>;
  /** A job that applies what another has planned. */
  apply(plan: StackPlan, more?: Partial<ToolWork>): Promise<Applied>;
  /** Plans and applies in one job. */
  upAtOnce(more?: Partial<ToolWork>): Promise<Applied>;
  failure(work: Promise<unknown>): Promise<ToolFailure>;
}

export const demo = (name: string, type = 'aws:s3/bucket:Bucket'): string => `urn:pulumi:dev::shop::${type}::${name}`;

export function openBench(): Bench {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-pulumi-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [states, source] = [join(folder, 'backend'), join(folder, 'source')];
  for (const made of [states, source]) mkdirSync(made);
  const backend = () => openBackend(states);
  backend().write('dev', { resources: [], outputs: {}, pending: [] });
  const calls: string[] = [];
  let jobs = 0;

  let words = openWords(usual);

  function job(more: Partial<ToolWork> = {}): ToolDriver {
    const work = { ...usual, environment: { PULUMI_BACKEND_URL: pathToFileURL(states).href }, ...more };
    const own = join(folder, `job-${++jobs}`);
    mkdirSync(own);
    words = openWords(work);
    const place: Workplace = {
      machine: 'staying',
      work,
      sleep: async () => undefined,
      source,
      root: source,
      folder: own,
      began: '2026-11-30T20:00:00.000Z',
      words,
      run: inThisProcess({ folder: source, environment: work.environment, calls }),
    };
    return pulumiDriver(place);
  }

  const bench: Bench = {
    calls,
    backend,
    program: (written) => writeFileSync(join(source, 'Pulumi.yaml'), JSON.stringify({ name: 'shop', runtime: 'yaml', ...written })),
    mischief: (more) => writeFileSync(join(states, 'mischief.json'), JSON.stringify(more)),
    edit(name, outputs) {
      const { [name]: held, ...rest } = backend().world();
      backend().setWorld(outputs === undefined ? rest : { ...rest, [name]: { ...held, ...outputs } });
    },
    words: () => words.told(),
    async plan(more) {
      const driver = job(more);
      const version = await driver.version();
      await driver.prepare();
      return driver.plan(version);
    },
    async apply(plan, more) {
      const driver = job({ do: 'apply', ...more });
      await driver.version();
      await driver.prepare();
      const file = join(folder, `approved-${jobs}`);
      if (plan.saved !== undefined) writeFileSync(file, Buffer.from(plan.saved.bytes, 'base64'));
      const to: PlanToApply = { changes: JSON.parse(JSON.stringify(plan.changes)), ...(plan.saved === undefined ? {} : { file }) };
      return driver.apply(to);
    },
    async upAtOnce(more) {
      const driver = job({ do: 'plan-and-apply', ...more });
      const version = await driver.version();
      await driver.prepare();
      const { changes } = await driver.plan(version);
      return driver.apply({ changes });
    },
    async failure(work) {
      const thrown = await work.then(
        () => undefined,
        (error: unknown) => error,
      );
      if (!(thrown instanceof ToolFailed)) throw thrown ?? new Error('nothing failed');
      return thrown.failure;
    },
  };
  return bench;
}

const usual: ToolWork = {
  format: 1,
  do: 'plan',
  tool: 'pulumi',
  root: { path: 'infra', stack: 'dev', varFiles: [] },
  source: { object: 'sources/1', key: '', sha256: '' },
  variables: {},
  secretVariables: [],
  environment: {},
  mask: [],
  lock: true,
  drift: false,
  show: [],
  fingerprintKey: { id: 'a1b2c3d4', key: createHash('sha256').update('a key').digest('base64') },
  timeoutMs: 60_000,
};

/** One of the recordings of Pulumi 3.259.0. */
export const recording = (name: string): string => readFileSync(new URL(`../../../test/recordings/pulumi/${name}`, import.meta.url), 'utf8');
