import { type Grant, grantLease, type Lease, type Tenure, waitForLease } from '../lease/lease.ts';
import type { Run } from './items.ts';
import { queueStep } from './phase.ts';
import { logEvent } from './run-log.ts';
import { runScope } from './run-scope.ts';
import { freedStep, saveRun } from './run-store.ts';
import type { ControlWorld } from './world.ts';

/** What a run works under, and the run whose lease ran out under it. */
export interface Held {
  readonly tenure: Tenure;
  readonly tookOver?: string;
}

/** A run's lease, or undefined when the step ends here, because another run has it: the run comes back when that one is done. */
export async function awaitLease(world: ControlWorld, run: Run): Promise<Held | undefined> {
  for (;;) {
    const grant = await grantLease(world, runScope(run), run.id, { ttl: run.leaseTtlMs });
    if (grant.granted) return heldBy(grant);
    if ((await waitForLease(world, runScope(run), run.id, grant.lease)) === 'free') continue;
    await comeBack(world, run, grant.lease);
    return undefined;
  }
}

export const heldBy = ({ tenure, tookOver }: Extract<Grant, { granted: true }>): Held => (tookOver === undefined ? { tenure } : { tenure, tookOver });

/** One delayed message at a time, for the end of the lease that is in the way; SQS delays by 900 s at most. */
async function comeBack(world: ControlWorld, run: Run, lease: Lease): Promise<void> {
  const now = world.clock.now();
  const step = freedStep(run);
  const seconds = Math.min(900, Math.max(1, Math.ceil((lease.expiresAt + world.timing.skew - now) / 1000) + 1));
  const hasMessage = run.waitsUntil !== undefined && run.waitsUntil > now;
  await saveRun(world, run, hasMessage ? { step } : { step, waitsUntil: now + seconds * 1000 });
  if (hasMessage) return;
  await logEvent(world, run, 'waiting for the lease', { detail: `held by ${lease.holder}` });
  await queueStep(world, run, seconds);
}
