import type { Clock } from '../ports/clock.ts';
import type { Item } from '../ports/table.ts';
import type { EndsJobs } from '../stacks/end-recorded.ts';
import { absent, all, any, atMost, below, equal, has, present } from '../table/condition.ts';
import { isNumber, isText, refuseDamaged } from '../table/damaged.ts';
import { leaseKey, scopeText } from '../table/keys.ts';
import { write } from '../table/write.ts';
import { sealScope } from './seal.ts';

/** The right to write in a scope, as the table holds it. Instants are epoch milliseconds by the granter's clock. */
export interface Lease {
  /** +1 at every grant, never reset: the item survives release. */
  readonly fence: number;
  /** The run that has it, or had it last. */
  readonly holder: string;
  readonly grantedAt: number;
  readonly expiresAt: number;
  readonly released: boolean;
  /** Equals `fence` once every ledger line and the head carry this fence. */
  readonly sealedAt: number;
  /** Runs that wait for the release. */
  readonly waiters: readonly string[];
  /** How long it stands without renewal, ms, where policy says so; else as the stack was deployed. */
  readonly ttl?: number;
}

/** What a holder works under: the fence its writes carry and the instant, on the own clock, by which each must have ended. */
export interface Tenure {
  readonly fence: number;
  readonly deadline: number;
}

export interface LeaseWorld extends EndsJobs {
  readonly clock: Clock;
  readonly timing: { readonly leaseTtl: number; readonly skew: number; readonly leastLeaseTtl?: number };
}

/** How a lease is granted. */
export interface GrantAs {
  /** The highest fence that is known to have been granted, where the lease item itself may be gone (a recovery). */
  readonly floor?: number;
  /** How long it stands without renewal, ms, where policy says so. It goes with the lease: whoever renews it knows no policy. */
  readonly ttl?: number | undefined;
}

export type Grant =
  | { readonly granted: true; readonly tenure: Tenure /** The run whose lease ran out under it. */; readonly tookOver?: string }
  | { readonly granted: false; readonly lease: Lease };

export type Entry = { readonly ours: true; readonly tenure: Tenure } | { readonly ours: false; readonly lease: Lease | undefined };

export async function readLease(world: LeaseWorld, scope: string): Promise<Lease | undefined> {
  return leaseOf(await world.table.get(leaseKey(scope)));
}

export const isLive = (lease: Lease | undefined, now: number): boolean => lease !== undefined && !lease.released && now <= lease.expiresAt;

/**
 * A fresh grant, for prepare and guard alone; whatever was judged before it is judged again (P3).
 * Absent, released or expired: fence + 1. Live and ours: the same fence, so that a duplicate does not fence the run out
 * of its own lease. The scope is sealed before the grant is returned.
 */
export async function grantLease(world: LeaseWorld, scope: string, run: string, as: GrantAs = {}): Promise<Grant> {
  const sent = world.clock.now();
  const lease = await readLease(world, scope);
  if (lease && isLive(lease, sent)) {
    if (lease.holder !== run) return { granted: false, lease };
    return settleGrant(world, scope, run, lease, sent);
  }
  const fence = Math.max(lease?.fence ?? 0, as.floor ?? 0) + 1;
  const next = { holder: run, fence, grantedAt: sent, expiresAt: sent + ttlOf(world, as), ...(as.ttl !== undefined && { ttl: as.ttl }) };
  const free = lease ? all(equal('fence', lease.fence), any(has('released'), atMost('expiresAt', sent))) : absent;
  const change = lease ? { set: next, remove: ['released', ...(as.ttl === undefined ? ['ttl'] : [])] } : { put: { ...next, sealedAt: 0 } };
  const result = await write(world, leaseKey(scope), change, free);
  if (!result.won) return grantLease(world, scope, run, as);
  await seal(world, scope, run, fence);
  const tookOver = lease && !lease.released && lease.holder !== run ? { tookOver: lease.holder } : {};
  return { granted: true, tenure: tenureOf(world, { fence, expiresAt: next.expiresAt, ...as }, sent), ...tookOver };
}

/**
 * How every other job comes under its run's lease: fence and holder are read from the item, never from a message (P3).
 * Ours and live: work, renewed when less than two thirds is left. Ours but run out, and nobody took it: granted again.
 * Holder is another run: taken, be the lease live, expired or released.
 */
