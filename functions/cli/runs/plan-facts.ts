import { isLive, readLease } from '../../../shared/lease/lease.ts';
import type { Run } from '../../../shared/run/items.ts';
import { runScope } from '../../../shared/run/run-scope.ts';
import type { Store } from '../folder/store.ts';

/** What only a plan tells. */
export interface PlanFacts {
  readonly planHash: string;
  readonly requiresApproval: boolean;
  /** The protected environments that an apply of it would write: each has a say. */
  readonly protects: readonly string[];
  /** Who is at work in the scope. A plan takes no lease, so it is somebody else. */
  readonly lock: { readonly holder: string; readonly acquiredAt: string; readonly expiresAt: string } | null;
}

/** The facts of a plan that has ended; undefined of any other run, and of a plan that found no plan file. */
export async function planFacts(store: Store, run: Run): Promise<PlanFacts | undefined> {
  const { intent, plan, protects = [] } = run;
  if (intent !== 'plan' || plan.hash === undefined) return undefined;
  return { planHash: plan.hash, requiresApproval: protects.length > 0, protects, lock: await lockOf(store, runScope(run)) };
}

async function lockOf(store: Store, scope: string): Promise<PlanFacts['lock']> {
  const lease = await readLease(store, scope);
  if (!lease || !isLive(lease, store.clock.now())) return null;
  return { holder: lease.holder, acquiredAt: new Date(lease.grantedAt).toISOString(), expiresAt: new Date(lease.expiresAt).toISOString() };
}
