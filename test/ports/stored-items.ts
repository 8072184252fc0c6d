import type { Item, Key } from '../../shared/ports/table.ts';

/** Strings in DynamoDB's order: by their bytes in UTF-8. */
export function byBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (one === other) continue;
    // The order of UTF-16 is that of UTF-8 as long as no half of a character takes part.
    return one < firstHalf && other < firstHalf ? one - other : Buffer.compare(Buffer.from(a), Buffer.from(b));
  }
  return a.length - b.length;
}

const firstHalf = 0xd800;

/** Items by key, each partition in the order of its sort keys: a run of ten thousand lines asks one partition ten thousand times. */
export interface StoredItems {
  get(key: Key): Item | undefined;
  set(key: Key, item: Item): void;
  delete(key: Key): void;
  /** Those of a partition whose sort key starts so, in order. */
  startingWith(pk: string, prefix: string, limit?: number): Item[];
  /** Every item, by partition, then by sort key. */
  all(): Item[];
  /** Every item itself, in no order. */
  each(): Item[];
  /** What brings all of it back as it is now, as often as it is called. Neither items nor what a kept state holds is ever changed in place. */
  keep(): () => void;
}

interface Partition {
  readonly items: Map<string, Item>;
  /** Its sort keys, in order. */
  readonly order: string[];
}

export function storedItems(): StoredItems {
  const partitions = new Map<string, Partition>();
  /** Those that no kept state holds: what may be changed in place. */
  const own = new Set<Partition>();

  /** The partition to be changed, a copy of it where a kept state holds it. */
  function changed(pk: string): Partition {
    const held = partitions.get(pk);
    if (held && own.has(held)) return held;
    const partition: Partition = { items: new Map(held?.items), order: [...(held?.order ?? [])] };
    partitions.set(pk, partition);
    own.add(partition);
    return partition;
  }

  return {
    get: ({ pk, sk }) => partitions.get(pk)?.items.get(sk),
    set({ pk, sk }, item) {
      const partition = changed(pk);
      if (!partition.items.has(sk)) partition.order.splice(firstAt(partition.order, sk), 0, sk);
      partition.items.set(sk, item);
    },
    delete({ pk, sk }) {
      if (!partitions.get(pk)?.items.has(sk)) return;
      const { items, order } = changed(pk);
      items.delete(sk);
      order.splice(firstAt(order, sk), 1);
    },
    startingWith(pk, prefix, limit = Number.POSITIVE_INFINITY) {
      const { items, order } = partitions.get(pk) ?? { items: new Map(), order: [] };
      const found: Item[] = [];
      for (let at = firstAt(order, prefix); found.length < limit && order[at]?.startsWith(prefix); at += 1) found.push(items.get(order[at] as string) as Item);
      return found;
    },
    each: () => [...partitions.values()].flatMap(({ items }) => [...items.values()]),
    keep() {
      own.clear();
      const kept = [...partitions];
      return () => {
        own.clear();
        partitions.clear();
        for (const [pk, partition] of kept) partitions.set(pk, partition);
      };
    },
    all: () => [...partitions].sort(([a], [b]) => byBytes(a, b)).flatMap(([, { items, order }]) => order.map((sk) => items.get(sk) as Item)),
  };
}

/** Where in the order the first key stands that is not before this one. */
function firstAt(order: readonly string[], key: string): number {
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byBytes(order[middle] as string, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
