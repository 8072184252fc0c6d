import type { Effect } from '../approvals/effect.ts';
import { comesBack, LockkeeperError, type Problem } from '../errors/error.ts';
import { type Claim, dropClaim, readClaim } from '../ledger/claim.ts';
import { type Entry, isDeed, isIntent, type LedgerLine, type Told } from '../ledger/entry.ts';
import type { LineResult } from '../run/items.ts';
import { fingerprint } from '../secrets/fingerprint.ts';
import { giveBack } from './give-back.ts';
import { type Holding, remembered, replaceEntry, resolveIntents } from './intents.ts';
import { underParentLock } from './parent.ts';
import { deletion, isEdited, newestFirst } from './removal-effects.ts';
import { takeBack } from './undo-deed.ts';

interface Undoing extends Holding {
  readonly mayWrite: (effect: Effect) => boolean;
}

/** What became of one line that was undone or destroyed, by this attempt and by those of its run before. */
export interface Undone extends Told {
  readonly ledger: LedgerLine;
  /** A step that a person has to undo first. */
  readonly waitsFor?: Pick<LineResult, 'manual'>['manual'];
  /** Something of it is not as people approved it: that was not touched, and nothing after it. */
  readonly moved?: true;
  readonly problem?: Problem;
}

/**
 * Destroys what one ledger line holds, newest first (R1.67). Adopted entries are never deleted: they get their first value back where it
 * is still ours to give, and are forgotten (R1.69). An entry
 * is re-read before its delete; one that was made again outside under another id is left (R0.20), and so is one
 * that was moved to where nobody was asked about it (I7). An entry without its claim
 * is a copy and is only forgotten (P4).
 *
 *     read claim ─▶ re-read ─▶ provider delete ─▶ entry out of the ledger, told ─▶ claim away, by the writeId read first (P4)
 *
 * What is to be told of an entry is written with the very write that takes it out: a death after that finds it there.
 *
 * @param only which entries; a rollback takes those its own run created.
 * @param mayWrite where people were asked: whether an effect, as it was found right now, is among what they approved.
 */
export async function undoLine(base: Holding, only: (entry: Entry) => boolean, mayWrite: (effect: Effect) => boolean = () => true): Promise<Undone> {
  const holding = { ...base, mayWrite };
  const undone: Undone = { ...toldBefore(holding), ledger: holding.ledger };
  try {
    const ledger = await resolveIntents(holding, only);
    return await undoEntries({ ...holding, ledger }, only, { ...undone, ledger });
  } catch (error) {
    if (!(error instanceof LockkeeperError) || comesBack(error)) throw error;
    const code = holding.ledger.entries.some(isIntent) ? 'INTENT_UNRESOLVED' : error.code;
    return { ...undone, problem: { ...error.problem, code, message: `An interrupted create could not be looked for: ${error.message}` } };
  }
}

/** What earlier attempts and rounds of this run told. */
function toldBefore({ run, ledger: { told } }: Holding): Told {
  if (told?.run !== run.id) return { destroyed: [], kept: [], changedOutside: [] };
  const { run: _run, ...lists } = told;
  return lists;
}

async function undoEntries(holding: Undoing, only: (entry: Entry) => boolean, start: Undone): Promise<Undone> {
  let undone = start;
  for (const entry of newestFirst(holding.ledger, only)) {
    try {
      undone = await underItsParent(holding, entry, () => undoEntry({ ...holding, ledger: undone.ledger }, entry, undone));
      if (undone.waitsFor || undone.moved) return undone;
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

async function undoEntry(holding: Undoing, entry: Entry, undone: Undone): Promise<Undone> {
  const { world, scope, ledger } = holding;
  if (isDeed(entry)) return undoDeed(holding, entry, undone);
  const claim = await readClaim(world, entry);
  const isCopy = claim?.scope !== scope || claim.line !== ledger.line;
  if (isCopy) return forget(holding, entry, claim, undone);
  if (entry.createdBy === 'adopted') {
    const said = await giveBack(holding, entry, holding.mayWrite);
    if (said === 'moved') return { ...undone, moved: true };
    return forget(holding, entry, claim, { ...undone, kept: [...undone.kept, `${entry.label} (${said})`] });
  }

  const { op, call } = await holding.callOf(entry);
  const live = await op.lookup(remembered(entry), call);
  const isGone = live === undefined && entry.id !== undefined;
  if (isGone && (await op.lookup(remembered({ ...entry, id: undefined }), call)))
    return forget(holding, entry, claim, { ...undone, kept: [...undone.kept, `${entry.label} (made again outside)`] });
  if (live?.moved) return forget(holding, entry, claim, { ...undone, kept: [...undone.kept, `${entry.label} (moved outside)`] });
  const found = live && fingerprint(world.keys.fingerprint, live.hash);
  if (found && !holding.mayWrite(deletion(entry, found))) return { ...undone, moved: true };
  const changed = found ? isEdited(entry, found) : entry.deletedThough === holding.run.id;
  const marked = live && changed ? await markChanged(holding, entry) : ledger;
  if (live) await op.destroy(live, call);
  const changedOutside = changed ? [...undone.changedOutside, entry.label] : undone.changedOutside;
  return forget({ ...holding, ledger: marked }, entry, claim, { ...undone, destroyed: [...undone.destroyed, entry.label], changedOutside });
}

/** Once it is deleted nobody can see any more that it was edited: that is written down first. */
function markChanged(holding: Holding, entry: Entry): Promise<LedgerLine> {
  holding.guard.beforeWrite(holding.world.timing.storeTimeout);
  return replaceEntry(holding, entry, { ...entry, deletedThough: holding.run.id });
}

/** A deed has no claim and nothing to look up: it is taken back as it says itself, then forgotten. */
async function undoDeed(holding: Undoing, entry: Entry, undone: Undone): Promise<Undone> {
  const back = await takeBack(holding, entry, holding.mayWrite);
  if (back.moved) return { ...undone, moved: true };
  if (back.waitsFor) return { ...undone, waitsFor: back.waitsFor };
  return takeOut(holding, entry, { ...undone, destroyed: back.undone ? [...undone.destroyed, back.undone] : undone.destroyed });
}

/** Entry first, then the claim as it was read before: the other way round another scope could claim what our ledger still holds. */
async function forget(holding: Holding, entry: Entry, claim: Claim | undefined, undone: Undone): Promise<Undone> {
  const gone = await takeOut(holding, entry, undone);
  const ours = claim?.scope === holding.scope && claim.line === gone.ledger.line;
  if (ours) await dropClaim(holding.world, entry, claim);
  return gone;
}

async function takeOut(holding: Holding, entry: Entry, undone: Undone): Promise<Undone> {
  const { destroyed, kept, changedOutside } = undone;
  return { ...undone, ledger: await replaceEntry(holding, entry, undefined, { destroyed, kept, changedOutside }) };
}
