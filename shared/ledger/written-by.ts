import type { Entry, LedgerLine } from './entry.ts';

/** Whether a run has created or written over it, in any of its rounds, and nobody has written over it since. */
const isWrittenBy = (run: string, entry: Entry): boolean => (entry.run === run && entry.createdBy === 'lockkeeper') || entry.updatedBy === run;

/** Labels of what a run has created or written over, in any of its rounds, and nobody has written over since. */
export function writtenBy(run: string, ledger: readonly LedgerLine[]): string[] {
  return ledger.flatMap(({ entries }) => entries.filter((entry) => isWrittenBy(run, entry)).map(({ label }) => label));
}

/** The same by line, of the lines of which there is any. */
export function writtenByLine(run: string, ledger: readonly LedgerLine[]): ReadonlyMap<string, readonly string[]> {
  const lines = ledger.map(({ line, entries }): [string, string[]] => [line, entries.filter((entry) => isWrittenBy(run, entry)).map(({ label }) => label)]);
  return new Map(lines.filter(([, labels]) => labels.length > 0));
}
