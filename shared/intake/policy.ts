import { maskProblem } from '../engine/line-call.ts';
import { type Problem, problemOf } from '../errors/error.ts';
import type { Policy } from '../policy/types.ts';
import type { Repository } from '../ports/code-host.ts';
import { loadPolicy } from '../run/load-policy.ts';
import type { ControlWorld } from '../run/world.ts';
import { renderBrokenPolicy, renderMendedPolicy } from '../surfaces/broken-policy.ts';

/** What the default branch's `lockkeeper.yaml` comes to; `broken` is its first mistake, with all of them in `details.problems`. */
export type PolicyFound = { readonly policy: Policy; readonly broken?: never } | { readonly policy?: never; readonly broken: Problem };

/** @throws what the host throws: only a mistake in the file is an answer. */
export async function findPolicy(world: ControlWorld, repository: Repository): Promise<PolicyFound> {
  try {
    return { policy: await loadPolicy(world, repository) };
  } catch (error) {
    const broken = problemOf(error);
    if (broken.code !== 'POLICY_INVALID') throw error;
    return { broken };
  }
}

/**
 * The policy for what must go on without one: the removal of what a closed pull request has, the news of a deployment. Undefined where
 * it has a mistake, or where nobody can say what it is.
 */
export async function policyIfAny(world: ControlWorld, repository: Repository): Promise<Policy | undefined> {
  try {
    return await loadPolicy(world, repository);
  } catch (error) {
    if (!['POLICY_INVALID', 'CODE_HOST'].includes(problemOf(error).code)) throw error;
    return undefined;
  }
}

const externalId = (commit: string): string => `policy-${commit}`;
/** Whether a check is the one about a broken policy, on that commit. */
export const isPolicyCheck = (id: string, commit: string): boolean => id === externalId(commit);

/** A failed check on the commit whose event could start nothing, with every mistake and its place: no default stands in for a policy. */
export async function showBrokenPolicy(world: ControlWorld, repository: Repository, commit: string, broken: Problem): Promise<void> {
  world.log.warn('a mistake in the policy: the event starts nothing', { repository: repository.id, commit, code: broken.code });
  const check = renderBrokenPolicy(maskProblem(world, broken));
  await world.codeHost.surfaces?.upsertCheck(repository, { ...check, commit, externalId: externalId(commit), status: 'completed' });
}

/** The same check once the policy can be read: somebody asked for it again. */
export async function showMendedPolicy(world: ControlWorld, repository: Repository, commit: string): Promise<void> {
  await world.codeHost.surfaces?.upsertCheck(repository, { ...renderMendedPolicy(), commit, externalId: externalId(commit), status: 'completed' });
}
