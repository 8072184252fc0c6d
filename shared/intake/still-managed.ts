import { readLedger } from '../ledger/ledger-line.ts';
import { policyOf, runsFor } from '../policy/policy.ts';
import type { Policy } from '../policy/types.ts';
import type { Repository } from '../ports/code-host.ts';
import type { NewRun } from '../run/create-run.ts';
import { runScope } from '../run/run-scope.ts';
import type { ControlWorld } from '../run/world.ts';
import { renderStillManaged } from '../surfaces/check.ts';
import { renderFork, renderNothingToDo } from '../surfaces/neutral-checks.ts';
import { policyIfAny } from './policy.ts';

/** A check that says what stays, where a commit has no plan file. Its name says of which plan and environment. */
const externalId = (commit: string): string => `still-managed-${commit}`;
export const isStillManagedCheck = (id: string, commit: string): boolean => id === externalId(commit);

/**
 * No plan file at this commit: nothing is done and nothing said, unless the scope still holds something (then a check says what), or policy
 * wants a check everywhere, so that it can be a required one.
 */
export async function showStillManaged(world: ControlWorld, run: NewRun, policy: Policy): Promise<void> {
  const ledger = await readLedger(world.table, runScope(run));
  const held = ledger.filter((line) => line.entries.length > 0).map((line) => ({ id: line.line, keys: line.entries.map((entry) => entry.key) }));
  if ((held.length === 0 && policy.checks !== 'always') || !world.codeHost.surfaces) return;
  const { plan, environment, scope, commit, repository, pullRequest } = run;
  const shown = { plan: { name: plan.name, path: plan.path }, environment, scope, commit, ofPullRequest: pullRequest !== undefined, lines: held };
  await world.codeHost.surfaces.upsertCheck(repository, { ...renderStillManaged(shown), commit, externalId: externalId(commit), status: 'completed' });
}

/** A commit whose event touches no environment: a check all the same, where policy wants one everywhere. */
export async function showNothingToDo(world: ControlWorld, repository: Repository, policy: Policy, commit: string): Promise<void> {
  if (policy.checks !== 'always') return;
  await world.codeHost.surfaces?.upsertCheck(repository, { ...renderNothingToDo(), commit, externalId: externalId(commit), status: 'completed' });
}

/** The commit of a pull request from a fork: nothing of it is read, and each check that would stand there says so. */
export async function showFork(world: ControlWorld, repository: Repository, commit: string): Promise<void> {
  const policy = (await policyIfAny(world, repository)) ?? policyOf();
  for (const { plan, environment } of runsFor(policy, { kind: 'pull_request' })) {
    const check = { ...renderFork(plan, environment), commit, externalId: externalId(commit), status: 'completed' as const };
    await world.codeHost.surfaces?.upsertCheck(repository, check);
  }
}
