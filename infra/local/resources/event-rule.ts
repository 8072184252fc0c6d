import { z } from 'zod';
import { patternSchema } from '../events/pattern.ts';
import { targetSchema } from '../events/targets.ts';
import { arn } from '../template/place.ts';
import { identityOf, physicalName } from './identity.ts';
import type { ResourceKind } from './kind.ts';

const properties = z.looseObject({
  EventPattern: patternSchema.optional(),
  EventBusName: z.string().default('default'),
  ScheduleExpression: z.string().optional(),
  State: z.string().default('ENABLED'),
  Targets: z.array(targetSchema).default([]),
});

/** An EventBridge rule: by pattern over the bus, or by schedule. */
export const eventRule: ResourceKind = {
  types: ['AWS::Events::Rule'],
  identity(declared) {
    const name = physicalName(declared, 'Name');
    return identityOf(name, name, { Arn: arn('events', `rule/${name}`) });
  },
  create(resource, { bus, schedules, targets }) {
    const rule = properties.parse(resource.properties);
    if (rule.State === 'DISABLED') return;
    for (const target of rule.Targets) targets.check(resource.id, target);
    if (rule.EventPattern) bus.addRule({ busName: rule.EventBusName, pattern: rule.EventPattern, targets: rule.Targets });
    if (rule.ScheduleExpression) {
      schedules.add({
        id: resource.id,
        expression: rule.ScheduleExpression,
        fire: () => targets.deliverAll(rule.Targets, bus.stamped({ source: 'aws.events', detailType: 'Scheduled Event', detail: {} })),
      });
    }
  },
};
