import type { Problem } from '../errors/error.ts';
import { absent } from '../table/condition.ts';
import { logKey, logPrefix, runPartition } from '../table/keys.ts';
import { write } from '../table/write.ts';
import type { JobWorld } from './world.ts';

/** How long run items are kept, seconds: 90 days. */
export const runLifetime = 90 * 24 * 3600;

/** One entry of a run's log. `event` is from a closed list; text was masked before it got here. */
export interface RunEvent {
  readonly at: string;
  readonly event:
    | 'created'
    | 'prepared'
    | 'took over'
    | 'waiting for the lease'
    | 'inherited'
    | 'rolling back'
    | 'resumed'
    | 'died'
    | 'settled'
    | 'cancelled'
    | 'withdrawn'
    | 'asked'
    | 'decision ignored'
    | 'decided'
    | 'plan.stale'
    | 'glass broken'
    | 'rechecking'
    | 'surface failed'
    | 'stack locked'
    | 'fenced out';
  readonly round: number;
  readonly problem?: Problem;
  readonly detail?: string;
}

/** Appends to the run's log in the table. The log is for people: a lost append stops nothing. */
export async function logEvent(
  world: JobWorld,
  run: { id: string; round: number },
  event: RunEvent['event'],
  more: Pick<RunEvent, 'problem' | 'detail'> = {},
): Promise<void> {
  const now = world.clock.now();
  const entry = { at: new Date(now).toISOString(), event, round: run.round, ...more };
  await write(world, logKey(run.id, world.ids.fresh()), { put: { ...entry, ttl: Math.floor(now / 1000) + runLifetime } }, absent);
}

/** A run's log, oldest first. */
export async function readLog(world: Pick<JobWorld, 'table'>, run: string): Promise<RunEvent[]> {
  const items = await world.table.query(runPartition(run), logPrefix);
  return items.map(({ pk: _pk, sk: _sk, writeId: _writeId, ttl: _ttl, ...event }) => event as unknown as RunEvent);
}
