import { describe, expect, it } from 'vitest';
import type { ActiveLine } from '../plan/types.ts';
import { judgeLines } from './judge-lines.ts';
import { policyOf } from './policy.ts';
import type { PolicyContent } from './schema.ts';

const line = (part: Partial<ActiveLine>): ActiveLine => ({
  id: 'web',
  adapter: 'vercel',
  op: 'env',
  params: {},
  provider: {},
  needs: [],
  secrets: [],
  ...part,
});
const inProduction = (block: NonNullable<PolicyContent['environments']>[string]) => policyOf({ version: 1, environments: { production: block } });
const denied = (policy: ReturnType<typeof policyOf>, one: Partial<ActiveLine>, environment = 'production') =>
  judgeLines(policy, environment, [line(one)]).map(({ message }) => message);

describe('secrets', () => {
  it('are allowed under any name of the environment, where nothing is said', () => {
    expect(denied(policyOf(), { secrets: ['env://A', 'env://_b2'] })).toEqual([]);
  });

  it.each(['env://preview/KEY', 'env://../preview/KEY', 'env://', 'env://2A', 'vault://a/b', 'A'])('are never %s, which no source takes', (reference) => {
    expect(denied(policyOf(), { secrets: [reference] })).toEqual([expect.stringMatching(/^line `web`: .*env:\/\/NAME/)]);
    expect(denied(inProduction({ secrets: ['env://*'] }), { secrets: [reference] })).toHaveLength(1);
  });

  it('of another source lie under the environment’s own name, or are listed', () => {
    const own = ['aws-sm://lockkeeper/production/KEY', 'ssm:///lockkeeper/production/KEY'];
    const others = ['aws-sm://app/key#field', 'ssm://app', 'doppler://shop/dev/KEY', 'op://vault/an item/field'];

    expect(denied(policyOf(), { secrets: own })).toEqual([]);
    expect(denied(policyOf(), { secrets: others })).toEqual(others.map((one) => expect.stringContaining(`\`${one}\` may not be used in \`production\``)));
    expect(denied(inProduction({ secrets: ['aws-sm://app/*', 'ssm://*', 'doppler://shop/*', 'op://vault/*'] }), { secrets: others })).toEqual([]);
    expect(denied(inProduction({ secrets: ['env://*'] }), { secrets: own })).toHaveLength(2);
  });

  it.each(['aws-sm://lockkeeper/sealing-key', 'aws-sm://lockkeeper/preview/KEY', 'ssm:///lockkeeper/preview/KEY', 'ssm://lockkeeper/x'])(
    'are never %s, whatever is listed',
    (reference) => {
      const policy = inProduction({ secrets: ['aws-sm://*', 'ssm://*', reference] });
      expect(denied(policy, { secrets: [reference] })).toEqual([expect.stringContaining('no policy can allow that')]);
    },
  );

  it('are those of the list where there is one, and the message says which those are and where to add one', () => {
    const policy = inProduction({ secrets: ['env://STRIPE_*', 'env://DATABASE_URL'] });

    expect(denied(policy, { secrets: ['env://DATABASE_URL', 'env://STRIPE_KEY'] })).toEqual([]);
    expect(denied(policy, { secrets: ['env://STRIPE', 'env://X'] })).toEqual([
      'line `web`: the secret `env://STRIPE` may not be used in `production`, allowed there: `env://STRIPE_*` and `env://DATABASE_URL`; add it to `environments.production.secrets` of lockkeeper.yaml',
      expect.stringContaining('`env://X`'),
    ]);
  });

  it('are none where the list is empty', () => {
    expect(denied(inProduction({ secrets: [] }), { secrets: ['env://A'] })).toEqual([expect.stringContaining('none is allowed there')]);
  });

  it('of another environment are not held to this one’s list', () => {
    expect(denied(inProduction({ secrets: [] }), { secrets: ['env://A'] }, 'preview')).toEqual([]);
  });
});

