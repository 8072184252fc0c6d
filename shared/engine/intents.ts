import type { Tenure } from '../lease/lease.ts';
import { dropClaim, readClaim, takeClaim } from '../ledger/claim.ts';
import { type Entry, isIntent, type LedgerLine, type Told } from '../ledger/entry.ts';
import { type Identity, identityHash } from '../ledger/identity.ts';
import { saveLedgerLine } from '../ledger/ledger-line.ts';
import type { Deadline } from '../run/deadline.ts';
import type { Run } from '../run/items.ts';
import type { World } from '../run/world.ts';
import { fingerprint } from '../secrets/fingerprint.ts';
import type { Judged } from './inspecting.ts';
import { carriesOurMark } from './judge.ts';
import type { Op, OpCall, Remembered } from './op.ts';
import type { Attempt } from './parent.ts';
import { storable } from './secret-in-identity.ts';

/** One ledger line, worked on from the ledger alone: rollback, destroy and settle need no plan. */
export interface Holding {
  readonly world: World;
  readonly run: Run;
  readonly scope: string;
  readonly tenure: Tenure;
  readonly guard: Deadline;
  readonly ledger: LedgerLine;
  /** Binds the op of an entry to the provider block recorded with it (R1.68). */
  readonly callOf: (entry: Entry) => Promise<{ op: Op; call: OpCall }>;
  /** Who takes the locks of parent objects that are written: whoever only looks needs none. */
  readonly attempt?: Attempt;
}

/**
 * Resolves the intents of a ledger line (P4): re-claim, then read the provider. Found with our mark: ours, recorded.
 * Found otherwise: somebody else's, the intent goes and the thing stays. Absent: the intent goes, then the claim.
 * Returns the line without intents.
 *
 * @throws LockkeeperError when the provider cannot be asked: the intent stays for the next run.
 */
export async function resolveIntents(holding: Holding, only: (entry: Entry) => boolean = () => true): Promise<LedgerLine> {
  let { ledger } = holding;
  for (const entry of ledger.entries.filter((one) => isIntent(one) && only(one))) {
    ledger = await resolveIntent({ ...holding, ledger }, entry);
  }
  return ledger;
}

async function resolveIntent(holding: Holding, intent: Entry): Promise<LedgerLine> {
  const { world, scope, ledger, guard } = holding;
  guard.beforeWrite(world.timing.storeTimeout);
  const claim = await takeClaim(world, intent, scope, ledger.line);
  if (!claim.ours) return replaceEntry(holding, intent, undefined);
  const { op, call } = await holding.callOf(intent);
  const live = await op.lookup(remembered({ ...intent, id: undefined }), call);
  const found = live && fingerprint(world.keys.fingerprint, live.hash);
  guard.beforeWrite(world.timing.storeTimeout);
  if (live && found && carriesOurMark(intent, live, found)) {
    const { foretells: _foretells, begunAt: _begunAt, ...kept } = intent;
    return replaceEntry(holding, intent, { ...kept, ...storable(world, live), fingerprint: found, createdBy: 'lockkeeper' });
  }
  const without = await replaceEntry(holding, intent, undefined);
  if (!live) await dropClaim(world, intent, { scope, line: ledger.line, writeId: claim.writeId });
  return without;
}

/** An entry as its op looks it up. */
export const remembered = ({ key, id, recall }: Pick<Entry, 'key' | 'recall'> & { readonly id?: string | undefined }): Remembered => ({
  key,
  ...(id === undefined ? {} : { id }),
  ...(recall === undefined ? {} : { recall }),
});

/** Replaces one entry of the line by another, or takes it out, with what is to be told of it. */
export async function replaceEntry(
  holding: Pick<Holding, 'world' | 'run' | 'scope' | 'tenure' | 'ledger'>,
  entry: Identity,
  next: Entry | undefined,
  told?: Told,
): Promise<LedgerLine> {
  const { world, run, scope, tenure, ledger } = holding;
  const wanted = identityHash(entry);
  const entries = ledger.entries.flatMap((one) => (identityHash(one) === wanted ? (next ? [next] : []) : [one]));
  return saveLedgerLine(world, scope, tenure, run.id, ledger, { entries, ...(told ? { told: { ...told, run: run.id } } : {}) });
}

/** Takes the intent of a create that was plainly refused out of the ledger, then its claim. */
export async function forgetIntent(holding: Pick<Holding, 'world' | 'run' | 'scope' | 'tenure' | 'ledger'>, { identity }: Judged): Promise<void> {
  const { world, scope } = holding;
  const claim = await readClaim(world, identity);
  const ledger = await replaceEntry(holding, identity, undefined);
  if (claim?.scope === scope && claim.line === ledger.line) await dropClaim(world, identity, claim);
}
