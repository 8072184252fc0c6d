import type { Problem } from '../errors/error.ts';
import { grantLease, type Lease } from '../lease/lease.ts';
import { inEnvironment } from '../policy/policy.ts';
import type { Policy } from '../policy/types.ts';
import { awaitLease, type Held, heldBy } from './await-lease.ts';
import { closeEarly } from './close-early.ts';
import type { Run } from './items.ts';
import { runScope } from './run-scope.ts';
import type { ControlWorld } from './world.ts';

/** A run's lease, or undefined when the step ends here: it is busy, and the run waits for it or ends. */
export async function takeLease(world: ControlWorld, run: Run): Promise<Held | undefined> {
  if (run.options.busy === 'wait') return awaitLease(world, run);
  const grant = await grantLease(world, runScope(run), run.id, { ttl: run.leaseTtlMs });
  if (grant.granted) return heldBy(grant);
  await closeEarly(world, run, 'failed', 'The lease is held.', leaseHeld(grant.lease));
  return undefined;
}

/** The run, under a lease that stands as long as policy wants it to in its environment. */
export function withLeaseTtl(run: Run, policy: Policy): Run {
  const { leaseTtlMs } = inEnvironment(policy, run.environment);
  return leaseTtlMs === undefined ? run : { ...run, leaseTtlMs };
}

export function leaseHeld(lease: Lease): Problem {
  const [since, until] = [lease.grantedAt, lease.expiresAt].map((at) => new Date(at).toISOString());
  const message = `Run ${lease.holder} has held the lease since ${since}, until ${until} at the latest.`;
  return { code: 'LOCK_HELD', message, details: { holder: lease.holder, since, until } };
}
