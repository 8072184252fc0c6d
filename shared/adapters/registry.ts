import { adapters } from '../../adapters.ts';
import type { Op, OpRegistry } from '../engine/op.ts';
import { redirectAllow } from './clerk/redirect-allow.ts';
import { action } from './http-api/action/action.ts';
import { listItem } from './http-api/list-item/list-item.ts';
import { resource } from './http-api/resource/resource.ts';
import { step } from './manual/step.ts';
import { branch } from './neon/branch.ts';
import { stack } from './pulumi/stack.ts';
import { root } from './terraform/root.ts';
import { deploy } from './vercel/deploy.ts';
import { env } from './vercel/env.ts';

/**
 * Ops by adapter and name.
 *
 * @throws Error when two ops carry one name: a mistake of whoever composes.
 */
export function createRegistry(ops: readonly Op[]): OpRegistry {
  const byAdapter = new Map<string, Map<string, Op>>();
  for (const op of ops) {
    const named = byAdapter.get(op.adapter) ?? new Map<string, Op>();
    if (named.has(op.name)) throw new Error(`two ops are called ${op.adapter}.${op.name}`);
    byAdapter.set(op.adapter, named.set(op.name, op));
  }
  return {
    find: (adapter, name) => byAdapter.get(adapter)?.get(name),
    adapters: () => [...byAdapter.keys()].sort(),
    ops: (adapter) => [...(byAdapter.get(adapter)?.keys() ?? [])].sort(),
  };
}

/** Every op there is: those of this version, and those that `adapters.ts` names (R1.7). */
export const registry: OpRegistry = createRegistry([
  branch,
  env,
  deploy,
  redirectAllow,
  resource,
  listItem,
  action as Op,
  step as Op,
  root as Op,
  stack as Op,
  ...adapters,
]);
