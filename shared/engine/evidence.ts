import { type Claim, isAbandoned, readClaim } from '../ledger/claim.ts';
import type { Entry, LedgerLine } from '../ledger/entry.ts';
import { type Identity, identityHash } from '../ledger/identity.ts';
import { readLedgerLine } from '../ledger/ledger-line.ts';
import { readRunLine } from '../run/run-store.ts';
import type { World } from '../run/world.ts';
import type { Ownership } from './judge.ts';

/** What the ledger and the claims say about one identity. */
export interface Standing {
  readonly entry: Entry | undefined;
  readonly owner: Ownership;
  /** The entry lies in a line that the plan no longer has: this line is its new name and takes it over. */
  readonly inherited?: { readonly from: LedgerLine; readonly claim: Claim };
}

interface Asking {
  readonly scope: string;
  readonly run: string;
  readonly line: string;
  /** This line's own part of the ledger; undefined before the first apply. */
  readonly ledger: LedgerLine | undefined;
  /** The scope whose entries an apply would take over before anything else: what it owns counts as ours. */
  readonly predecessor?: string | undefined;
}

/** Reads what is known of an identity: the own entry first, else its claim and, where that is dead or renamed, its owner's ledger line. */
export async function standing(world: World, asking: Asking, identity: Identity): Promise<Standing> {
  const entry = entryOf(asking.ledger, identity);
  if (entry?.takenFrom !== undefined) return halfTaken(world, asking, identity, entry);
  if (entry) return { entry, owner: { by: 'us' } };
  const claim = await readClaim(world, identity);
  if (!claim) return { entry: undefined, owner: { by: 'nobody' } };
  if (claim.scope === asking.scope) return standingInScope(world, asking, identity, claim);
  if (claim.scope === asking.predecessor) return standingBefore(world, identity, claim);
  if (await isAbandoned(world, claim, identity)) return { entry: undefined, owner: { by: 'nobody' } };
  return { entry: undefined, owner: { by: 'other', scope: claim.scope, line: claim.line } };
}

async function standingInScope(world: World, asking: Asking, identity: Identity, claim: Claim): Promise<Standing> {
  if (claim.line === asking.line) return { entry: undefined, owner: { by: 'us' } };
  const stillThere = await readRunLine(world.table, asking.run, claim.line);
  if (stillThere) return { entry: undefined, owner: { by: 'other', scope: claim.scope, line: claim.line } };
  const from = await readLedgerLine(world.table, claim.scope, claim.line);
  const entry = entryOf(from, identity);
  if (!from || !entry) return { entry: undefined, owner: { by: 'nobody' } };
  return { entry: { ...entry, takenFrom: from.line }, owner: { by: 'us' }, inherited: { from, claim } };
}

async function standingBefore(world: World, identity: Identity, claim: Claim): Promise<Standing> {
  const entry = entryOf(await readLedgerLine(world.table, claim.scope, claim.line), identity);
  return entry ? { entry, owner: { by: 'us' } } : { entry: undefined, owner: { by: 'nobody' } };
}

/** A death cut a hand-over off. While the old line still holds the entry, the rest of the hand-over is due. */
async function halfTaken(world: World, asking: Asking, identity: Identity, entry: Entry): Promise<Standing> {
  const claim = await readClaim(world, identity);
  const from = await readLedgerLine(world.table, asking.scope, entry.takenFrom as string);
  const due = claim?.scope === asking.scope && from !== undefined && entryOf(from, identity) !== undefined;
  return { entry, owner: { by: 'us' }, ...(due ? { inherited: { from, claim } } : {}) };
}

export function entryOf(line: LedgerLine | undefined, identity: Identity): Entry | undefined {
  const wanted = identityHash(identity);
  return line?.entries.find((entry) => entry.key === identity.key && identityHash(entry) === wanted);
}
