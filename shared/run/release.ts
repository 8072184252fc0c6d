import { isUnreadable, problemOf } from '../errors/error.ts';
import { releaseLease } from '../lease/lease.ts';
import type { Run } from './items.ts';
import { queueStep } from './phase.ts';
import { runScope } from './run-scope.ts';
import { readRun } from './run-store.ts';
import type { JobWorld } from './world.ts';

/**
 * Gives the lease back and wakes the newest of the runs that waited for it. The others have a delayed message each, and
 * find then that the newest one took their place (P3). The scope is the run's own, unless it works in another beside it.
 */
export async function releaseAndWake(world: JobWorld, run: Run, scope: string = runScope(run)): Promise<void> {
  const waiters = await waitersOf(world, run, scope);
  const runs = await Promise.all(waiters.map((id) => readRun(world.table, id)));
  const waiting = runs.filter((one) => one?.phase === 'preparing' || one?.phase === 'guarding' || one?.phase === 'settling');
  const newest = waiting.sort((a, b) => ((a as Run).startedAt < (b as Run).startedAt ? 1 : -1))[0];
  if (newest) await queueStep(world, newest);
}

/** A lease that is damaged cannot be given back; it is in the way of every later run, which says so. */
async function waitersOf(world: JobWorld, run: Run, scope: string): Promise<readonly string[]> {
  try {
    return await releaseLease(world, scope, run.id);
  } catch (error) {
    const { code, message } = problemOf(error);
    if (!isUnreadable(code)) throw error;
    world.log.error('a lease could not be given back', { run: run.id, code, message });
    return [];
  }
}
