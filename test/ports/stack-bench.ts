/** Stacks on the workbench, run by a tool in memory. */
import { root } from '../../shared/adapters/terraform/root.ts';
import type { OpRegistry } from '../../shared/engine/op.ts';
import { exampleRegistry } from './example-op.ts';
import { type FakeStacks, fakeStacks } from './fake-stacks.ts';
import { putPolicy } from './people.ts';
import { openWorkbench, type Workbench, type WorkbenchParts } from './workbench.ts';

/** A workbench whose runs have stacks. */
export interface StackBench extends FakeStacks {
  readonly bench: Workbench;
}

/** The ops of the bench, with `terraform.root`. */
export const withRoot: OpRegistry = {
  find: (adapter, op) => (adapter === 'terraform' ? (op === 'root' ? root : undefined) : exampleRegistry.find(adapter, op)),
  adapters: () => [...exampleRegistry.adapters(), 'terraform'],
  ops: (adapter) => (adapter === 'terraform' ? ['root'] : exampleRegistry.ops(adapter)),
};

/** A line whose stack holds these things. */
export const stackLine = (id: string, things: object, more: object = {}) => ({
  id,
  adapter: 'terraform',
  op: 'root',
  path: `infra/${id}`,
  variables: things,
  ...more,
});

/** Lets tools be run in the environments that tests use. */
export const stacksPolicy = (more: object = {}, production: object = {}) =>
  JSON.stringify({ version: 1, environments: { preview: { stacks: { ...more } }, production: { stacks: { ...more }, ...production } } });

export const openStackBench = (parts: WorkbenchParts = {}, stack: 'embedded' | 'deployed' = 'embedded'): StackBench =>
  stacksOn(openWorkbench(stack, { registry: withRoot, ...parts }));

/** Lets a bench that knows {@link withRoot} run tools. */
export function stacksOn(bench: Workbench): StackBench {
  putPolicy(bench, stacksPolicy());
  return Object.assign(fakeStacks(bench.bucket, bench.runner), { bench });
}
