import { generateKeyPairSync } from 'node:crypto';
import { CreateSecretCommand, PutSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { canaries } from '../e2e/house.ts';
import { demoSeed } from '../sim/seed.ts';

/** Fills what the stack left for a person to fill, and creates the secrets that plans name (`env://NAME` below their environment). */
export async function putSecrets(client: SecretsManagerClient, outputs: Readonly<Record<string, string>>): Promise<void> {
  const { WEBHOOK, ...plans } = canaries;
  const put = (SecretId: string, SecretString: string) => client.send(new PutSecretValueCommand({ SecretId, SecretString }));
  await put(String(outputs['WebhookSecretName']), WEBHOOK);
  await put(String(outputs['GithubAppSecretName']), JSON.stringify({ appId: String(demoSeed().github.app.id), privateKey: privateKey() }));
  for (const environment of ['preview', 'production']) {
    for (const [name, value] of Object.entries(plans)) {
      await client.send(new CreateSecretCommand({ Name: `lockkeeper/${environment}/${name}`, SecretString: value }));
    }
  }
}

const privateKey = (): string =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;
