import { z } from 'zod';
import { generateSecret, generation } from '../secrets/generate.ts';
import { arn } from '../template/place.ts';
import { identityOf, physicalName } from './identity.ts';
import type { ResourceKind } from './kind.ts';

const properties = z.looseObject({ SecretString: z.string().optional(), GenerateSecretString: generation.optional() });

/** A secret of the template. One that is to be generated gets its value at the first start and keeps it. */
export const secret: ResourceKind = {
  types: ['AWS::SecretsManager::Secret'],
  identity(declared) {
    const name = physicalName(declared, 'Name');
    const own = arn('secretsmanager', `secret:${name}`);
    return identityOf(name, own, { Id: own, Arn: own });
  },
  create(resource, { vault }) {
    const { SecretString, GenerateSecretString } = properties.parse(resource.properties);
    if (vault.read('secret', resource.identity.name) !== undefined) return;
    if (SecretString !== undefined) vault.write('secret', resource.identity.name, SecretString);
    else if (GenerateSecretString) vault.write('secret', resource.identity.name, generateSecret(GenerateSecretString));
  },
};
