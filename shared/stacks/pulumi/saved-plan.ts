import type { Json } from '../../drift/readers/json.ts';
import { itemsIn, mapIn, membersIn, textOf, token, under, whole } from '../../drift/readers/place.ts';

/**
 * What a plan that `pulumi preview --save-plan` wrote lets an update do, by URN. It holds what is asked for, secrets encrypted by the stack's
 * own provider, and nothing of what is live: `up --plan` does not notice that the world moved.
 *
 * @throws UnreadableError
 */
export function savedSteps(plan: Json): ReadonlyMap<string, readonly string[]> {
  const root = whole(plan);
  mapIn(under(root, 'manifest'));
  return new Map(
    membersIn(under(root, 'resourcePlans')).map(([urn, one]) => [urn, itemsIn(under(one, 'steps')).map((step) => textOf(step, token, 'an operation'))]),
  );
}
