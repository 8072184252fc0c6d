import type { Tenure } from '../lease/lease.ts';
import type { Writer } from '../table/write.ts';
import type { Entry, LedgerLine } from './entry.ts';
import { type Identity, identityHash } from './identity.ts';
import { saveLedgerLine } from './ledger-line.ts';

/** Where and under what a deed is recorded. */
export interface Recording {
  readonly writer: Writer;
  readonly scope: string;
  readonly tenure: Tenure;
  readonly run: string;
}

/**
 * Records what was done once in its line's part of the ledger; a later doing of the same takes the place of the earlier one. No claim is
 * taken: it is this scope's alone. A line that took it over from one the plan no longer has takes it out there afterwards: a death in
 * between leaves it in both, and the new one says whose the other is, so that whoever finds it does the rest.
 *
 * @param from the line it is taken over from.
 */
export async function recordDeed(at: Recording, line: LedgerLine, deed: Entry, from?: LedgerLine): Promise<LedgerLine> {
  const saved = await saveLedgerLine(at.writer, at.scope, at.tenure, at.run, line, {
    entries: withDeed(line.entries, from ? { ...deed, takenFrom: from.line } : deed),
  });
  if (from) await saveLedgerLine(at.writer, at.scope, at.tenure, at.run, from, { entries: from.entries.filter((entry) => !isSame(entry, deed)) });
  return saved;
}

function withDeed(entries: readonly Entry[], deed: Entry): Entry[] {
  const known = entries.some((entry) => isSame(entry, deed));
  return known ? entries.map((entry) => (isSame(entry, deed) ? deed : entry)) : [...entries, deed];
}

const isSame = (a: Identity, b: Identity): boolean => identityHash(a) === identityHash(b);
