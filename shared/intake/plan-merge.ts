import { scopeName } from '../plan/scope.ts';
import { mergeRuns } from '../policy/after-merge.ts';
import type { Policy } from '../policy/types.ts';
import type { Repository } from '../ports/code-host.ts';
import { createRun } from '../run/create-run.ts';
import type { ControlWorld } from '../run/world.ts';
import type { Cause } from './cause.ts';

/**
 * Plans what merging the head of a pull request would do, in each environment that a push touches and the pull request does not, and that
 * policy lets be looked at. The run is one of the default branch's scope, as the merge's will be, and only ever a plan.
 */
export async function planMerge(world: ControlWorld, { start, by }: Cause, repository: Repository, policy: Policy, commit: string): Promise<void> {
  const branch = repository.defaultBranch;
  for (const { plan, path, environment } of mergeRuns(policy, branch)) {
    if (!(await world.codeHost.file(repository, path, commit))) continue;
    await createRun(world, `${start}#after-merge`, {
      intent: 'plan',
      repository,
      plan: { name: plan, path },
      environment,
      scope: scopeName({ pullRequest: undefined, branch, defaultBranch: branch }),
      commit,
      branch,
      triggeredBy: by,
      options: { busy: 'wait', afterMerge: true },
    });
  }
}
