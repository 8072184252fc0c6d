import type { Change, IndexQuery, Item, Key, Table, WriteAnswer } from '../../shared/ports/table.ts';
import type { Condition } from '../../shared/table/condition.ts';
import { indexes } from '../../shared/table/indexes.ts';
import { applyChange } from './apply-change.ts';
import { copyOf } from './copy.ts';
import { createFaults, type Faults } from './faults.ts';
import { judge } from './judge-condition.ts';

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
  /** Copies of every item, in key order. */
  items(): Item[];
  /** A copy of one item, without a call being counted. */
  peek(pk: string, sk: string): Item | undefined;
  /** Every call, in order: for budgets. */
  readonly calls: TableCall[];
  /** Every write that reached the table, in order of arrival, and whether its condition held. */
  readonly writes: (WriteCall & { readonly applied: boolean })[];
  readonly faults: Faults<TableCall>;
}

/** Matches writes: `written('SCOPE#', 'LEDGER#')` by the starts of the keys. */
export const written =
  (pk = '', sk = '') =>
  (call: TableCall): boolean =>
    call.op === 'write' && call.key.pk.startsWith(pk) && call.key.sk.startsWith(sk);

/** The table of design section 4 in memory: the same conditions, sets and indexes, and faults on demand. */
export function memoryTable(): MemoryTable {
  const stored = new Map<string, Item>();
  const calls: TableCall[] = [];
  const writes: MemoryTable['writes'] = [];
  const { faults, through } = createFaults<TableCall>();

  function call<T>(made: TableCall, effect: () => T): Promise<T> {
    calls.push(copyOf(made));
    return through(made, effect);
  }

  function write(made: WriteCall): WriteAnswer {
    const id = idOf(made.key);
    const before = stored.get(id);
    const applied = judge(made.when, before);
    writes.push({ ...copyOf(made), applied });
    if (!applied) return { applied: false };
    const after = applyChange(made.key, before, made.change);
    if (after) stored.set(id, after);
    else stored.delete(id);
    return before ? { applied: true, before: copyOf(before) } : { applied: true };
  }

  const table: Table = {
    get: (key) => call({ op: 'get', key }, () => copyOf(stored.get(idOf(key)))),
    query: (pk, prefix, limit) =>
      call({ op: 'query', pk, prefix }, () =>
        ordered(
          [...stored.values()].filter((item) => item.pk === pk && item.sk.startsWith(prefix)),
          'sk',
        ).slice(0, limit),
      ),
    list: (query) => call({ op: 'list', query }, () => listed([...stored.values()], query)),
    write: (key, change, when) => {
      const made: WriteCall = copyOf({ op: 'write', key: { pk: key.pk, sk: key.sk }, change, when });
      return call(made, () => write(made));
    },
  };

  return {
    table,
    items: () => copyOf([...stored.values()].sort((a, b) => byBytes(idOf(a), idOf(b)))),
    peek: (pk, sk) => copyOf(stored.get(idOf({ pk, sk }))),
    calls,
    writes,
    faults,
  };
}

const idOf = (key: Key) => JSON.stringify([key.pk, key.sk]);
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

function ordered(items: Item[], sort: string): Item[] {
  return copyOf(items.sort((a, b) => byBytes(String(a[sort]), String(b[sort]))));
}

function listed(items: Item[], query: IndexQuery): Item[] {
  const { partition, sort } = indexes[query.index];
  const found = items.filter((item) => {
    const order = item[sort];
    if (item[partition] !== query.partition || typeof order !== 'string') return false;
    return (query.atMost === undefined || byBytes(order, query.atMost) <= 0) && order.startsWith(query.prefix ?? '');
  });
  const inOrder = ordered(found, sort);
  return (query.newestFirst ? inOrder.reverse() : inOrder).slice(0, query.limit);
}