describe('credentials', () => {
  const using = (policy: ReturnType<typeof policyOf>, variables: readonly string[], one: Partial<ActiveLine> = {}) =>
    judgeLines(policy, 'production', [line(one)], () => variables).map(({ message }) => message);

  it('are those of every adapter where nothing is said', () => {
    expect(using(policyOf(), ['VERCEL_TOKEN'])).toEqual([]);
  });

  it('are those of the list where there is one, and the message says where to add one', () => {
    const policy = inProduction({ credentials: ['NEON_*', 'CLERK_SECRET_KEY'] });

    expect(using(policy, ['NEON_API_KEY', 'CLERK_SECRET_KEY'])).toEqual([]);
    expect(using(policy, ['VERCEL_TOKEN', 'VERCEL_TOKEN'])).toEqual([
      'line `web`: the credential `VERCEL_TOKEN` may not be used in `production`, allowed there: `NEON_*` and `CLERK_SECRET_KEY`; add it to `environments.production.credentials` of lockkeeper.yaml',
    ]);
    expect(using(inProduction({ credentials: [] }), ['VERCEL_TOKEN'])).toEqual([expect.stringContaining('none is allowed there')]);
    expect(using(policy, [])).toEqual([]);
  });

  it('that a provider block names stand in the list, or are secrets as any other', () => {
    const named = { credentials: ['STATUS_TOKEN'] };

    expect(using(inProduction({ secrets: [] }), ['STATUS_TOKEN'], named)).toEqual([expect.stringContaining('the secret `env://STATUS_TOKEN`')]);
    expect(using(inProduction({ secrets: [], credentials: ['STATUS_*'] }), ['STATUS_TOKEN'], named)).toEqual([]);
    expect(using(inProduction({ secrets: ['env://STATUS_TOKEN'], credentials: [] }), ['STATUS_TOKEN'], named)).toEqual([]);
    expect(using(inProduction({ secrets: [], credentials: [] }), ['STATUS_TOKEN'], named)).toHaveLength(1);
  });
});

describe('provider blocks', () => {
  const policy = inProduction({ providers: { vercel: [{ project: 'shop', team: 'acme' }, { project: 'docs' }], clerk: [{}] } });

  it('are free where nothing is said', () => {
    expect(denied(policyOf(), { provider: { project: 'anything' } })).toEqual([]);
  });

  it('must hold one of the blocks of their adapter, and may hold more', () => {
    expect(denied(policy, { provider: { project: 'shop', team: 'acme', region: 'fra1' } })).toEqual([]);
    expect(denied(policy, { provider: { project: 'docs' } })).toEqual([]);
    expect(denied(policy, { adapter: 'clerk', provider: {} })).toEqual([]);
  });

  it('are refused with what they must hold', () => {
    const message =
      'line `web`: the provider block of `vercel` may not be used in `production`: it must hold `{"project":"shop","team":"acme"}` or `{"project":"docs"}`, by `environments.production.providers` of lockkeeper.yaml';

    expect(denied(policy, { provider: { project: 'shop' } })).toEqual([message]);
    expect(denied(policy, { provider: { project: 'shop', team: 'other' } })).toEqual([message]);
    expect(denied(policy, { provider: {} })).toEqual([message]);
  });

  it('of an adapter that is not named are refused, whatever the adapter is called', () => {
    expect(denied(policy, { adapter: 'neon', provider: { project: 'shop' } })).toEqual([expect.stringContaining('the adapter `neon` may not be used')]);
    expect(denied(policy, { adapter: 'constructor' })).toEqual([expect.stringContaining('the adapter `constructor` may not be used')]);
    expect(denied(inProduction({ providers: {} }), {})).toHaveLength(1);
  });

  it('are compared at any depth: maps by the keys asked for, lists and values as they are', () => {
    const nested = inProduction({ providers: { vercel: [{ a: { b: 1 }, tags: ['x', 'y'], on: true }] } });
    const provider = { a: { b: 1, c: 2 }, tags: ['x', 'y'], on: true };

    expect(denied(nested, { provider })).toEqual([]);
    expect(denied(nested, { provider: { ...provider, a: { b: '1' } } })).toHaveLength(1);
    expect(denied(nested, { provider: { ...provider, a: [1] } })).toHaveLength(1);
    expect(denied(nested, { provider: { ...provider, tags: ['x'] } })).toHaveLength(1);
    expect(denied(nested, { provider: { ...provider, tags: { 0: 'x', 1: 'y' } } })).toHaveLength(1);
    expect(denied(nested, { provider: { ...provider, on: 'true' } })).toHaveLength(1);
  });
});

