import { typedWord } from '../engine/ways-on.ts';
import { type Entry, isDeed, type LedgerLine } from '../ledger/entry.ts';
import { identityHash } from '../ledger/identity.ts';
import type { RunLine } from './items.ts';
import type { DriftItem } from './report.ts';

export interface Orphans {
  /** New content of the ledger lines that change, by line. */
  readonly entries: ReadonlyMap<string, readonly Entry[]>;
  readonly drift: readonly DriftItem[];
}

/** A line that was looked at, or, in a plan, says what it wants. */
const observed: ReadonlySet<string> = new Set(['applied', 'unchanged', 'create', 'update', 'adopt']);

/**
 * Entries that no line wants any more: their line is gone from the plan, or it ran and does not name them (R0.6, R1.61).
 * Ours become orphans and stay until an explicit removal, and so does what was adopted and written over; what was adopted alone is
 * forgotten. A line that did not run keeps its
 * entries as they are (R1.82). Pure.
 */
export function orphansOf(ledger: readonly LedgerLine[], lines: readonly RunLine[]): Orphans {
  const byId = new Map(lines.map((line) => [line.spec.id, line]));
  const entries = new Map<string, readonly Entry[]>();
  const drift: DriftItem[] = [];
  for (const line of ledger) {
    const unwanted = unwantedIn(line, byId.get(line.line));
    if (unwanted.size === 0) continue;
    const next = line.entries.flatMap((entry) => (unwanted.has(identityHash(entry)) ? orphaned(entry) : [entry]));
    drift.push(...next.filter((entry) => entry.orphan).map((entry) => orphanDrift(line, entry)));
    if (JSON.stringify(next) !== JSON.stringify(line.entries)) entries.set(line.line, next);
  }
  return { entries, drift };
}

function unwantedIn(line: LedgerLine, ran: RunLine | undefined): ReadonlySet<string> {
  if (!ran) return new Set(line.entries.map(identityHash));
  const result = ran.applied ?? ran.result;
  if (!result || !observed.has(result.status)) return new Set();
  const account = result.account ?? ran.spec.account ?? {};
  // What a stack changes are its resources: what the ledger holds of it is the stack.
  const keys = result.stack ? [result.stack.key] : result.changes.map(({ key }) => key);
  const wanted = new Set(keys.map((key) => identityHash({ adapter: ran.spec.adapter, account, key })));
  return new Set(line.entries.map(identityHash).filter((identity) => !wanted.has(identity)));
}

/**
 * What was adopted, and a deed that nothing takes back, leave nothing that anybody would have to remove. What was adopted and written
 * over does: its first value is kept until a person has it given back.
 */
const orphaned = (entry: Entry): Entry[] => ((entry.createdBy === 'adopted' && !entry.original) || isFinal(entry) ? [] : [{ ...entry, orphan: true }]);

const isFinal = (entry: Entry): boolean => isDeed(entry) && entry.manual?.undo === undefined && entry.action?.undo === undefined;

/** How a report names an orphan. */
export function orphanDrift(line: Pick<LedgerLine, 'line'>, entry: Entry): DriftItem {
  const resource = { key: entry.key, label: entry.label, ...(entry.id === undefined ? {} : { id: entry.id }) };
  return {
    kind: 'orphan',
    adapter: entry.adapter,
    op: entry.op,
    line: line.line,
    resource,
    message: `No line wants ${entry.label} any more; it stays until \`lockkeeper prune ${typedWord(line.line)}\` or a destroy removes it.`,
  };
}
