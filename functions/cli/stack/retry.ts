import type { Answer } from '../answer.ts';
import type { Invocation } from '../invocation.ts';
import { findRun } from '../runs/find-run.ts';
import type { Surroundings } from '../surroundings.ts';
import { personOf } from './asker.ts';
import { throughAws } from './aws-problem.ts';
import { repositoryInStack } from './place.ts';
import { followed } from './run.ts';
import { openStack } from './stack.ts';

/** `retry` through a deployed stack: the same commit, plan, environment and scope, in the name of whoever asks. @throws LockkeeperError NOT_FOUND, USAGE, RUN_NOT_OVER. */
export function retryOnStack(invocation: Invocation, name: string, surroundings: Surroundings): Promise<Answer> {
  return throughAws(async () => {
    const { remote, person } = await personOf(name, surroundings);
    const stack = await openStack(name, surroundings.environment);
    const { id: repository } = await repositoryInStack(stack.store, remote);
    const { id: again, plan, environment, branch, commit } = await findRun(stack.store, repository, invocation.run ?? '');
    const run = { intent: 'retry', again, path: plan.path, environment, branch, commit, reconcile: false } as const;
    return followed(stack, { ...run, owner: remote.owner, name: remote.name, person }, surroundings);
  });
}
