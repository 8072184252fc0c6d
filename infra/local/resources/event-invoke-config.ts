import { z } from 'zod';
import { functionBehind } from './function-behind.ts';
import { identityOf } from './identity.ts';
import type { ResourceKind } from './kind.ts';

const properties = z.looseObject({ FunctionName: z.string(), MaximumRetryAttempts: z.coerce.number().optional() });

/** How often an asynchronous invocation is repeated. Its maximum age is left out: nothing here waits that long. */
export const eventInvokeConfig: ResourceKind = {
  types: ['AWS::Lambda::EventInvokeConfig'],
  identity: ({ id }) => identityOf(id, id, {}),
  create(resource, parts) {
    const { FunctionName, MaximumRetryAttempts } = properties.parse(resource.properties);
    if (MaximumRetryAttempts !== undefined) parts.functions.retry(functionBehind(resource, FunctionName, parts), MaximumRetryAttempts);
  },
};
