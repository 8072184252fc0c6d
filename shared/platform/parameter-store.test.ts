import { afterEach, describe, expect, test } from 'vitest';
import { emulated } from '../../test/contract/endpoints.ts';
import { type ScriptedEndpoint, scriptedEndpoint } from '../../test/contract/scripted-endpoint.ts';
import { parameterStore, secretsManager } from './clients.ts';
import { parameterSource } from './parameter-store.ts';
import { anySecretSource } from './secrets-manager.ts';

let endpoint: ScriptedEndpoint;
const asked: string[] = [];
afterEach(async () => {
  asked.length = 0;
  await endpoint.stop();
});

/** Answers by the name that is asked for; anything else is not there. */
async function answering(answers: Record<string, { status?: number; body: unknown }>) {
  endpoint = await scriptedEndpoint(({ input }) => {
    const name = String(input['Name'] ?? input['SecretId']);
    asked.push(name);
    return answers[name] ?? { status: 400, body: { __type: input['Name'] === undefined ? 'ResourceNotFoundException' : 'ParameterNotFound' } };
  });
  const environment = { ...emulated, AWS_ENDPOINT_URL_SSM: endpoint.url, AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint.url };
  const parameters = parameterSource(parameterStore(environment), 'lockkeeper');
  const secrets = anySecretSource(secretsManager(environment), 'lockkeeper');
  return {
    parameter: (name: string) => parameters.resolve('preview', { scheme: 'ssm', name }),
    secret: (id: string, key?: string) => secrets.resolve('preview', { scheme: 'aws-sm', id, ...(key === undefined ? {} : { key }) }),
  };
}

const refused = (__type: string) => ({ status: 400, body: { __type, message: 'no' } });

describe('a parameter', () => {
  test('is read, or it is said why not', async () => {
    const { parameter } = await answering({
      '/app/key': { body: { Parameter: { Value: 'v' } } },
      '/app/none': { body: { Parameter: {} } },
      '/app/no': refused('AccessDeniedException'),
    });
    expect(await parameter('/app/key')).toEqual({ found: true, value: 'v' });
    expect(await parameter('/app/none')).toEqual({ found: false, why: 'the parameter /app/none is empty' });
    expect(await parameter('/app/no')).toEqual({ found: false, why: 'the parameter /app/no may not be read by this function' });
    expect(await parameter('/app/other')).toEqual({ found: false, why: 'the parameter /app/other does not exist' });
  });

  test('is asked of a store that must answer', async () => {
    const { parameter } = await answering({ x: refused('UnrecognizedClientException') });
    await expect(parameter('x')).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
  });
});

describe('a secret by its own name', () => {
  const json = { body: { SecretString: JSON.stringify({ text: 't', number: 482913, flag: false, list: [], empty: '' }) } };

  test('is its whole text, or one member of it', async () => {
    const { secret } = await answering({ app: json, plain: { body: { SecretString: 'p-text' } } });
    expect(await secret('plain')).toEqual({ found: true, value: 'p-text' });
    expect(await secret('app', 'text')).toEqual({ found: true, value: 't' });
    expect(await secret('app', 'number')).toEqual({ found: true, value: '482913' });
    expect(await secret('app', 'flag')).toEqual({ found: true, value: 'false' });
    for (const key of ['list', 'empty', 'constructor', 'missing']) expect(await secret('app', key)).toMatchObject({ found: false });
    expect(JSON.stringify(await secret('plain', 'key'))).not.toContain('p-text');
  });
});

test('what lies under the prefix for another environment or for Lockkeeper itself is not even asked for', async () => {
  const { parameter, secret } = await answering({});
  for (const answer of [await secret('lockkeeper/sealing-key'), await secret('lockkeeper/production/KEY'), await parameter('/lockkeeper/production/KEY')]) {
    expect(answer).toEqual({ found: false, why: expect.stringContaining('lockkeeper/preview/, where a plan may look') });
  }
  expect(asked).toEqual([]);
});
