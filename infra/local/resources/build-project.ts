import { z } from 'zod';
import { arn } from '../template/place.ts';
import { unsupported } from '../template/unsupported.ts';
import { identityOf, physicalName } from './identity.ts';
import type { ResourceKind } from './kind.ts';

const variable = z.looseObject({ Name: z.string(), Value: z.string(), Type: z.string().default('PLAINTEXT') });
const properties = z.looseObject({
  Environment: z.looseObject({ EnvironmentVariables: z.array(variable).default([]) }),
  TimeoutInMinutes: z.number().default(60),
});

/** A CodeBuild project whose builds run a program of ours, which its metadata names; image, source and build commands mean nothing here. */
export const buildProject: ResourceKind = {
  types: ['AWS::CodeBuild::Project'],
  identity(declared) {
    const name = physicalName(declared, 'Name');
    return identityOf(name, name, { Arn: arn('codebuild', `project/${name}`) });
  },
  create(resource, { builds }) {
    const { Environment, TimeoutInMinutes } = properties.parse(resource.properties);
    const entry = resource.metadata['lockkeeper:program'];
    if (typeof entry !== 'string') throw unsupported(resource.id, 'the embedded stack runs builds of the projects that name a program in their metadata only');
    const secret = Environment.EnvironmentVariables.find(({ Type }) => Type !== 'PLAINTEXT');
    if (secret) throw unsupported(resource.id, `its variable ${secret.Name} is to be read elsewhere`);
    const variables = Object.fromEntries(Environment.EnvironmentVariables.map(({ Name, Value }) => [Name, Value]));
    builds.add({ name: resource.identity.name, entry, variables, timeoutMinutes: TimeoutInMinutes });
  },
};
