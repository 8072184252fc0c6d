/** Stacks of Pulumi on the workbench: the tool job's own driver runs them, and the Pulumi that is none is called as a function. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { doWork } from '../../functions/tool-job/job.ts';
import { stack } from '../../shared/adapters/pulumi/stack.ts';
import type { OpRegistry } from '../../shared/engine/op.ts';
import { inThisProcess } from '../tools/pulumi/in-this-process.ts';
import { type Backend, type Mischief, openBackend, type Properties } from '../tools/pulumi/stack.ts';
import { exampleRegistry } from './example-op.ts';
import { putPolicy } from './people.ts';
import { stacksPolicy } from './stack-bench.ts';
import { commitOf, openWorkbench, type Workbench, type WorkbenchParts } from './workbench.ts';

export interface PulumiBench {
  readonly bench: Workbench;
  readonly backend: () => Backend;
  /** The program of a line's stack in a commit. */
  program(commit: string, line: string, written: object): void;
  mischief(more: Mischief): void;
  edit(name: string, outputs: Properties | undefined): void;
  /** What policy has to put into the tool's environment. */
  readonly environment: { readonly PULUMI_BACKEND_URL: string };
  /** The calls of Pulumi so far, as they are typed. */
  readonly calls: string[];
}

const withPulumi: OpRegistry = {
  find: (adapter, op) => (adapter === 'pulumi' ? (op === 'stack' ? stack : undefined) : exampleRegistry.find(adapter, op)),
  adapters: () => [...exampleRegistry.adapters(), 'pulumi'],
  ops: (adapter) => (adapter === 'pulumi' ? ['stack'] : exampleRegistry.ops(adapter)),
};

export const pulumiLine = (id: string, more: object = {}) => ({ id, adapter: 'pulumi', op: 'stack', path: `infra/${id}`, stack: 'dev', ...more });

export function openPulumiBench(parts: WorkbenchParts = {}, kind: 'embedded' | 'deployed' = 'embedded'): PulumiBench {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-pulumi-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const states = join(folder, 'backend');
  mkdirSync(states);
  const backend = () => openBackend(states);
  backend().write('dev', { resources: [], outputs: {}, pending: [] });
  const environment = { PULUMI_BACKEND_URL: pathToFileURL(states).href };
  const bench = openWorkbench(kind, { registry: withPulumi, ...parts });
  putPolicy(bench, stacksPolicy({ env: environment }));
  const calls: string[] = [];
  bench.runner.tool = (work) => {
    const path = mkdtempSync(join(folder, 'job-'));
    return doWork(work, {
      folder: { path, guard: { watch: () => undefined, rest: () => undefined }, remove: () => rmSync(path, { recursive: true }) },
      object: async (name) => bench.bucket.bodies(name).at(-1),
      path: '',
      began: new Date(bench.clock.now()).toISOString(),
      ending: new AbortController().signal,
      graceMs: 0,
      sleep: async () => undefined,
      runs: ({ cwd, environment }) => inThisProcess({ folder: cwd, environment, calls }),
    });
  };
  return {
    bench,
    backend,
    calls,
    environment,
    program: (commit, line, written) =>
      bench.code.commit(commitOf(commit), `infra/${line}/Pulumi.yaml`, JSON.stringify({ name: 'shop', runtime: 'yaml', ...written })),
    mischief: (more) => writeFileSync(join(states, 'mischief.json'), JSON.stringify(more)),
    edit(name, outputs) {
      const { [name]: held, ...rest } = backend().world();
      backend().setWorld(outputs === undefined ? rest : { ...rest, [name]: { ...held, ...outputs } });
    },
  };
}
