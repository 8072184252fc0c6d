import { scopeName } from '../plan/scope.ts';
import type { EventRun } from '../policy/policy.ts';
import type { Repository } from '../ports/code-host.ts';
import type { NewRun } from '../run/create-run.ts';
import type { Cause } from './cause.ts';

/** A run of a commit in the default branch's scope: of its tip, or of what would become it. */
export function runOfDefaultBranch({ by }: Cause, repository: Repository, { plan, path, environment }: EventRun, commit: string): NewRun {
  const branch = repository.defaultBranch;
  return {
    intent: 'follow',
    repository,
    plan: { name: plan, path },
    environment,
    scope: scopeName({ pullRequest: undefined, branch, defaultBranch: branch }),
    commit,
    branch,
    triggeredBy: by,
    options: { busy: 'wait' },
  };
}
