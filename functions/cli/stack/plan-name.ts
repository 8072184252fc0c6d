import { policyPath } from '../../../shared/policy/policy-file.ts';
import { readPolicy } from '../../../shared/policy/read.ts';
import type { Policy } from '../../../shared/policy/types.ts';
import { git } from './git.ts';
import { pathInRepository } from './pushed.ts';

/**
 * The name of a plan file, for looking: as policy has it on the remote's default branch as last fetched, else in the commit at hand, else
 * the usual one. What writes asks anew.
 */
export async function planName(root: string, cwd: string, plan: string): Promise<string> {
  const path = pathInRepository(root, cwd, plan);
  for (const policy of await policiesAtHand(root)) {
    const found = policy.plans.find((one) => one.path === path);
    if (found) return found.name;
  }
  return 'main';
}

/** The plans that the same policy names; none where there is no policy that can be read. */
export const plansAtHand = async (root: string): Promise<Policy['plans']> => (await policiesAtHand(root))[0]?.plans ?? [];

async function policiesAtHand(root: string): Promise<Policy[]> {
  const shown = await Promise.all(['refs/remotes/origin/HEAD', 'HEAD'].map((commit) => git(root, 'show', `${commit}:${policyPath}`)));
  return shown.flatMap((one) => (one.ok ? (readPolicy(one.text, policyPath).policy ?? []) : []));
}
