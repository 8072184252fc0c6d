import { z } from 'zod';
import type { DataPlane } from '../data-plane/data-plane.ts';
import type { FunctionHost } from '../lambda/function-host.ts';
import type { Parts, Resource } from '../resources/kind.ts';
import { unsupported } from '../template/unsupported.ts';
import { transformed } from './transformed.ts';

/** Where a rule or a schedule sends an event, and what it sends in its place. */
export const targetSchema = z.looseObject({
  Arn: z.string(),
  Input: z.string().optional(),
  InputTransformer: z.strictObject({ InputPathsMap: z.record(z.string(), z.string()).default({}), InputTemplate: z.string() }).optional(),
});
export type Target = z.infer<typeof targetSchema>;

/** Delivers events to functions (asynchronously) and queues. */
export interface Targets {
  /** @throws LockkeeperError TEMPLATE_UNSUPPORTED when nothing here can receive from that target. */
  check(owner: string, target: Target): void;
  deliverAll(targets: readonly Target[], event: unknown): void;
}

type Deliver = (resource: Resource, event: unknown) => void;

export function createTargets(find: Parts['find'], functions: FunctionHost, dataPlane: DataPlane): Targets {
  const deliveries: Readonly<Record<string, Deliver>> = {
    'AWS::Lambda::Function': (resource, event) => functions.invokeLater(resource.id, event),
    'AWS::SQS::Queue': (resource, event) => void dataPlane.send(resource.identity.name, JSON.stringify(event)),
  };
  const deliveryTo = (target: Target): { resource: Resource; deliver: Deliver } | undefined => {
    const resource = find(target.Arn);
    const deliver = resource && deliveries[resource.type];
    return deliver && { resource, deliver };
  };
  return {
    check(owner, target) {
      if (!deliveryTo(target)) throw unsupported(owner, `nothing here can receive events for its target ${target.Arn}`);
    },
    deliverAll(targets, event) {
      for (const target of targets) {
        const found = deliveryTo(target);
        found?.deliver(found.resource, inputOf(target, event));
      }
    },
  };
}

function inputOf({ Input, InputTransformer }: Target, event: unknown): unknown {
  if (InputTransformer) return transformed(InputTransformer, event);
  return Input === undefined ? event : JSON.parse(Input);
}
