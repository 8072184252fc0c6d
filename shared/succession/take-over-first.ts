import { grantLease } from '../lease/lease.ts';
import { ensureHead } from '../ledger/head.ts';
import type { Run } from '../run/items.ts';
import { releaseAndWake } from '../run/release.ts';
import { runAddress, runScope } from '../run/run-scope.ts';
import type { ControlWorld } from '../run/world.ts';
import { judgeWorld } from '../run/world-judgement.ts';
import { predecessorOf } from './predecessor.ts';
import { takeOver } from './take-over.ts';

/**
 * The same for a run that asks before it writes, before the ledger is read that its plan stands on: people are asked about what is left to do
 * with everything the pull request manages in its own scope, and nothing moves under their decision. The lease is given back at once; one
 * that is held leaves the hand-over to the next run.
 */
export async function takeOverFirst(world: ControlWorld, run: Run): Promise<void> {
  if (!(await predecessorOf(world, run))) return;
  const grant = await grantLease(world, runScope(run), run.id);
  if (!grant.granted) return;
  await ensureHead(world, runAddress(run), grant.tenure);
  if ((await judgeWorld(world, run)).is === 'apply') await takeOver(world, run, grant.tenure);
  await releaseAndWake(world, run);
}
