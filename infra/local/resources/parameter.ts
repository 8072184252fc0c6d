import { z } from 'zod';
import { arn } from '../template/place.ts';
import { identityOf, physicalName } from './identity.ts';
import type { ResourceKind } from './kind.ts';

const properties = z.looseObject({ Type: z.string(), Value: z.string() });

/** An SSM parameter: its value is what the template says, at every start. */
export const parameter: ResourceKind = {
  types: ['AWS::SSM::Parameter'],
  identity(declared) {
    const name = physicalName(declared, 'Name');
    return identityOf(name, name, { Arn: arn('ssm', `parameter/${name.replace(/^\//, '')}`), Value: String(declared.property('Value')) });
  },
  create(resource, { vault }) {
    vault.write('parameter', resource.identity.name, properties.parse(resource.properties).Value);
  },
};
