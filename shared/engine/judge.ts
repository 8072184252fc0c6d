import type { Problem } from '../errors/error.ts';
import { type Entry, isIntent } from '../ledger/entry.ts';
import type { DriftItem } from '../run/report.ts';
import type { ScannedResource } from '../scans/scanned-line.ts';
import { compare, type Fingerprint } from '../secrets/fingerprint.ts';
import { type Edit, editedOutside } from './edited-outside.ts';
import type { LiveResource, Op, ResourceChange } from './op.ts';
import { ownedByOther } from './owned-by-other.ts';
import { type WaysOn, waysFromUnknown } from './ways-on.ts';

/** Who owns an identity, as its claim says: nobody (or an owner that left nothing), this line, or somebody else. */
export type Ownership = { readonly by: 'nobody' } | { readonly by: 'us' } | { readonly by: 'other'; readonly scope: string; readonly line: string };

/** Everything a verdict on one resource rests on. All of it was read now, never taken from a plan's snapshot. */
export interface Evidence {
  readonly op: Pick<Op, 'adapter' | 'name'>;
  /** Key of the scope, and the line in it. */
  readonly scope: string;
  readonly line: string;
  readonly change: ResourceChange;
  readonly live: LiveResource | undefined;
  /** Keyed fingerprint of what is live. */
  readonly found: Fingerprint | undefined;
  /** The same of what the entry was recorded of, where the plan speaks of other parts of the resource by now. */
  readonly foundAsRecorded?: Fingerprint | undefined;
  readonly entry: Entry | undefined;
  readonly owner: Ownership;
  readonly reconcile: boolean;
  /** The plan wants something else of it than what was recorded. Absent: it wants the same, or nobody can tell. */
  readonly wantsOther?: true;
  /** People see and approve what a line takes over, or have lifted the refusal for this line. */
  readonly mayAdopt: boolean;
  /** Whether what is live could be put back once it is written over. */
  readonly restorable: boolean;
  /** What to type to go on. */
  readonly ways: WaysOn;
}

/**
 * What to do about one resource.
 * `nothing`: as recorded. `rely`: somebody else's, and fine as it is. `adopt`: exists as wanted, recorded as found.
 * `leave`: a person has accepted what was made of it, or policy lets it differ. `own`: an interrupted create of ours, found. `refresh`: as wanted, but not as recorded: recorded anew, without a word (R0.7).
 */
export type Verdict =
  | { readonly do: 'nothing' | 'rely' | 'adopt' | 'own' | 'refresh' }
  | { readonly do: 'create'; readonly drift?: DriftItem }
  /** `ignored`: policy lets all of it differ that does, each path with the reason. */
  | { readonly do: 'leave'; readonly drift?: DriftItem; readonly ignored?: NonNullable<ScannedResource['ignored']> }
  /** Ours, and to be deleted and made anew, because a person said so. */
  | { readonly do: 'replace' }
  /** `adopts`: it was somebody else's, or nobody's, and is written over. */
  | { readonly do: 'update'; readonly drift?: DriftItem; readonly replaced?: true; readonly adopts?: true }
  | { readonly do: 'refuse'; readonly problem: Problem; readonly drift?: DriftItem };

/** Judges one resource against ledger, claim and live state (R0.4 to R0.11, R1.86). Pure. */
export function judge(evidence: Evidence): Verdict {
  const { op, change, live, entry, owner } = evidence;
  if (owner.by === 'other')
    return change.kind === 'unchanged'
      ? { do: 'rely' }
      : { do: 'refuse', problem: ownedByOther(op, change, owner, { scope: evidence.scope, line: evidence.line }) };
  if (!live) return entry && !isIntent(entry) ? { do: 'create', drift: driftOf(evidence, 'missing') } : { do: 'create' };
  if (!entry) return judgeUnknown(evidence);
  if (isIntent(entry)) return carriesOurMark(entry, live, evidence.found) ? judgeOwn(change) : judgeUnknown(evidence);
  return judgeKnown(evidence, entry, live);
}

const judgeOwn = (change: ResourceChange): Verdict => ({ do: change.kind === 'unchanged' ? 'own' : 'update' });

function judgeUnknown(evidence: Evidence): Verdict {
  const { change, op, line, mayAdopt, restorable, ways, entry } = evidence;
  if (change.kind === 'unchanged') return { do: 'adopt' };
  if (mayAdopt) return { do: 'update', adopts: true };
  const whose = entry?.kept ? 'was found there and kept as it is' : 'no ledger knows it';
  const first = restorable ? '' : ` ${unrestorable(op.adapter)}`;
  const message = `${change.label} exists at ${op.adapter}, ${whose}, and line ${line} would change it.${first}`;
  const details = { key: change.key, line, paths: change.fields.map(({ path }) => path), restorable };
  return { do: 'refuse', problem: { code: 'ADOPT_REQUIRED', message, hint: waysFromUnknown(ways), details } };
}

