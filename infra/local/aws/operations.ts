import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Bus } from '../events/bus.ts';
import type { Vault } from '../secrets/vault.ts';
import { arn } from '../template/place.ts';
import { type Operation, ServiceError } from './json-service.ts';

const secretPrefix = arn('secretsmanager', 'secret:');
const secretName = (id: string): string => (id.startsWith(secretPrefix) ? id.slice(secretPrefix.length) : id);

const getSecret = z.looseObject({ SecretId: z.string() });
const putSecret = z.looseObject({ SecretId: z.string(), SecretString: z.string() });
const createSecret = z.looseObject({ Name: z.string(), SecretString: z.string() });
const getParameter = z.looseObject({ Name: z.string() });
const putEvents = z.looseObject({
  Entries: z.array(
    z.looseObject({
      Source: z.string(),
      DetailType: z.string(),
      Detail: z.string(),
      EventBusName: z.string().default('default'),
      Resources: z.array(z.string()).default([]),
    }),
  ),
});

/** Secrets Manager, as far as it is called. */
export function secretOperations(vault: Vault): Record<string, Operation> {
  const store = (name: string, value: string) => {
    vault.write('secret', name, value);
    return { ARN: secretPrefix + name, Name: name, VersionId: randomUUID(), VersionStages: ['AWSCURRENT'] };
  };
  return {
    'secretsmanager.GetSecretValue': (input) => {
      const name = secretName(getSecret.parse(input).SecretId);
      const value = vault.read('secret', name);
      if (value === undefined) throw new ServiceError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
      return { ARN: secretPrefix + name, Name: name, SecretString: value, VersionStages: ['AWSCURRENT'] };
    },
    'secretsmanager.PutSecretValue': (input) => {
      const { SecretId, SecretString } = putSecret.parse(input);
      if (vault.read('secret', secretName(SecretId)) === undefined) throw new ServiceError('ResourceNotFoundException', 'There is no such secret.');
      return store(secretName(SecretId), SecretString);
    },
    'secretsmanager.CreateSecret': (input) => {
      const { Name, SecretString } = createSecret.parse(input);
      if (vault.read('secret', Name) !== undefined) throw new ServiceError('ResourceExistsException', 'The secret exists already.');
      return store(Name, SecretString);
    },
  };
}

/** The SSM parameter store, as far as it is called. */
export function parameterOperations(vault: Vault): Record<string, Operation> {
  return {
    'AmazonSSM.GetParameter': (input) => {
      const { Name } = getParameter.parse(input);
      const value = vault.read('parameter', Name);
      if (value === undefined) throw new ServiceError('ParameterNotFound', `There is no parameter ${Name}.`);
      return { Parameter: { Name, Value: value, Type: 'String', Version: 1, ARN: arn('ssm', `parameter/${Name.replace(/^\//, '')}`) } };
    },
  };
}

/** EventBridge, as far as it is called. */
export function eventOperations(bus: Bus): Record<string, Operation> {
  return {
    'AWSEvents.PutEvents': (input) => ({
      FailedEntryCount: 0,
      Entries: putEvents.parse(input).Entries.map(({ Source, DetailType, Detail, EventBusName, Resources }) => ({
        EventId: bus.put(EventBusName, bus.stamped({ source: Source, detailType: DetailType, detail: JSON.parse(Detail), resources: Resources })),
      })),
    }),
  };
}
