import type { Table } from '../ports/table.ts';
import { ledgerPrefix, scopePartition } from '../table/keys.ts';
import type { Run } from './items.ts';
import { runScope } from './run-scope.ts';

/** How many resources the run's scope manages now, whatever comes of the run. A line that cannot be read is one at least: it is not nothing. */
export async function managedNow({ table }: { readonly table: Table }, run: Run): Promise<number> {
  const items = await table.query(scopePartition(runScope(run)), ledgerPrefix);
  return items.reduce((count, { entries }) => count + (Array.isArray(entries) ? entries.length : 1), 0);
}
