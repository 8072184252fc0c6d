import { type ScopeAddress, scopeKey, scopePath } from '../../../shared/table/keys.ts';
import type { Answer } from '../answer.ts';
import type { View } from '../commands/look.ts';
import type { Invocation } from '../invocation.ts';
import type { Surroundings } from '../surroundings.ts';
import { throughAws } from './aws-problem.ts';
import { placeInStack } from './place.ts';
import { planName } from './plan-name.ts';
import { openStack } from './stack.ts';

/** `show`, `receipt`, `runs`, `log` of what a deployed stack has recorded, read with the caller's credentials. */
export function lookAtStack(invocation: Invocation, name: string, surroundings: Surroundings, look: (view: View) => Promise<Answer>): Promise<Answer> {
  return throughAws(async () => {
    const { store } = await openStack(name, surroundings.environment);
    const place = await placeInStack(store, invocation, surroundings);
    const plan = await planName(place.folder, surroundings.cwd, invocation.plan);
    const address: ScopeAddress = { repository: place.repository.id, plan, environment: place.environment, scope: place.scope };
    const { repository } = place;
    return look({ store, repository, run: invocation.run, place: { ...place, key: scopeKey(address), path: scopePath(address) } });
  });
}
