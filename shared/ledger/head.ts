import type { Tenure } from '../lease/lease.ts';
import type { Item, Table } from '../ports/table.ts';
import { absent, all, atMost, equal, present } from '../table/condition.ts';
import { isNumber, isText, refuseDamaged } from '../table/damaged.ts';
import { headKey, type ScopeAddress, scopeKey, scopeText } from '../table/keys.ts';
import { type Writer, write } from '../table/write.ts';
import { LedgerMoved } from './ledger-line.ts';

/** How many applied commits a head remembers. */
const longestHistory = 50;

/** What a scope remembers beside its ledger: fenced and versioned like a ledger line (P5). */
export interface Head {
  /** Applied commits, oldest first. */
  readonly history: readonly { readonly sha: string; readonly at: string }[];
  /** Written before a destroy's first delete; lifted only by an apply of what is present. */
  readonly tombstone?: { readonly run: string; readonly at: string };
  /** The run that settled last, and its fence. */
  readonly settled?: Settled;
  /** The last settle of any other run before it: a run of several rounds must not undo what that one reported. */
  readonly settledBefore?: Settled;
  /** The scope that takes over what this one manages, and the round of a run that last did (P4). `told`: the chain of receipts says so, too. */
  readonly supersededBy?: { readonly scope: string; readonly run: string; readonly round: number; readonly at: string; readonly told?: true };
  /** A hint: the chain itself lies in the bucket. */
  readonly receipt?: string;
  readonly version: string;
  readonly fence: number;
  /** Outside events that nobody has looked at. A set: changed without lease, fence or version. */
  readonly notes: readonly string[];
  /** Runs that wait for an event. A set, likewise. */
  readonly openRuns: readonly string[];
}

export interface Settled {
  readonly run: string;
  readonly fence: number;
}

/** What a head remembers once `run` has settled under `fence`. */
export function settledBy(head: Head, run: string, fence: number): Pick<Head, 'settled' | 'settledBefore'> {
  const before = head.settled && head.settled.run !== run ? head.settled : head.settledBefore;
  return { settled: { run, fence }, ...(before ? { settledBefore: before } : {}) };
}

export async function readHead(table: Table, scope: string): Promise<Head | undefined> {
  const item = await table.get(headKey(scope));
  return item && headOf(item);
}

/** Makes sure the scope has a head, under the lease. It lies in the repository's list of scopes. */
export async function ensureHead(writer: Writer, at: ScopeAddress, tenure: Tenure): Promise<Head> {
  const scope = scopeKey(at);
  const found = await readHead(writer.table, scope);
  if (found) return found;
  const listed = { repo: at.repository, order: `scope#${at.scope}#${at.plan}#${at.environment}`, address: { ...at } };
  await write(writer, headKey(scope), (writeId) => ({ put: { ...listed, format: 1, history: [], version: writeId, fence: tenure.fence } }), absent);
  return (await readHead(writer.table, scope)) as Head;
}

/**
 * @throws LedgerMoved when the head was written since it was read, or under a newer fence.
 */
export async function saveHead(
  writer: Writer,
  scope: string,
  tenure: Tenure,
  before: Head,
  next: Partial<Pick<Head, 'history' | 'tombstone' | 'settled' | 'settledBefore' | 'receipt' | 'supersededBy'>>,
  remove: readonly 'tombstone'[] = [],
): Promise<Head> {
  const unmoved = all(equal('version', before.version), atMost('fence', tenure.fence));
  const result = await write(writer, headKey(scope), (writeId) => ({ set: { ...next, fence: tenure.fence, version: writeId }, remove }), unmoved);
  if (!result.won) throw new LedgerMoved('head moved');
  return { ...before, ...next, fence: tenure.fence, version: result.writeId };
}

/** Notes an outside event before anyone looks for a run that waits for it. Nothing happens where there is no head. */
export async function noteEvent(writer: Writer, scope: string, note: string): Promise<boolean> {
  return (await write(writer, headKey(scope), { add: { notes: [note] } }, present)).won;
}

/** Takes out exactly the notes that were read. */
export async function dropNotes(writer: Writer, scope: string, notes: readonly string[]): Promise<void> {
  if (notes.length > 0) await write(writer, headKey(scope), { drop: { notes } }, present);
}

export async function addOpenRun(writer: Writer, scope: string, run: string): Promise<void> {
  await write(writer, headKey(scope), { add: { openRuns: [run] } }, present);
}

export async function dropOpenRuns(writer: Writer, scope: string, runs: readonly string[]): Promise<void> {
  if (runs.length > 0) await write(writer, headKey(scope), { drop: { openRuns: runs } }, present);
}

/** The history with one more commit, its oldest forgotten past the limit. */
export function withCommit(history: Head['history'], sha: string, at: string): Head['history'] {
  if (history.at(-1)?.sha === sha) return history;
  return [...history, { sha, at }].slice(-longestHistory);
}

/** @throws LockkeeperError RECEIPT_VERSION, RECEIPT_CORRUPT. */
export function headOf(item: Item): Head {
  refuseDamaged(item, `The head of ${scopeText(item.pk)}`, 1, ({ version, fence, history }) => isText(version) && isNumber(fence) && Array.isArray(history));
  const { pk: _pk, sk: _sk, writeId: _writeId, format: _format, repo: _repo, order: _order, address: _address, notes, openRuns, ...head } = item;
  return { ...(head as unknown as Omit<Head, 'notes' | 'openRuns'>), notes: members(notes), openRuns: members(openRuns) };
}

const members = (set: unknown): string[] => [...((set as Set<string> | undefined) ?? [])].sort();
