import { comesBack, LockkeeperError, type Problem } from '../errors/error.ts';
import { type Claim, dropClaim, readClaim } from '../ledger/claim.ts';
import { type Entry, isDeed, isIntent, type LedgerLine } from '../ledger/entry.ts';
import type { LineResult } from '../run/items.ts';
import { compare, fingerprint } from '../secrets/fingerprint.ts';
import { giveBack } from './give-back.ts';
import { type Holding, remembered, replaceEntry, resolveIntents } from './intents.ts';
import type { LiveResource } from './op.ts';
import { underParentLock } from './parent.ts';
import { takeBack } from './undo-deed.ts';

/** What became of one line that was undone or destroyed. Every list holds labels for people. */
export interface Undone {
  readonly ledger: LedgerLine;
  readonly destroyed: readonly string[];
  /** Adopted, made again outside, or moved to another place outside: forgotten and left, with what else is to be said of it. */
  readonly kept: readonly string[];
  /** Deleted although it was edited outside (R0.15, R0.18). */
  readonly changedOutside: readonly string[];
  /** A step that a person has to undo first. */
  readonly waitsFor?: Pick<LineResult, 'manual'>['manual'];
  readonly problem?: Problem;
}

/**
 * Destroys what one ledger line holds, newest first (R1.67). Adopted entries are never deleted: they get their first value back where it
 * is still ours to give, and are forgotten (R1.69). An entry
 * is re-read before its delete; one that was made again outside under another id is left (R0.20), and so is one
 * that was moved to where nobody was asked about it (I7). An entry without its claim
 * is a copy and is only forgotten (P4).
 *
 *     read claim ─▶ re-read ─▶ provider delete ─▶ entry out of the ledger ─▶ claim away, by the writeId read first (P4)
 *
 * @param only which entries; a rollback takes those its own run created.
 */
export async function undoLine(holding: Holding, only: (entry: Entry) => boolean): Promise<Undone> {
  const undone: Undone = { ledger: holding.ledger, destroyed: [], kept: [], changedOutside: [] };
  try {
    const ledger = await resolveIntents(holding, only);
    return await undoEntries({ ...holding, ledger }, only, { ...undone, ledger });
  } catch (error) {
    if (!(error instanceof LockkeeperError) || comesBack(error)) throw error;
    const code = holding.ledger.entries.some(isIntent) ? 'INTENT_UNRESOLVED' : error.code;
    return { ...undone, problem: { ...error.problem, code, message: `An interrupted create could not be looked for: ${error.message}` } };
  }
}

async function undoEntries(holding: Holding, only: (entry: Entry) => boolean, start: Undone): Promise<Undone> {
  let undone = start;
  const newestFirst = holding.ledger.entries.filter(only).sort((a, b) => (a.sequence < b.sequence ? 1 : -1));
  for (const entry of newestFirst) {
    try {
      undone = await underItsParent(holding, entry, () => undoEntry({ ...holding, ledger: undone.ledger }, entry, undone));
      if (undone.waitsFor) return undone;
    } catch (error) {
      if (!(error instanceof LockkeeperError) || comesBack(error)) throw error;
      const what = entry.createdBy === 'adopted' ? 'could not be given its first value back' : 'could not be deleted';
      return { ...undone, problem: { ...error.problem, message: `${entry.label} ${what}: ${error.message}` } };
    }
  }
  return undone;
}

/** The lock is that of the object recorded with the entry: the plan may name another by now, or be gone. */
function underItsParent<T>({ world, attempt }: Holding, { adapter, account, parent }: Entry, work: () => Promise<T>): Promise<T> {
  if (parent === undefined || attempt === undefined) return work();
  return underParentLock(world, { adapter, account, key: parent }, attempt, work);
}

async function undoEntry(holding: Holding, entry: Entry, undone: Undone): Promise<Undone> {
  const { world, scope, ledger } = holding;
  if (isDeed(entry)) return undoDeed(holding, entry, undone);
  const claim = await readClaim(world, entry);
  const isCopy = claim?.scope !== scope || claim.line !== ledger.line;
  if (isCopy) return forget(holding, entry, claim, undone);
  if (entry.createdBy === 'adopted') {
    const said = await giveBack(holding, entry);
    return forget(holding, entry, claim, { ...undone, kept: [...undone.kept, said === '' ? entry.label : `${entry.label} (${said})`] });
  }

  const { op, call } = await holding.callOf(entry);
  const live = await op.lookup(remembered(entry), call);
  const isGone = live === undefined && entry.id !== undefined;
  if (isGone && (await op.lookup(remembered({ ...entry, id: undefined }), call)))
    return forget(holding, entry, claim, { ...undone, kept: [...undone.kept, `${entry.label} (made again outside)`] });
  if (live?.moved) return forget(holding, entry, claim, { ...undone, kept: [...undone.kept, `${entry.label} (moved outside)`] });
  if (live) await op.destroy(live, call);
  const changed = live && isChanged(holding, entry, live) ? [...undone.changedOutside, entry.label] : undone.changedOutside;
  return forget(holding, entry, claim, { ...undone, destroyed: [...undone.destroyed, entry.label], changedOutside: changed });
}

/** A deed has no claim and nothing to look up: it is taken back as it says itself, then forgotten. */
async function undoDeed(holding: Holding, entry: Entry, undone: Undone): Promise<Undone> {
  const back = await takeBack(holding, entry);
  if (back.waitsFor) return { ...undone, waitsFor: back.waitsFor };
  const ledger = await replaceEntry(holding, entry, undefined);
  return { ...undone, ledger, destroyed: back.undone ? [...undone.destroyed, back.undone] : undone.destroyed };
}

function isChanged({ world }: Holding, entry: Entry, live: LiveResource): boolean {
  return (
    entry.fingerprint !== undefined && entry.kept === undefined && compare(entry.fingerprint, fingerprint(world.keys.fingerprint, live.hash)) === 'different'
  );
}

/** Entry first, then the claim as it was read before: the other way round another scope could claim what our ledger still holds. */
async function forget(holding: Holding, entry: Entry, claim: Claim | undefined, undone: Undone): Promise<Undone> {
  const ledger = await replaceEntry(holding, entry, undefined);
  const ours = claim?.scope === holding.scope && claim.line === ledger.line;
  if (ours) await dropClaim(holding.world, entry, claim);
  return { ...undone, ledger };
}
