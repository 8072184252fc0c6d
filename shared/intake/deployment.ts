import type { IntakeOf } from '../../events/intake.ts';
import { noteEvent, readHead } from '../ledger/head.ts';
import { scopeName } from '../plan/scope.ts';
import { type EventRun, policyOf, runsFor } from '../policy/policy.ts';
import type { Repository } from '../ports/code-host.ts';
import { resumeById } from '../run/resume.ts';
import { readRun } from '../run/run-store.ts';
import type { ControlWorld } from '../run/world.ts';
import { scopeKey } from '../table/keys.ts';
import { policyIfAny } from './policy.ts';
import { addressesOf } from './scopes.ts';

const finished: ReadonlySet<string> = new Set(['success', 'failure', 'error']);

/**
 * A deployment has finished: noted on the head of every scope that stands on its commit, before anyone looks for a run that waits
 * (P5). These are the scopes of the commit's open pull requests, and the default branch's while the commit is its tip or one of its
 * runs waits with that commit: such a run is to learn that it was overtaken.
 */
export async function deploymentHappened(world: ControlWorld, intake: IntakeOf<'deployment_status'>, repository: Repository): Promise<void> {
  const { sha, state } = intake.deployment;
  if (!finished.has(state)) return;
  const note = `deployment:${sha}:${state}`;
  const { defaultBranch } = repository;
  const policy = (await policyIfAny(world, repository)) ?? policyOf();
  const scopes = (scope: string, named: readonly EventRun[]) => addressesOf(world, repository, scope, named).then((found) => found.map(scopeKey));

  for (const { number, head } of await world.codeHost.pullRequestsAt(repository, sha)) {
    const scope = scopeName({ pullRequest: number, branch: head.branch, defaultBranch });
    for (const key of await scopes(scope, runsFor(policy, { kind: 'pull_request' }))) await tellScope(world, key, note);
  }
  const isTip = (await world.codeHost.branchTip(repository, defaultBranch)) === sha;
  const main = scopeName({ pullRequest: undefined, branch: defaultBranch, defaultBranch });
  for (const key of await scopes(main, runsFor(policy, { kind: 'push', branch: defaultBranch, defaultBranch }))) {
    if (isTip || (await hasOpenRunOf(world, key, sha))) await tellScope(world, key, note);
  }
}

async function hasOpenRunOf(world: ControlWorld, scope: string, commit: string): Promise<boolean> {
  const head = await readHead(world.table, scope);
  const runs = await Promise.all((head?.openRuns ?? []).map((id) => readRun(world.table, id)));
  return runs.some((run) => run?.commit === commit);
}

async function tellScope(world: ControlWorld, scope: string, note: string): Promise<void> {
  if (!(await noteEvent(world, scope, note))) return;
  const head = await readHead(world.table, scope);
  for (const run of head?.openRuns ?? []) await resumeById(world, run);
}
