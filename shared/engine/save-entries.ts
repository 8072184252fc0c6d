import type { Entry, LedgerLine } from '../ledger/entry.ts';
import { identityHash } from '../ledger/identity.ts';
import { saveLedgerLine } from '../ledger/ledger-line.ts';
import type { Applying } from './applying.ts';

/** Merges entries into the line's ledger item by identity, keeping their order of creation. */
export async function saveEntries(job: Applying, entries: readonly Entry[]): Promise<LedgerLine> {
  const changed = new Map(entries.map((entry) => [identityHash(entry), entry]));
  const kept = job.ledger.entries.map((entry) => take(changed, identityHash(entry)) ?? entry);
  const { adapter, op, needs } = job.line.spec;
  return saveLedgerLine(job.world, job.scope, job.tenure, job.run.id, job.ledger, { entries: [...kept, ...changed.values()], adapter, op, needs });
}

function take<V>(map: Map<string, V>, key: string): V | undefined {
  const value = map.get(key);
  map.delete(key);
  return value;
}
