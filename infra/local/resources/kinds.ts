import { bucket } from './bucket.ts';
import { buildProject } from './build-project.ts';
import { eventBus } from './event-bus.ts';
import { eventInvokeConfig } from './event-invoke-config.ts';
import { eventRule } from './event-rule.ts';
import { eventSourceMapping } from './event-source-mapping.ts';
import { lambdaFunction } from './function.ts';
import { functionUrl } from './function-url.ts';
import { httpApi, httpIntegration, httpRoute, httpStage } from './http-api.ts';
import { inert } from './inert.ts';
import type { ResourceKind } from './kind.ts';
import { parameter } from './parameter.ts';
import { queue } from './queue.ts';
import { schedule } from './schedule.ts';
import { secret } from './secret.ts';
import { stateMachine } from './state-machine.ts';
import { table } from './table.ts';

/** Every kind of resource the embedded stack runs, in the order of creation: what holds state, what runs code, what feeds it. */
export const kinds: readonly ResourceKind[] = [
  secret,
  parameter,
  bucket,
  table,
  queue,
  eventBus,
  stateMachine,
  buildProject,
  lambdaFunction,
  eventInvokeConfig,
  functionUrl,
  httpApi,
  httpIntegration,
  httpStage,
  httpRoute,
  eventSourceMapping,
  eventRule,
  schedule,
  inert,
];

export const kindsByType: ReadonlyMap<string, ResourceKind> = new Map(kinds.flatMap((kind) => kind.types.map((type) => [type, kind] as const)));
