import { afterEach, describe, expect, test } from 'vitest';
import { emulated } from '../../test/contract/endpoints.ts';
import { type ScriptedEndpoint, scriptedEndpoint } from '../../test/contract/scripted-endpoint.ts';
import { secretsManager } from './clients.ts';
import { readKeys } from './keys.ts';
import { readSecret, secretsManagerSource } from './secrets-manager.ts';

let endpoint: ScriptedEndpoint;
afterEach(() => endpoint.stop());

async function clientThat(secrets: Record<string, { status?: number; body: unknown }>) {
  endpoint = await scriptedEndpoint(({ input }) => secrets[String(input['SecretId'])] ?? { status: 400, body: { __type: 'ResourceNotFoundException' } });
  return secretsManager({ ...emulated, AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint.url });
}

const text = (SecretString: string) => ({ body: { SecretString } });

describe('a secret of a plan', () => {
  test('lies under prefix, environment and name', async () => {
    const source = secretsManagerSource(await clientThat({ 'lockkeeper/preview/STRIPE_KEY': text('sk_1') }), 'lockkeeper');
    expect(await source.resolve('preview', { scheme: 'env', name: 'STRIPE_KEY' })).toEqual({ found: true, value: 'sk_1' });
    expect(await source.resolve('production', { scheme: 'env', name: 'STRIPE_KEY' })).toEqual({
      found: false,
      why: 'the secret lockkeeper/production/STRIPE_KEY does not exist, or has no value',
    });
  });

  test.each([
    ['is empty', text('')],
    ['holds bytes, not text', { body: { SecretBinary: 'AAAA' } }],
    ['may not be read', { status: 400, body: { __type: 'AccessDeniedException', message: 'no' } }],
    ['is marked for deletion', { status: 400, body: { __type: 'InvalidRequestException', message: 'no' } }],
  ])('that %s is not found, and it is said why', async (why, answer) => {
    const source = secretsManagerSource(await clientThat({ 'lockkeeper/preview/A': answer }), 'lockkeeper');
    expect(await source.resolve('preview', { scheme: 'env', name: 'A' })).toEqual({ found: false, why: expect.stringContaining(why) });
  });

  test('is asked of a service that must answer', async () => {
    const source = secretsManagerSource(
      await clientThat({ 'lockkeeper/preview/A': { status: 400, body: { __type: 'UnrecognizedClientException', message: 'no' } } }),
      'lockkeeper',
    );
    await expect(source.resolve('preview', { scheme: 'env', name: 'A' })).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
  });
});

describe('Lockkeeper’s own secrets', () => {
  test('must be there', async () => {
    await expect(readSecret(await clientThat({}), 'lockkeeper/github-webhook')).rejects.toMatchObject({
      code: 'SECRET_UNRESOLVED',
      message: expect.stringContaining('lockkeeper/github-webhook does not exist'),
    });
  });

  test('the two keys are read as the stack keeps them', async () => {
    const generated = (digit: string) => text(JSON.stringify({ id: '1', key: digit.repeat(64) }));
    const keys = await readKeys(await clientThat({ f: generated('a'), s: generated('b') }), { fingerprint: 'f', sealing: 's' });
    expect(keys.fingerprint.id).not.toBe(keys.sealing.id);
    expect(keys.sealing.nonce()).toHaveLength(12);
    expect(keys.sealing.nonce()).not.toEqual(keys.sealing.nonce());
  });

  test('a key of too few characters is refused', async () => {
    await expect(readKeys(await clientThat({ f: text('short'), s: text('short') }), { fingerprint: 'f', sealing: 's' })).rejects.toMatchObject({
      code: 'KEY_INVALID',
    });
  });
});
