import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { LockkeeperError } from '../errors/error.ts';
import type { Resolution, SecretSource } from '../secrets/source.ts';
import { exceptionOf, unreachable } from './failure.ts';

/** Secrets from Secrets Manager: `<prefix>/<environment>/<NAME>`, as text. */
export function secretsManagerSource(client: SecretsManagerClient, prefix: string): SecretSource {
  return { resolve: (environment, name) => secretText(client, `${prefix}/${environment}/${name}`) };
}

/**
 * One of Lockkeeper's own secrets: the webhook's, the app's, the keys.
 *
 * @throws LockkeeperError SECRET_UNRESOLVED when it has no value, STORE_UNREACHABLE when Secrets Manager does not answer.
 */
export async function readSecret(client: SecretsManagerClient, id: string): Promise<string> {
  const answer = await secretText(client, id);
  if (!answer.found) throw new LockkeeperError({ code: 'SECRET_UNRESOLVED', message: `Lockkeeper cannot start: ${answer.why}.` });
  return answer.value;
}

/** What Secrets Manager answers when there is nothing to be had, as people would say it. */
const reasons: Readonly<Record<string, string>> = {
  ResourceNotFoundException: 'does not exist, or has no value',
  AccessDeniedException: 'may not be read by this function',
  DecryptionFailure: 'cannot be decrypted with its KMS key',
  InvalidRequestException: 'is marked for deletion',
  InvalidParameterException: 'has a name that Secrets Manager does not take',
  ValidationException: 'has a name that Secrets Manager does not take',
};

/** What Secrets Manager has under a name or ARN, as text. @throws LockkeeperError STORE_UNREACHABLE */
export async function secretText(client: SecretsManagerClient, id: string): Promise<Resolution> {
  try {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: id }));
    if (SecretString === undefined) return { found: false, why: `the secret ${id} holds bytes, not text` };
    if (SecretString === '') return { found: false, why: `the secret ${id} is empty` };
    return { found: true, value: SecretString };
  } catch (error) {
    const reason = reasons[exceptionOf(error)];
    if (reason !== undefined) return { found: false, why: `the secret ${id} ${reason}` };
    throw unreachable(`reading the secret ${id}`, error);
  }
}
