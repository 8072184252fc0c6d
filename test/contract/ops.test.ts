import { expect, it } from 'vitest';
import { registry } from '../../shared/adapters/registry.ts';
import type { Op } from '../../shared/engine/op.ts';
import type { Params, Scalar } from '../../shared/plan/types.ts';
import { demo } from '../sim/seed.ts';
import type { Sim } from '../sim/sim.ts';
import { describeOpContract, type OpTrial } from './op-contract.ts';
import { credential, simWorld } from './sim-world.ts';

interface Candidate {
  readonly adapter: string;
  readonly op: string;
  readonly provider: Readonly<Record<string, Scalar>>;
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
  { adapter: 'clerk', op: 'redirect_allow', provider: {}, params: { url: 'https://pr-7.acme.example/sso-callback' } },
];

for (const { adapter, op: name, provider, arrange, destroy = 'removes', secondCreate = 'refused', ...rest } of candidates) {
  const op = registry.find(adapter, name) as Op;
  describeOpContract({ ...rest, op, credential, destroy, secondCreate, world: () => simWorld(op, provider, arrange) });
}

it('every op there is keeps the contract (R1.115)', () => {
  const known = registry.adapters().flatMap((adapter) => registry.ops(adapter).map((op) => `${adapter}.${op}`));
  expect(candidates.map(({ adapter, op }) => `${adapter}.${op}`).sort()).toEqual(known.sort());
});
