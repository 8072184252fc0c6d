import { LockkeeperError } from '../errors/error.ts';
import { usualLeastLeaseMs } from '../policy/number-rules.ts';
import { misspeltPolicyPath, policyPath } from '../policy/policy-file.ts';
import { policyFrom } from '../policy/read.ts';
import type { Policy } from '../policy/types.ts';
import type { Repository } from '../ports/code-host.ts';
import type { ControlWorld } from './world.ts';

/**
 * The policy of a repository: `lockkeeper.yaml` at the tip of its default branch, whatever a pull request says of it. Without the
 * file the defaults hold. Neither a mistake in it nor a branch that cannot be read falls back to them.
 *
 * @throws LockkeeperError POLICY_INVALID with the first mistake, `details.problems` holds them all; what the host throws when the
 * branch cannot be read.
 */
export async function loadPolicy(
  { codeHost, timing }: Pick<ControlWorld, 'codeHost'> & Partial<Pick<ControlWorld, 'timing'>>,
  repository: Repository,
): Promise<Policy> {
  const tip = await codeHost.defaultTip(repository);
  if (tip === undefined) return policyFrom(undefined);
  const file = await codeHost.file(repository, policyPath, tip);
  if (file === 'not-a-file') throw invalid(`${policyPath} on ${repository.defaultBranch} is no file: a folder, a link or a submodule has its name`);
  if (file === undefined && (await codeHost.file(repository, misspeltPolicyPath, tip)) !== undefined) {
    throw invalid(`The policy on ${repository.defaultBranch} is called ${misspeltPolicyPath}, which nothing reads: rename it to ${policyPath}`);
  }
  return policyFrom(file, timing ? { leastLeaseMs: timing.leastLeaseTtl ?? Math.min(usualLeastLeaseMs, timing.leaseTtl) } : {});
}

const invalid = (message: string): LockkeeperError => new LockkeeperError({ code: 'POLICY_INVALID', message: `${message}.` });
