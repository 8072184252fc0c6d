/** What happens behind Lockkeeper's back: at the providers, in the secret store, in the bucket and the table. */
import { z } from 'zod';
import { latestKey } from '../../../shared/receipts/chain.ts';
import { scopeKey } from '../../../shared/table/keys.ts';
import { demo } from '../../sim/seed.ts';
import { editNames } from '../edit-names.ts';
import { move } from '../move.ts';
import { makeEdits, pullOf, type Stage, setSecret } from '../stage.ts';

/** Where the scope of the pull request at hand keeps its things. */
export function scopeAtHand(stage: Stage, environment?: string): string {
  const { number, branch } = pullOf(stage);
  const scope = branch === 'main' ? 'main' : `pr-${number}`;
  return scopeKey({ repository: String(demo.repositoryId), plan: 'main', environment: environment ?? (scope === 'main' ? 'production' : 'preview'), scope });
}

export const world = {
  /** What somebody does at a provider or on GitHub; nobody is told. */
  edit: move(z.array(z.partialRecord(z.enum(editNames), z.record(z.string(), z.unknown()))), async (stage, wanted) => {
    makeEdits(stage, wanted);
    return {};
  }),
  /** Values in the secret store from now on; null takes one away. */
  secrets: move(z.record(z.string(), z.string().nullable()), async (stage, values) => {
    for (const [name, value] of Object.entries(values)) setSecret(stage, name, value);
    return {};
  }),
  /** Somebody overwrites the scope's newest receipt: with this text, or with fields of it changed. */
  tamper: move(z.union([z.string(), z.record(z.string(), z.unknown())]), async (stage, change) => {
    const key = latestKey(scopeAtHand(stage));
    const body = stage.house.bucket.bodies(key).at(-1);
    if (body === undefined) throw new Error(`there is no ${key}`);
    stage.house.bucket.plant(key, typeof change === 'string' ? change : JSON.stringify({ ...(JSON.parse(body) as object), ...change }));
    return {};
  }),
  /** Another run holds the scope's lease for so many minutes, and is never heard of again. */
  held: move(z.number(), async (stage, minutes) => {
    const now = stage.house.clock.now();
    const key = { pk: `SCOPE#${scopeAtHand(stage)}`, sk: 'LEASE' };
    const lease = { fence: 7, holder: 'somebody-else', grantedAt: now, expiresAt: now + minutes * 60_000, sealedAt: 7, writeId: 'held' };
    await stage.house.memory.table.write(key, { put: lease }, { is: 'always' });
    return {};
  }),
} as const;
