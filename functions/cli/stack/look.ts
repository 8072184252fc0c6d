import type { Repository } from '../../../shared/ports/code-host.ts';
import { type ScopeAddress, scopeKey, scopePath } from '../../../shared/table/keys.ts';
import type { Answer } from '../answer.ts';
import type { ScopePlace, View } from '../commands/view.ts';
import type { Invocation } from '../invocation.ts';
import type { Surroundings } from '../surroundings.ts';
import { throughAws } from './aws-problem.ts';
import { placeInStack, repositoryInStack } from './place.ts';
import { planName } from './plan-name.ts';
import { remoteOf } from './remote.ts';
import { openStack } from './stack.ts';

/** How to look, and whether a scope must be known for it. */
export interface Look<T = Answer> {
  readonly isAboutScope: boolean;
  readonly look: (view: View) => Promise<T>;
}

/** `show`, `diff`, `receipt`, `runs`, `log` of what a deployed stack has recorded, read with the caller's credentials. */
export function lookAtStack<T>(invocation: Invocation, name: string, surroundings: Surroundings, { isAboutScope, look }: Look<T>): Promise<T> {
  return throughAws(async () => {
    const remote = await remoteOf(surroundings.cwd);
    const { store } = await openStack(name, surroundings.environment);
    const repository = await repositoryInStack(store, remote);
    const place = isAboutScope ? { place: await scopePlace(repository, remote.root, invocation, surroundings) } : {};
    const { run, digest, other } = invocation;
    return look({ store, repository, run, digest, other, typed: invocation, ...place });
  });
}

async function scopePlace(repository: Repository, root: string, invocation: Invocation, surroundings: Surroundings): Promise<ScopePlace> {
  const place = await placeInStack(repository, invocation, surroundings);
  const plan = await planName(root, surroundings.cwd, invocation.plan);
  const address: ScopeAddress = { repository: repository.id, plan, environment: place.environment, scope: place.scope };
  return { ...place, plan, key: scopeKey(address), path: scopePath(address) };
}
