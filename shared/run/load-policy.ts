import { policyPath } from '../policy/policy-file.ts';
import { policyFrom } from '../policy/read.ts';
import type { Policy } from '../policy/types.ts';
import type { Repository } from '../ports/code-host.ts';
import type { ControlWorld } from './world.ts';

/**
 * The policy of a repository: `lockkeeper.yaml` at the tip of its default branch, whatever a pull request says of it. Without the
 * file the defaults hold; a mistake in it never falls back to them.
 *
 * @throws LockkeeperError POLICY_INVALID with the first mistake; `details.problems` holds them all.
 */
export async function loadPolicy(world: Pick<ControlWorld, 'codeHost'>, repository: Repository): Promise<Policy> {
  const tip = await world.codeHost.branchTip(repository, repository.defaultBranch);
  return policyFrom(tip === undefined ? undefined : await world.codeHost.file(repository, policyPath, tip));
}
