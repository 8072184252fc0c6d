import { isLive, type LeaseWorld, readLease } from '../lease/lease.ts';
import type { Item } from '../ports/table.ts';
import { absent, all, equal } from '../table/condition.ts';
import { isText, refuseDamaged } from '../table/damaged.ts';
import { claimKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import { type Identity, identityHash } from './identity.ts';
import { readLedgerLine } from './ledger-line.ts';

/** The global record saying which scope and line own an identity. */
export interface Claim {
  readonly scope: string;
  readonly line: string;
  readonly writeId: string;
}

export type ClaimAnswer = { readonly ours: true; readonly writeId: string } | { readonly ours: false; readonly owner: Claim };

const sameOwner = (claim: Claim, scope: string, line: string): boolean => claim.scope === scope && claim.line === line;

export async function readClaim(world: LeaseWorld, identity: Identity): Promise<Claim | undefined> {
  return claimOf(await world.table.get(claimKey(identityHash(identity))));
}

/**
 * Makes `scope` and `line` the owner of an identity before anything about it is written or sent (P4).
 * Already ours: still a write with a fresh writeId, so that whoever saw the old one cannot steal it any more.
 * Somebody else's: taken only when its owner has neither an entry for it nor a live lease. The live lease of our own scope is ours:
 * there the owner is a line that nobody works on.
 *
 * @param isIdle whether a line of our own scope is none of those that our run works on.
 */
export async function takeClaim(
  world: LeaseWorld,
  identity: Identity,
  scope: string,
  line: string,
  isIdle: (line: string) => Promise<boolean> = async () => false,
): Promise<ClaimAnswer> {
  const key = claimKey(identityHash(identity));
  const owner = { scope, line, identity: { ...identity } };
  for (;;) {
    const claim = await readClaim(world, identity);
    const mayTake = claim === undefined || sameOwner(claim, scope, line) || (await isLeft(world, claim, identity, scope, isIdle));
    if (!mayTake) return { ours: false, owner: claim };
    const taken = await write(world, key, { put: owner }, claim ? equal('writeId', claim.writeId) : absent);
    if (taken.won) return { ours: true, writeId: taken.writeId };
  }
}

/** Of a line in our own scope no late worker can make an entry any more: our lease is sealed. */
async function isLeft(world: LeaseWorld, claim: Claim, identity: Identity, scope: string, isIdle: (line: string) => Promise<boolean>): Promise<boolean> {
  if (claim.scope !== scope) return isAbandoned(world, claim, identity);
  return (await isIdle(claim.line)) && !(await hasEntry(world, claim, identity));
}

/**
 * Read in this order, strongly: claim, then lease, then ledger line. Entry first would miss one that the owner records
 * just before its lease runs out (P4).
 */
export async function isAbandoned(world: LeaseWorld, claim: Claim, identity: Identity): Promise<boolean> {
  if (isLive(await readLease(world, claim.scope), world.clock.now())) return false;
  return !(await hasEntry(world, claim, identity));
}

async function hasEntry(world: LeaseWorld, claim: Claim, identity: Identity): Promise<boolean> {
  const line = await readLedgerLine(world.table, claim.scope, claim.line);
  const wanted = identityHash(identity);
  return line?.entries.some((entry) => identityHash(entry) === wanted) === true;
}

/** Moves a claim to another line, of the same scope unless another is named, on condition of the claim that was seen. */
export async function moveClaim(world: LeaseWorld, identity: Identity, seen: Claim, line: string, scope: string = seen.scope): Promise<boolean> {
  const key = claimKey(identityHash(identity));
  const { adapter, account } = identity;
  const owner = { scope, line, identity: { adapter, account, key: identity.key } };
  const result = await write(world, key, { put: owner }, equal('writeId', seen.writeId));
  return result.won;
}

/** Removes a claim on condition of the writeId that was read before its entry was removed: by owner would take a successor's. */
export async function dropClaim(world: LeaseWorld, identity: Identity, seen: Claim): Promise<void> {
  await write(world, claimKey(identityHash(identity)), { delete: true }, all(equal('writeId', seen.writeId)));
}

function claimOf(item: Item | undefined): Claim | undefined {
  if (item) refuseDamaged(item, `The claim ${item.pk}`, 1, ({ scope, line, writeId }) => isText(scope) && isText(line) && isText(writeId));
  return item && { scope: item['scope'] as string, line: item['line'] as string, writeId: item['writeId'] as string };
}
