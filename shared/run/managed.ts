import { readLedger } from '../ledger/ledger-line.ts';
import type { Table } from '../ports/table.ts';
import type { Run } from './items.ts';
import { runScope } from './run-scope.ts';

/** How many resources the run's scope manages now, whatever comes of the run. */
export async function managedNow({ table }: { readonly table: Table }, run: Run): Promise<number> {
  const ledger = await readLedger(table, runScope(run));
  return ledger.reduce((count, line) => count + line.entries.length, 0);
}
