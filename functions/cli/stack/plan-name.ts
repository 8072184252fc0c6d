import { policyPath } from '../../../shared/policy/policy-file.ts';
import { readPolicy } from '../../../shared/policy/read.ts';
import { git } from './git.ts';
import { pathInRepository } from './pushed.ts';

/**
 * The name of a plan file, for looking: as policy has it on the remote's default branch as last fetched, else in the commit at hand, else
 * the usual one. What writes asks anew.
 */
export async function planName(root: string, cwd: string, plan: string): Promise<string> {
  const path = pathInRepository(root, cwd, plan);
  for (const commit of ['refs/remotes/origin/HEAD', 'HEAD']) {
    const shown = await git(root, 'show', `${commit}:${policyPath}`);
    const policy = shown.ok ? readPolicy(shown.text, policyPath).policy : undefined;
    const found = policy?.plans.find((one) => one.path === path);
    if (found) return found.name;
  }
  return 'main';
}
