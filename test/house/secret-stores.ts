/** Secrets Manager and the parameter store in memory, behind the product's own sources. */
import type { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { byScheme, terminalOnly } from '../../shared/platform/by-scheme.ts';
import { parameterSource } from '../../shared/platform/parameter-store.ts';
import { anySecretSource, secretsManagerSource } from '../../shared/platform/secrets-manager.ts';
import type { SecretSource } from '../../shared/secrets/source.ts';

const prefix = 'lockkeeper';

const missing = (name: string): Error => Object.assign(new Error(name), { name });

/** @param values by `<environment>/<NAME>` below the prefix; by `aws-sm://<id>` and `ssm://<name>` for what lies elsewhere. */
export function secretStores(values: ReadonlyMap<string, string>): SecretSource {
  const manager = {
    send: async ({ input: { SecretId = '' } }: GetSecretValueCommand) => {
      const value = SecretId.startsWith(`${prefix}/`)
        ? values.get(SecretId.slice(prefix.length + 1))
        : (values.get(`aws-sm://${SecretId}`) ?? values.get(SecretId));
      if (value === undefined) throw missing('ResourceNotFoundException');
      return { SecretString: value };
    },
  } as unknown as SecretsManagerClient;
  const parameters = {
    send: async ({ input: { Name = '' } }: GetParameterCommand) => {
      const value = values.get(`ssm://${Name}`) ?? values.get(Name);
      if (value === undefined) throw missing('ParameterNotFound');
      return { Parameter: { Value: value } };
    },
  } as unknown as SSMClient;
  return byScheme({
    env: secretsManagerSource(manager, prefix),
    'aws-sm': anySecretSource(manager, prefix),
    ssm: parameterSource(parameters, prefix),
    doppler: terminalOnly('doppler', prefix),
    op: terminalOnly('op', prefix),
  });
}