export async function enterLease(world: LeaseWorld, scope: string, run: string): Promise<Entry> {
  const sent = world.clock.now();
  const lease = await readLease(world, scope);
  if (lease?.holder !== run) return { ours: false, lease };
  if (isLive(lease, sent)) return { ours: true, tenure: (await settleGrant(world, scope, run, lease, sent)).tenure };
  const fence = lease.fence + 1;
  const expiresAt = sent + ttlOf(world, lease);
  const again = { set: { fence, grantedAt: sent, expiresAt }, remove: ['released'] };
  const result = await write(world, leaseKey(scope), again, all(equal('holder', run), equal('fence', lease.fence)));
  if (!result.won) return enterLease(world, scope, run);
  await seal(world, scope, run, fence);
  return { ours: true, tenure: tenureOf(world, { ...lease, fence, expiresAt }, sent) };
}

/** Seals a live lease of our own that a crash left unsealed, and renews it when less than two thirds is left. */
async function settleGrant(world: LeaseWorld, scope: string, run: string, lease: Lease, sent: number): Promise<{ granted: true; tenure: Tenure }> {
  if (lease.sealedAt !== lease.fence) await seal(world, scope, run, lease.fence);
  const left = lease.expiresAt - sent;
  if (left >= (ttlOf(world, lease) * 2) / 3) return { granted: true, tenure: tenureOf(world, lease, sent) };
  const expiresAt = sent + ttlOf(world, lease);
  const longer = all(equal('holder', run), equal('fence', lease.fence), below('expiresAt', expiresAt));
  const result = await write(world, leaseKey(scope), { set: { expiresAt } }, longer);
  return { granted: true, tenure: tenureOf(world, result.won ? { ...lease, expiresAt } : lease, sent) };
}

async function seal(world: LeaseWorld, scope: string, run: string, fence: number): Promise<void> {
  await sealScope(world, scope, run, fence);
  await write(world, leaseKey(scope), { set: { sealedAt: fence } }, all(equal('holder', run), equal('fence', fence)));
}

/** min(sent + TTL, expiresAt) − 2 × skew: a holder stops before anybody else may start. */
function tenureOf(world: LeaseWorld, lease: { fence: number; expiresAt: number; ttl?: number | undefined }, sent: number): Tenure {
  return { fence: lease.fence, deadline: Math.min(sent + ttlOf(world, lease), lease.expiresAt) - 2 * world.timing.skew };
}

/** Never below what this stack's own work needs, whatever was said when it was deployed otherwise (P3). */
const ttlOf = ({ timing }: LeaseWorld, { ttl }: { ttl?: number | undefined }): number =>
  ttl === undefined ? timing.leaseTtl : Math.max(ttl, timing.leastLeaseTtl ?? 0);

/**
 * Notes a run as waiting, on condition that the lease is still held under the fence seen; otherwise it is free by now and
 * the grant should be tried again. Trying first and noting afterwards would lose the wake-up.
 */
export async function waitForLease(world: LeaseWorld, scope: string, run: string, seen: Lease): Promise<'waiting' | 'free'> {
  const held = all(equal('fence', seen.fence), { is: 'attributeAbsent', attribute: 'released' });
  const result = await write(world, leaseKey(scope), { add: { waiters: [run] } }, held);
  return result.won ? 'waiting' : 'free';
}

/** Gives the lease back. Returns the runs that waited; the item stays, so that the fence never starts again. */
export async function releaseLease(world: LeaseWorld, scope: string, run: string): Promise<readonly string[]> {
  const lease = await readLease(world, scope);
  if (lease === undefined || lease.holder !== run || lease.released) return [];
  const result = await write(
    world,
    leaseKey(scope),
    { set: { released: true }, remove: ['waiters'] },
    all(present, equal('holder', run), equal('fence', lease.fence)),
  );
  if (!result.won) return [];
  return leaseOf(result.before)?.waiters ?? lease.waiters;
}

function leaseOf(item: Item | undefined): Lease | undefined {
  if (item === undefined) return undefined;
  refuseDamaged(item, `The lease of ${scopeText(item.pk)}`, 1, isLease);
  return {
    fence: item['fence'] as number,
    holder: item['holder'] as string,
    grantedAt: item['grantedAt'] as number,
    expiresAt: item['expiresAt'] as number,
    released: item['released'] === true,
    sealedAt: item['sealedAt'] as number,
    waiters: [...((item['waiters'] as Set<string> | undefined) ?? [])].sort(),
    ...(typeof item['ttl'] === 'number' && { ttl: item['ttl'] }),
  };
}

/** A release is said by `true` or by nothing: what is neither would be held to one writer and free to the next, for ever. */
const isLease = ({ fence, holder, expiresAt, sealedAt, released, waiters }: Item): boolean =>
  isNumber(fence) &&
  isText(holder) &&
  isNumber(expiresAt) &&
  isNumber(sealedAt) &&
  (released === undefined || released === true) &&
  (waiters === undefined || waiters instanceof Set);
