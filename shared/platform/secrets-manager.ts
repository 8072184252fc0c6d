import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { LockkeeperError } from '../errors/error.ts';
import { standingOf } from '../secrets/own-names.ts';
import type { Resolution, SecretSource } from '../secrets/source.ts';
import { exceptionOf, unreachable } from './failure.ts';

/** `env://NAME` from Secrets Manager: `<prefix>/<environment>/<NAME>`, as text. */
export function secretsManagerSource(client: SecretsManagerClient, prefix: string): SecretSource {
  return {
    resolve: async (environment, reference) =>
      reference.scheme === 'env'
        ? secretText(client, `${prefix}/${environment}/${reference.name}`)
        : { found: false, why: `${reference.scheme}:// does not lie under ${prefix}/${environment}/` },
  };
}

/**
 * `aws-sm://id#KEY`: any secret that the function may read, by name or ARN; with a key, that member of a JSON object. Never one under
 * the prefix that is not of the run's environment: what policy lists cannot open Lockkeeper's own, nor another environment's.
 */
export function anySecretSource(client: SecretsManagerClient, prefix: string): SecretSource {
  return {
    async resolve(environment, reference) {
      if (reference.scheme !== 'aws-sm') return { found: false, why: `${reference.scheme}:// is not read here` };
      if (standingOf(reference.id, prefix, environment) === 'forbidden') return { found: false, why: notOfThePlan(reference.id, prefix, environment) };
      const answer = await secretText(client, reference.id);
      return answer.found && reference.key !== undefined ? memberOf(answer.value, reference.id, reference.key) : answer;
    },
  };
}

/** Why a name under the prefix is not read. */
export const notOfThePlan = (id: string, prefix: string, environment: string): string =>
  `${id} lies under ${prefix}/ and not under ${prefix}/${environment}/, where a plan may look`;

/** Text, numbers and booleans are values; the text that did not parse may be the secret and is not told. */
function memberOf(text: string, id: string, key: string): Resolution {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { found: false, why: `the secret ${id} is no JSON object, so it has no key ${key}` };
  }
  const member = typeof parsed === 'object' && parsed !== null && Object.hasOwn(parsed, key) ? (parsed as Record<string, unknown>)[key] : undefined;
  if (member === undefined) return { found: false, why: `the secret ${id} has no key ${key}` };
  if (typeof member !== 'string' && typeof member !== 'number' && typeof member !== 'boolean')
    return { found: false, why: `the key ${key} of the secret ${id} is no text, number or boolean` };
  return member === '' ? { found: false, why: `the key ${key} of the secret ${id} is empty` } : { found: true, value: String(member) };
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
