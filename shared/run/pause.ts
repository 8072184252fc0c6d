import { createHash } from 'node:crypto';
import { absent, any, below } from '../table/condition.ts';
import { pauseKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import type { LineSpec } from './items.ts';
import type { JobWorld } from './world.ts';

/** The provider account a line talks to, as a name for its pause. */
const accountOf = (spec: Pick<LineSpec, 'provider' | 'account'>): string =>
  createHash('sha256')
    .update(JSON.stringify(spec.account ?? spec.provider))
    .digest('hex')
    .slice(0, 32);

/** When the provider may be asked again (epoch ms), after a long Retry-After; undefined: now. */
export async function pausedUntil(world: JobWorld, spec: Pick<LineSpec, 'adapter' | 'provider' | 'account'>): Promise<number | undefined> {
  const item = await world.table.get(pauseKey(spec.adapter, accountOf(spec)));
  const until = item?.['pausedUntil'];
  return typeof until === 'number' && until > world.clock.now() ? until : undefined;
}

/** Notes a long Retry-After where every job reads it after its claim. A later end wins. */
export async function pauseProvider(world: JobWorld, spec: Pick<LineSpec, 'adapter' | 'provider' | 'account'>, until: number): Promise<void> {
  const ttl = Math.ceil(until / 1000) + 3600;
  await write(world, pauseKey(spec.adapter, accountOf(spec)), { put: { pausedUntil: until, ttl } }, any(absent, below('pausedUntil', until)));
}
