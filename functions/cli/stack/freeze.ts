import { readFreeze } from '../../../shared/freeze/freeze.ts';
import type { Answer } from '../answer.ts';
import { freezeAnswer, freezeSaid } from '../commands/freeze.ts';
import { releaseOf } from '../context/release.ts';
import type { FreezeCommand, Invocation } from '../invocation.ts';
import type { Surroundings } from '../surroundings.ts';
import { personOf } from './asker.ts';
import { throughAws } from './aws-problem.ts';
import { doneCommand, recordCommand } from './command.ts';
import { patienceOf, typedFor } from './follow.ts';
import { repositoryInStack } from './place.ts';
import { openStack } from './stack.ts';

/** `freeze`, `unfreeze` through a deployed stack: as the GitHub user behind the caller's AWS principal. Whether they may the stack says. */
export function freezeOnStack(invocation: Invocation & { command: FreezeCommand }, name: string, surroundings: Surroundings): Promise<Answer> {
  return throughAws(async () => {
    const { remote, person } = await personOf(name, surroundings);
    const stack = await openStack(name, surroundings.environment);
    const { command: intent, env: environment = '', plan: path } = invocation;
    const said = freezeSaid(invocation, stack.store.clock.now(), surroundings.redactor.mask);
    const { branch, sha: commit } = await releaseOf(invocation, surroundings.environment, surroundings.cwd);
    const asked = { intent, owner: remote.owner, name: remote.name, path, environment, branch, commit, reconcile: false, person } as const;
    const { id } = await repositoryInStack(stack.store, remote);
    const before = await readFreeze(stack.store, id, environment);
    const patience = patienceOf(surroundings);
    await doneCommand(stack.store, await recordCommand(stack.store, said === 'thaw' ? asked : { ...asked, freeze: said }), patience);
    patience.progress.clear();
    return freezeAnswer(environment, { made: await readFreeze(stack.store, id, environment), before }, typedFor(stack));
  });
}
