import { z } from 'zod';
import { targetSchema } from '../events/targets.ts';
import { arn } from '../template/place.ts';
import { identityOf, physicalName } from './identity.ts';
import type { ResourceKind } from './kind.ts';

const properties = z.looseObject({ ScheduleExpression: z.string(), State: z.string().default('ENABLED'), Target: targetSchema });

/** An EventBridge Scheduler schedule. */
export const schedule: ResourceKind = {
  types: ['AWS::Scheduler::Schedule'],
  identity(declared) {
    const name = physicalName(declared, 'Name');
    return identityOf(name, name, { Arn: arn('scheduler', `schedule/default/${name}`) });
  },
  create(resource, { schedules, targets }) {
    const { ScheduleExpression, State, Target } = properties.parse(resource.properties);
    if (State === 'DISABLED') return;
    targets.check(resource.id, Target);
    schedules.add({ id: resource.id, expression: ScheduleExpression, fire: () => targets.deliverAll([Target], {}) });
  },
};
