import { GetParameterCommand, type SSMClient } from '@aws-sdk/client-ssm';
import { standingOf } from '../secrets/own-names.ts';
import type { SecretSource } from '../secrets/source.ts';
import { exceptionOf, unreachable } from './failure.ts';
import { notOfThePlan } from './secrets-manager.ts';

/** What the parameter store answers when there is nothing to be had, as people would say it. */
const reasons: Readonly<Record<string, string>> = {
  ParameterNotFound: 'does not exist',
  ParameterVersionNotFound: 'has no such version',
  AccessDeniedException: 'may not be read by this function',
  InvalidKeyId: 'cannot be decrypted with its KMS key',
  ValidationException: 'has a name that the parameter store does not take',
};

/** `ssm://name`: a parameter that the function may read, decrypted; never one under the prefix that is not of the run's environment. */
export function parameterSource(client: SSMClient, prefix: string): SecretSource {
  return {
    async resolve(environment, reference) {
      if (reference.scheme !== 'ssm') return { found: false, why: `${reference.scheme}:// is no parameter` };
      const { name } = reference;
      if (standingOf(name, prefix, environment) === 'forbidden') return { found: false, why: notOfThePlan(name, prefix, environment) };
      try {
        const { Parameter } = await client.send(new GetParameterCommand({ Name: name, WithDecryption: true }));
        const value = Parameter?.Value;
        return value ? { found: true, value } : { found: false, why: `the parameter ${name} is empty` };
      } catch (error) {
        const reason = reasons[exceptionOf(error)];
        if (reason !== undefined) return { found: false, why: `the parameter ${name} ${reason}` };
        throw unreachable(`reading the parameter ${name}`, error);
      }
    },
  };
}
