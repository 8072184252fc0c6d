import { problemOf } from '../errors/error.ts';
import type { LedgerLine } from '../ledger/entry.ts';
import { headOf } from '../ledger/head.ts';
import { ledgerLineOf } from '../ledger/ledger-line.ts';
import type { Item, Table } from '../ports/table.ts';
import { headKey, ledgerPrefix, scopePartition } from '../table/keys.ts';

/** A stored item that a recovery has to do with: there and readable, damaged, or gone. */
export type Found<T> = { readonly is: 'there'; readonly value: T } | { readonly is: 'damaged'; readonly item: Item } | { readonly is: 'gone' };

/** What the table still knows of a scope. */
export interface Survey {
  /** By line. A damaged item that does not say which line it is, under the end of its key. */
  readonly lines: ReadonlyMap<string, Found<LedgerLine>>;
  readonly head: Found<unknown>;
  /** The highest fence that any of it carries: no lease that ever sealed the scope was above it. */
  readonly fence: number;
}

/**
 * Reads every item of a scope that can be rebuilt, and says which cannot be read.
 *
 * @throws LockkeeperError RECEIPT_VERSION: what newer code wrote is not ours to replace.
 */
export async function survey(table: Table, scope: string): Promise<Survey> {
  const items = await table.query(scopePartition(scope), ledgerPrefix);
  const head = await table.get(headKey(scope));
  const lines = new Map(items.map((item) => [lineOf(item), found(item, ledgerLineOf)] as const));
  const fences = [...items, ...(head ? [head] : [])].map(({ fence }) => (typeof fence === 'number' ? fence : 0));
  return { lines, head: head ? found(head, headOf) : { is: 'gone' }, fence: Math.max(0, ...fences) };
}

const lineOf = (item: Item): string => decodeURIComponent(item.sk.slice(ledgerPrefix.length));

function found<T>(item: Item, read: (item: Item) => T): Found<T> {
  try {
    return { is: 'there', value: read(item) };
  } catch (error) {
    if (problemOf(error).code !== 'RECEIPT_CORRUPT') throw error;
    return { is: 'damaged', item };
  }
}
