import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { registry } from '../../shared/adapters/registry.ts';
import type { Problem } from '../../shared/errors/error.ts';
import { misspeltPolicyPath, policyPath } from '../../shared/policy/policy-file.ts';
import { type PolicyRead, readPolicy } from '../../shared/policy/read.ts';

/**
 * What is wrong with the policy file of a folder, before it rules: what holds is on the default branch. Undefined where there is
 * none. Never throws.
 */
export function policyFileIn(folder: string): PolicyRead | undefined {
  const file = contentsOf(folder, policyPath);
  if (file instanceof Uint8Array) return readPolicy(file, policyPath, { adapters: registry.adapters(), types });
  if (file !== undefined) return mistake(`${policyPath} cannot be read: ${file.message}`);
  if (contentsOf(folder, misspeltPolicyPath) === undefined) return undefined;
  return mistake(`the policy file is called ${misspeltPolicyPath}, which nothing reads: rename it to ${policyPath}`);
}

const types = registry.adapters().flatMap((adapter) => registry.ops(adapter).map((op) => `${adapter}.${op}`));

const mistake = (message: string): { problems: Problem[]; warnings: Problem[] } => ({ problems: [{ code: 'POLICY_INVALID', message }], warnings: [] });

/** The bytes, why they cannot be read, or undefined where nothing has that name. */
function contentsOf(folder: string, path: string): Uint8Array | Error | undefined {
  try {
    return readFileSync(resolve(folder, path));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : (error as Error);
  }
}