describe('hosts of http lines', () => {
  const http = (base_url: string): Partial<ActiveLine> => ({ adapter: 'http', params: { api: 'status' }, provider: { status: { base_url } } });
  const policy = inProduction({ http_hosts: ['api.example.com', 'api.example.com:8443'] });

  it('are none where nothing is said', () => {
    expect(denied(policyOf(), http('https://api.example.com'))).toEqual([
      'line `web`: the host `api.example.com` may not be reached from `production`, none is allowed there; add it to `environments.production.http_hosts` of lockkeeper.yaml',
    ]);
  });

  it('are those of the list, by name and port', () => {
    expect(denied(policy, http('https://api.example.com/v1'))).toEqual([]);
    expect(denied(policy, http('https://API.example.com:443'))).toEqual([]);
    expect(denied(policy, http('https://api.example.com:8443/v1'))).toEqual([]);
  });

  it.each([
    'https://example.com',
    'https://api.example.com.evil.test',
    'https://api.example.com@evil.test',
    'https://api.example.com:9000',
    'https://evil.test/api.example.com',
    'https://evil.test\\@api.example.com',
  ])('are not %s', (address) => {
    expect(denied(policy, http(address))).toEqual([expect.stringContaining('may not be reached')]);
  });

  it.each(['http://169.254.169.254', 'https://localhost:8080', 'http://0x7f.1', 'http://2130706433', 'http://[::1]', 'https://10.0.0.1', 'http://①②⑦.0.0.1'])(
    'are never %s, though a list has it',
    (address) => {
      const listed = inProduction({ http_hosts: [new URL(address).host] });
      expect(denied(listed, http(address))).toEqual([expect.stringMatching(/only public addresses are reached, whatever the policy says$/)]);
    },
  );

  it('are sent no credential that the list of secrets does not have', () => {
    const strict = inProduction({ http_hosts: ['api.example.com'], secrets: ['env://STATUS_*'] });
    const sends = (variable: string) => denied(strict, { ...http('https://api.example.com'), credentials: [variable] });
    expect(sends('STATUS_TOKEN')).toEqual([]);
    expect(sends('STRIPE_TOKEN')).toEqual([expect.stringContaining('the secret `env://STRIPE_TOKEN` may not be used')]);
  });

  it.each([
    ['behind a variable', { api: 'status' }, { status: { base_url: 'https://api.example.com', base_url_env: 'X' } }],
    ['of another scheme', { api: 'status' }, { status: { base_url: 'file://api.example.com/etc' } }],
    ['of no address', { api: 'status' }, { status: { base_url: 'api.example.com' } }],
    ['of a block that is not there', { api: 'toString' }, {}],
    ['of no API', {}, { status: { base_url: 'https://api.example.com' } }],
    ['that another line gives', { api: { from: 'a.b' } }, { status: { base_url: 'https://api.example.com' } }],
  ] as const)('%s cannot be told, and are refused', (_, params, provider) => {
    expect(denied(policy, { adapter: 'http', params, provider })).toEqual([expect.stringContaining('cannot be told before it runs')]);
  });
});

describe('the lines of a run', () => {
  it('are all judged: every refusal is POLICY_DENIED and names its line', () => {
    const policy = inProduction({ secrets: [], providers: { neon: [{ project: 'shop' }] } });
    const problems = judgeLines(policy, 'production', [
      line({ id: 'db', adapter: 'neon', provider: { project: 'shop' } }),
      line({ id: 'web', secrets: ['env://A'] }),
      line({ id: 'hook', adapter: 'http' }),
    ]);

    expect(problems.map(({ code, details }) => `${code} ${details?.['line']}`)).toEqual([
      'POLICY_DENIED web',
      'POLICY_DENIED web',
      'POLICY_DENIED hook',
      'POLICY_DENIED hook',
    ]);
  });
});
