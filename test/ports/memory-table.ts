import type { Change, IndexQuery, Item, Key, Table, WriteAnswer } from '../../shared/ports/table.ts';
import type { Condition } from '../../shared/table/condition.ts';
import { indexes } from '../../shared/table/indexes.ts';
import { applyChange } from './apply-change.ts';
import { copyOf } from './copy.ts';
import { createFaults, type Faults } from './faults.ts';
import { judge } from './judge-condition.ts';
import { byBytes, storedItems } from './stored-items.ts';

export interface WriteCall {
  readonly op: 'write';
  readonly key: Key;
  readonly change: Change;
  readonly when: Condition;
}
export type TableCall =
  | { readonly op: 'get'; readonly key: Key }
  | { readonly op: 'query'; readonly pk: string; readonly prefix: string }
  | { readonly op: 'list'; readonly query: IndexQuery }
  | WriteCall;

export interface MemoryTable {
  readonly table: Table;
  /** Copies of every item, or of those that a caller asks for, in key order. */
  items(which?: (item: Item) => boolean): Item[];
  /** A copy of one item, without a call being counted. */
  peek(pk: string, sk: string): Item | undefined;
  /** Every call, in order: for budgets. */
  readonly calls: TableCall[];
  /** Every write that reached the table, in order of arrival, and whether its condition held. */
  readonly writes: (WriteCall & { readonly applied: boolean })[];
  /** How many items all reads together have returned. */
  itemsRead(): number;
  /** The items themselves, in no order: for whoever looks at very many states and changes nothing. */
  each(): readonly Item[];
  /** What brings items and counts back as they are now, as often as it is called. */
  keep(): () => void;
  readonly faults: Faults<TableCall>;
}

/** Matches writes: `written('SCOPE#', 'LEDGER#')` by the starts of the keys. */
export const written =
  (pk = '', sk = '') =>
  (call: TableCall): boolean =>
    call.op === 'write' && call.key.pk.startsWith(pk) && call.key.sk.startsWith(sk);

/** The table of design section 4 in memory: the same conditions, sets and indexes, and faults on demand. */
export function memoryTable(): MemoryTable {
  const stored = storedItems();
  const calls: TableCall[] = [];
  const writes: MemoryTable['writes'] = [];
  let itemsRead = 0;
  const { faults, through } = createFaults<TableCall>();

  function call<T>(made: TableCall, effect: () => T): Promise<T> {
    calls.push(made);
    return through(made, effect);
  }

  function write(made: WriteCall): WriteAnswer {
    const before = stored.get(made.key);
    const applied = judge(made.when, before);
    writes.push({ ...made, applied });
    if (!applied) return { applied: false };
    const after = applyChange(made.key, before, made.change);
    if (after) stored.set(made.key, after);
    else stored.delete(made.key);
    return before ? { applied: true, before: copyOf(before) } : { applied: true };
  }

  function read(found: readonly Item[]): Item[] {
    itemsRead += found.length;
    return found.map(copyOf);
  }

  const table: Table = {
    get: (key) => call({ op: 'get', key: { pk: key.pk, sk: key.sk } }, () => read([stored.get(key)].filter((item) => item !== undefined))[0]),
    query: (pk, prefix, limit) => call({ op: 'query', pk, prefix }, () => read(stored.startingWith(pk, prefix, limit))),
    list: (query) => call({ op: 'list', query: { ...query } }, () => read(listed(stored.all(), query))),
    write: (key, change, when) => {
      const made: WriteCall = copyOf({ op: 'write', key: { pk: key.pk, sk: key.sk }, change, when });
      return call(made, () => write(made));
    },
  };

  return {
    table,
    items: (which) => (which ? stored.all().filter(which) : stored.all()).map(copyOf),
    peek: (pk, sk) => copyOf(stored.get({ pk, sk })),
    calls,
    writes,
    itemsRead: () => itemsRead,
    each: stored.each,
    keep() {
      const back = stored.keep();
      const [called, wrote, read] = [calls.length, writes.length, itemsRead];
      return () => {
        back();
        calls.length = called;
        writes.length = wrote;
        itemsRead = read;
      };
    },
    faults,
  };
}

function listed(items: readonly Item[], query: IndexQuery): Item[] {
  const { partition, sort } = indexes[query.index];
  const found = items.filter((item) => {
    const order = item[sort];
    if (item[partition] !== query.partition || typeof order !== 'string') return false;
    return (query.atMost === undefined || byBytes(order, query.atMost) <= 0) && order.startsWith(query.prefix ?? '');
  });
  const inOrder = found.sort((a, b) => byBytes(String(a[sort]), String(b[sort])));
  return (query.newestFirst ? inOrder.reverse() : inOrder).slice(0, query.limit);
}
