import { arn } from '../template/place.ts';
import { identityOf, physicalName } from './identity.ts';
import type { ResourceKind } from './kind.ts';

/** A bus needs nothing of its own: events name it, and rules are asked by that name. */
export const eventBus: ResourceKind = {
  types: ['AWS::Events::EventBus'],
  identity(declared) {
    const name = physicalName(declared, 'Name');
    return identityOf(name, name, { Arn: arn('events', `event-bus/${name}`), Name: name });
  },
  create: () => undefined,
};
