import type { Problem } from '../errors/error.ts';
import { grantLease, type Lease, type Tenure, waitForLease } from '../lease/lease.ts';
import { closeEarly } from './close-early.ts';
import type { Run } from './items.ts';
import { queueStep } from './phase.ts';
import { logEvent } from './run-log.ts';
import { runScope } from './run-scope.ts';
import { saveRun } from './run-store.ts';
import type { ControlWorld } from './world.ts';

/** A run's lease, or undefined when the step ends here: it is busy, and the run waits for it or ends. */
export async function takeLease(world: ControlWorld, run: Run): Promise<{ tenure: Tenure; tookOver?: string } | undefined> {
  for (;;) {
    const grant = await grantLease(world, runScope(run), run.id);
    if (grant.granted) return grant.tookOver === undefined ? { tenure: grant.tenure } : { tenure: grant.tenure, tookOver: grant.tookOver };
    if (run.options.busy === 'fail') {
      await closeEarly(world, run, 'failed', 'The lease is held.', leaseHeld(grant.lease));
      return undefined;
    }
    if ((await waitForLease(world, runScope(run), run.id, grant.lease)) === 'free') continue;
    await comeBack(world, run, grant.lease);
    return undefined;
  }
}

/** One delayed message at a time, for the end of the lease that is in the way; SQS delays by 900 s at most. */
async function comeBack(world: ControlWorld, run: Run, lease: Lease): Promise<void> {
  const now = world.clock.now();
  const step = { attempt: run.step?.attempt ?? 0, until: 0 };
  const seconds = Math.min(900, Math.max(1, Math.ceil((lease.expiresAt + world.timing.skew - now) / 1000) + 1));
  const hasMessage = run.waitsUntil !== undefined && run.waitsUntil > now;
  await saveRun(world, run, hasMessage ? { step } : { step, waitsUntil: now + seconds * 1000 });
  if (hasMessage) return;
  await logEvent(world, run, 'waiting for the lease', { detail: `held by ${lease.holder}` });
  await queueStep(world, run, seconds);
}

function leaseHeld(lease: Lease): Problem {
  const [since, until] = [lease.grantedAt, lease.expiresAt].map((at) => new Date(at).toISOString());
  const message = `Run ${lease.holder} has held the lease since ${since}, until ${until} at the latest.`;
  return { code: 'LOCK_HELD', message, details: { holder: lease.holder, since, until } };
}
