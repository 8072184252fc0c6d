import { z } from 'zod';
import { unsupported } from '../template/unsupported.ts';
import { functionBehind } from './function-behind.ts';
import { identityOf } from './identity.ts';
import type { ResourceKind } from './kind.ts';

const properties = z.looseObject({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  BatchSize: z.coerce.number().default(10),
  Enabled: z.boolean().default(true),
  FunctionResponseTypes: z.array(z.string()).default([]),
  ScalingConfig: z.looseObject({ MaximumConcurrency: z.coerce.number() }).optional(),
});

/** Invocations at a time where the mapping sets no maximum: what Lambda's poller begins with. */
const unsetConcurrency = 5;

/** A queue that feeds a function. */
export const eventSourceMapping: ResourceKind = {
  types: ['AWS::Lambda::EventSourceMapping'],
  identity: ({ id }) => identityOf(id, id, { Id: id }),
  create(resource, parts) {
    const mapping = properties.parse(resource.properties);
    const source = parts.find(mapping.EventSourceArn);
    if (source?.type !== 'AWS::SQS::Queue') throw unsupported(resource.id, `its source ${mapping.EventSourceArn} is no queue of this template`);
    const functionId = functionBehind(resource, mapping.FunctionName, parts);
    if (!mapping.Enabled) return;
    parts.mappings.add({
      functionId,
      queueName: source.identity.name,
      queueUrl: source.identity.ref,
      queueArn: mapping.EventSourceArn,
      fifo: source.identity.name.endsWith('.fifo'),
      batchSize: mapping.BatchSize,
      maximumConcurrency: mapping.ScalingConfig?.MaximumConcurrency ?? unsetConcurrency,
      reportsFailures: mapping.FunctionResponseTypes.includes('ReportBatchItemFailures'),
    });
  },
};
