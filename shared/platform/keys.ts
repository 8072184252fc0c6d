import { randomBytes } from 'node:crypto';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type FingerprintKey, fingerprintKey, type SealingKey, sealingKey } from '../secrets/keys.ts';
import { readSecret } from './secrets-manager.ts';

export interface Keys {
  readonly fingerprint: FingerprintKey;
  readonly sealing: SealingKey;
}

/**
 * Reads the two keys from Secrets Manager.
 *
 * @param ids names or ARNs of the two secrets.
 * @throws LockkeeperError SECRET_UNRESOLVED, STORE_UNREACHABLE, KEY_INVALID
 */
export async function readKeys(client: SecretsManagerClient, ids: { readonly fingerprint: string; readonly sealing: string }): Promise<Keys> {
  const [fingerprint, sealing] = await Promise.all([readSecret(client, ids.fingerprint), readSecret(client, ids.sealing)]);
  return { fingerprint: fingerprintKey(fingerprint), sealing: sealingKey(sealing, randomBytes) };
}