/** Said before anything is written over, and not after. */
export const unrestorable = (adapter: string): string => `What it holds now cannot be read at ${adapter}: once it is written over, nothing can put it back.`;

function judgeKnown(evidence: Evidence, entry: Entry, live: LiveResource): Verdict {
  const { change } = evidence;
  const replaced = entry.id !== undefined && entry.id !== live.id;
  const sameView = entry.kept === live.kept;
  const isKept = live.kept === true && entry.nowKept === true;
  const recorded = entry.fingerprint && evidence.found && sameView ? compare(entry.fingerprint, evidence.found) : 'not-comparable';
  const ownHalfDone = isForetold(entry, evidence.found) || isUnseenHalfDone(entry, change, live);
  const asRecorded = isKept || (recorded === 'same' && !entry.foretells && entry.nowKept === undefined);
  const settled = asRecorded && !entry.orphan && entry.takenFrom === undefined;
  if (change.kind === 'unchanged') return !replaced && settled ? { do: 'nothing' } : { do: 'refresh' };
  if (!replaced && isOnlyKept(entry, live)) return judgeUnknown(evidence);
  const isAsRecorded =
    entry.fingerprint !== undefined && evidence.foundAsRecorded !== undefined && compare(entry.fingerprint, evidence.foundAsRecorded) === 'same';
  if (!replaced && (recorded !== 'different' || ownHalfDone || isAsRecorded)) return { do: 'update' };
  const drift = driftOf(evidence, 'changed', replaced);
  if (evidence.reconcile) return replaced ? { do: 'update', drift, replaced: true } : { do: 'update', drift };
  return { do: 'refuse', problem: changedOutside(evidence, entry, replaced), drift };
}

/** Found there, and kept as it was: nothing of it was ever written, so that a line which would is the first to take it over. */
const isOnlyKept = (entry: Entry, live: LiveResource): boolean =>
  entry.createdBy === 'adopted' && entry.kept === true && entry.foretells === undefined && entry.original?.id !== live.id;

/**
 * Whether a resource found where an intent points is the one we began to create (P4): its creation is not older than the
 * intent, to the second as providers tell it, or its state is what the intent foretold, or in which it was found to be ours before.
 */
export function carriesOurMark(intent: Entry, live: LiveResource, found: Fingerprint | undefined): boolean {
  const wasOurs = intent.fingerprint !== undefined && found !== undefined && compare(intent.fingerprint, found) === 'same';
  if (wasOurs || isForetold(intent, found)) return true;
  if (live.createdAt === undefined || intent.begunAt === undefined) return false;
  return live.createdAt >= Math.floor(intent.begunAt / 1000) * 1000;
}

/** Between noting a write and its end, ms: a function's time-out, with a clock that is off on either side. */
const longestWrite = 120_000;

/**
 * A write of ours that died before its record, where the provider does not show the value: nobody can compare it, and it was made when ours
 * was. An edit of somebody else within that time cannot be told from it.
 */
function isUnseenHalfDone({ foretells, begunAt }: Entry, { unreadable }: ResourceChange, { changedAt }: LiveResource): boolean {
  if (unreadable !== true || foretells === undefined || begunAt === undefined || changedAt === undefined) return false;
  return changedAt >= Math.floor(begunAt / 1000) * 1000 && changedAt <= begunAt + longestWrite;
}

/** A live value that a begun write would make: our own half-done work. */
export const isForetold = (entry: Entry, found: Fingerprint | undefined): boolean =>
  entry.foretells !== undefined && found !== undefined && compare(entry.foretells, found) === 'same';

function driftOf({ op, line, change, live, entry, reconcile }: Evidence, kind: 'changed' | 'missing', replaced = false): DriftItem {
  const id = live?.id ?? entry?.id;
  const resource = { key: change.key, label: change.label, ...(id === undefined ? {} : { id }) };
  const lost = entry?.original ? ', and what it held before Lockkeeper wrote it is given up' : '';
  const message =
    kind === 'missing'
      ? `${change.label} is gone; it is created again${lost}.`
      : `${change.label} was ${replaced ? 'deleted and made again' : 'edited'} outside${reconcile ? '; what the plan says is put back' : ''}.`;
  return { kind, adapter: op.adapter, op: op.name, line, resource, message, ...(replaced ? { replaced: true as const } : {}) };
}

function changedOutside(evidence: Evidence, entry: Entry, replaced: boolean): Problem {
  const { change, line, ways, wantsOther } = evidence;
  const run = entry.updatedBy ?? entry.run;
  const paths = change.fields.map((field) => field.path);
  const clean = entry.cleanAt === undefined ? {} : { cleanAt: entry.cleanAt };
  const edit: Edit = {
    key: change.key,
    resource: change.label,
    paths,
    ...clean,
    run,
    ...(replaced ? { replaced } : {}),
    ...(wantsOther ? { wantsOther } : {}),
    absorbs: !replaced && !wantsOther && change.fields.some(({ before, after }) => before.state === 'literal' && after.state === 'literal'),
  };
  return editedOutside(line, ways, [edit]);
}
