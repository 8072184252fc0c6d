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
export async function loadPolicy(world: PolicyWorld, repository: Repository): Promise<Policy> {
  return policyOfText(world, await policyText(world, repository));
}

type PolicyWorld = Pick<ControlWorld, 'codeHost'> & Partial<Pick<ControlWorld, 'timing'>>;

/** What the file's text comes to. @throws LockkeeperError POLICY_INVALID. */
export const policyOfText = ({ timing }: Pick<PolicyWorld, 'timing'>, text: string | undefined): Policy =>
  policyFrom(text, timing ? { leastLeaseMs: timing.leastLeaseTtl ?? Math.min(usualLeastLeaseMs, timing.leaseTtl) } : {});

/** The file's text; undefined where the branch has none. @throws as loadPolicy, but for the file's own mistakes. */
export async function policyText({ codeHost }: PolicyWorld, repository: Repository): Promise<string | undefined> {
  const tip = await codeHost.defaultTip(repository);
  if (tip === undefined) return undefined;
  const file = await codeHost.file(repository, policyPath, tip);
  if (file === 'not-a-file') throw invalid(`${policyPath} on ${repository.defaultBranch} is no file: a folder, a link or a submodule has its name`);
  if (file === undefined && (await codeHost.file(repository, misspeltPolicyPath, tip)) !== undefined) {
    throw invalid(`The policy on ${repository.defaultBranch} is called ${misspeltPolicyPath}, which nothing reads: rename it to ${policyPath}`);
  }
  return file === undefined ? undefined : Buffer.from(file).toString('utf8');
}

const invalid = (message: string): LockkeeperError => new LockkeeperError({ code: 'POLICY_INVALID', message: `${message}.` });
