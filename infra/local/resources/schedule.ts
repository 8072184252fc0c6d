import { z } from 'zod';
import { type Target, targetSchema } from '../events/targets.ts';
import { arn } from '../template/place.ts';
import { unsupported } from '../template/unsupported.ts';
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
    refuseUnknown(resource.id, Target.Input);
    schedules.add({ id: resource.id, expression: ScheduleExpression, fire: () => targets.deliverAll([timed(Target)], {}) });
  },
};

const scheduledTime = '<aws.scheduler.scheduled-time>';

/** Context attributes of EventBridge Scheduler: of those it puts into an input, this stack knows the scheduled time, which is now. */
function timed(target: Target): Target {
  const now = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  return target.Input === undefined ? target : { ...target, Input: target.Input.replaceAll(scheduledTime, now) };
}

function refuseUnknown(owner: string, input = ''): void {
  const unknown = /<aws\.scheduler\.[a-z-]+>/.exec(input.replaceAll(scheduledTime, ''))?.[0];
  if (unknown !== undefined) throw unsupported(owner, `nothing here puts ${unknown} into a target's input`);
}
