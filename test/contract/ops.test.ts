import { expect, it } from 'vitest';
import { adapters } from '../../adapters.ts';
import { registry } from '../../shared/adapters/registry.ts';
import type { Op } from '../../shared/engine/op.ts';
import type { Params, ProviderBlock } from '../../shared/plan/types.ts';
import { demo } from '../sim/seed.ts';
import type { Sim } from '../sim/sim.ts';
import { describeOpContract, type OpTrial } from './op-contract.ts';
import { credential, simWorld } from './sim-world.ts';

interface Candidate {
  readonly adapter: string;
  readonly op: string;
  readonly provider: ProviderBlock;
  readonly params: Params;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly arrange?: (sim: Sim) => void;
  readonly destroy?: OpTrial['destroy'];
  readonly secondCreate?: OpTrial['secondCreate'];
}

const vercel = { project: demo.vercelProjectName, team: demo.vercelTeam };

const candidates: readonly Candidate[] = [
  { adapter: 'neon', op: 'branch', provider: { project: demo.neonProject }, params: {} },
  {
    adapter: 'vercel',
    op: 'env',
    provider: vercel,
    params: { values: { DATABASE_URL: { secret: 'env://DATABASE_URL' }, LEVEL: 3 } },
    secrets: { 'env://DATABASE_URL': 'postgres://u:correct-horse@db.example/app' },
    // Lists that give no values: each is asked for alone.
    arrange: (sim) => sim.control.set({ vercel: { decryptLists: false } }),
  },
  {
    adapter: 'vercel',
    op: 'deploy',
    provider: vercel,
    params: {},
    arrange: (sim) => sim.control.set({ vercel: { builds: 'never' } }),
    destroy: 'keeps',
    secondCreate: 'harmless',
  },
  {
    adapter: 'http',
    op: 'resource',
    provider: { hooks: { base_url: 'https://api.hooks.example/v1', auth: { bearer_env: 'HOOKS_TOKEN' } } },
    params: {
      api: 'hooks',
      vars: { project: 'a/b' },
      find: { path: '/projects/{project}/webhooks', list_path: '/items', match: { name: 'pr-7' }, next: '/next' },
      read: { path: '/projects/{project}/webhooks/{id}' },
      create: { method: 'POST', path: '/projects/{project}/webhooks', body: { signing: { secret: 'env://SIGNING' } } },
      update: { method: 'PATCH' },
      fields: { url: 'https://pr-7.example', '/filter/events': ['deploy', 'rollback'], level: 3, password: { secret: 'env://SIGNING' } },
      outputs: { url: '/url', token: { path: '/token', sensitive: true }, filter: '/filter' },
    },
    secrets: { 'env://SIGNING': 'correct-horse-battery' },
    arrange: (sim) => {
      sim.control.set({ rest: { pageSize: 1 } });
      for (const name of ['other', 'another']) sim.control.edit('rest.add', { path: '/api.hooks.example/v1/projects/a%2Fb/webhooks', body: { name } });
    },
  },
  ...(['field', 'parent', ['/name']] as const).map(
    (send): Candidate => ({
      adapter: 'http',
      op: 'list_item',
      provider: { login: { base_url: 'https://api.login.example', auth: { header: 'X-Api-Key', value_env: 'LOGIN_APIKEY' } } },
      params: {
        api: 'login',
        parent: { path: '/config/auth', method: 'PATCH', send: typeof send === 'string' ? send : [...send] },
        list_path: '/origins',
        item: 'https://pr-7.example',
      },
      arrange: (sim) =>
        void sim.control.edit('rest.put', { path: '/api.login.example/config/auth', body: { name: 'main', origins: ['https://theirs.example'] } }),
    }),
  ),
  {
    adapter: 'http',
    op: 'list_item',
    provider: { flags: { base_url: 'https://api.flags.example', auth: { bearer_env: 'FLAGS_TOKEN' } } },
    params: {
      api: 'flags',
      parent: { path: '/flags/cart', method: 'PUT', send: 'parent' },
      list_path: '/rules',
      key_field: 'key',
      item: { key: 'pr-7', on: true, note: { secret: 'env://NOTE' } },
    },
    secrets: { 'env://NOTE': 'correct-horse-battery' },
    arrange: (sim) => void sim.control.edit('rest.put', { path: '/api.flags.example/flags/cart', body: { rules: [{ key: 'all', on: false }] } }),
  },
  {
    adapter: 'http',
    op: 'list_item',
    provider: { config: { base_url: 'https://api.config.example', auth: { bearer_env: 'CONFIG_TOKEN' } } },
    params: { api: 'config', parent: { path: '/config', method: 'PATCH' }, shape: 'map', list_path: '/vars', item: 'URL', value: { secret: 'env://NOTE' } },
    secrets: { 'env://NOTE': 'correct-horse-battery' },
    arrange: (sim) => void sim.control.edit('rest.put', { path: '/api.config.example/config', body: { vars: { OTHER: '1' } } }),
  },
  {
    adapter: 'http',
    op: 'list_item',
    provider: { config: { base_url: 'https://api.config.example', auth: { bearer_env: 'CONFIG_TOKEN' } } },
    params: { api: 'config', parent: { path: '/config', method: 'PATCH' }, shape: 'delimited', list_path: '/hosts', item: 'pr-7.example' },
    arrange: (sim) => void sim.control.edit('rest.put', { path: '/api.config.example/config', body: { hosts: 'a.example, b.example' } }),
  },
  { adapter: 'clerk', op: 'redirect_allow', provider: {}, params: { url: 'https://pr-7.acme.example/sso-callback' } },
];

for (const { adapter, op: name, provider, arrange, destroy = 'removes', secondCreate = 'refused', ...rest } of candidates) {
  const op = registry.find(adapter, name) as Op;
  describeOpContract({ ...rest, op, credential, destroy, secondCreate, world: () => simWorld(op, provider, arrange) });
}

it('every op of resources there is keeps the contract (R1.115)', () => {
  const ops = registry.adapters().flatMap((adapter) => registry.ops(adapter).map((name) => registry.find(adapter, name) as Op));
  const known = ops.filter((op) => !op.manual && !op.action && !op.stack && !adapters.includes(op)).map((op) => `${op.adapter}.${op.name}`);
  expect([...new Set(candidates.map(({ adapter, op }) => `${adapter}.${op}`))].sort()).toEqual(known.sort());
});
