import { z } from 'zod';
import { arn } from '../template/place.ts';
import { unsupported } from '../template/unsupported.ts';
import { identityOf, physicalName } from './identity.ts';
import type { ResourceKind } from './kind.ts';

const properties = z.looseObject({
  /** Seconds; Lambda's default is 3. */
  Timeout: z.coerce.number().default(3),
  MemorySize: z.coerce.number().default(128),
  Environment: z.looseObject({ Variables: z.record(z.string(), z.coerce.string()).default({}) }).optional(),
});

/** Metadata of a function that names its entry point under `functions/`. */
const entryKey = 'lockkeeper:entry';

/** A function. Its code is not the packed asset of the template but the handler its entry name stands for. */
export const lambdaFunction: ResourceKind = {
  types: ['AWS::Lambda::Function'],
  identity(declared) {
    const name = physicalName(declared, 'FunctionName');
    return identityOf(name, name, { Arn: arn('lambda', `function:${name}`) });
  },
  create(resource, { functions }) {
    const entry = resource.metadata[entryKey];
    if (typeof entry !== 'string') throw unsupported(resource.id, `the function has no ${entryKey} in its metadata, so there is no handler to run`);
    const { Timeout, MemorySize, Environment } = properties.parse(resource.properties);
    functions.declare({
      id: resource.id,
      entry,
      name: resource.identity.name,
      arn: arn('lambda', `function:${resource.identity.name}`),
      timeoutMs: Timeout * 1000,
      memoryMb: MemorySize,
      variables: Environment?.Variables ?? {},
    });
  },
};
