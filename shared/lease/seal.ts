import { AnswerLost, type Item, type Table } from '../ports/table.ts';
import { all, atMost, present } from '../table/condition.ts';
import { inBatches } from '../table/in-batches.ts';
import { headKey, ledgerPrefix, scopePartition } from '../table/keys.ts';

/**
 * Raises the fence of every ledger line and of the head, so that nothing an earlier holder still sends is accepted (P3).
 * On condition that they exist, and touching nothing else: `version` stays, an absent item stays absent.
 * Sealing twice, or half, does no harm; the lease is marked sealed only after all of it.
 */
export async function sealScope(table: Table, scope: string, fence: number): Promise<void> {
  const lines = await table.query(scopePartition(scope), ledgerPrefix);
  const head = await table.get(headKey(scope));
  const lower = [...lines, ...(head ? [head] : [])].filter((item) => (item['fence'] as number) < fence);
  await inBatches(lower, (item) => raise(table, item, fence));
}

async function raise(table: Table, item: Item, fence: number): Promise<void> {
  const key = { pk: item.pk, sk: item.sk };
  const change = { set: { fence } };
  const when = all(present, atMost('fence', fence));
  try {
    await table.write(key, change, when);
  } catch (error) {
    if (!(error instanceof AnswerLost)) throw error;
    await table.write(key, change, when);
  }
}
