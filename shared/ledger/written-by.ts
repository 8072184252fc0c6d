import type { LedgerLine } from './entry.ts';

/** Labels of what a run has created or written over, in any of its rounds, and nobody has written over since. */
export function writtenBy(run: string, ledger: readonly LedgerLine[]): string[] {
  const entries = ledger.flatMap((line) => line.entries);
  return entries.filter((entry) => (entry.run === run && entry.createdBy === 'lockkeeper') || entry.updatedBy === run).map(({ label }) => label);
}
