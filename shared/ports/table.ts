import type { Condition } from '../table/condition.ts';

/** Where an item lies: partition and sort key. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** An item as it is stored. String sets are `Set<string>`; an emptied set is no attribute at all. */
export type Item = Key & Record<string, unknown>;

/** The new content of an item, or a change to it. */
export type Change =
  | { readonly put: Record<string, unknown> }
  | {
      readonly set?: Record<string, unknown>;
      readonly remove?: readonly string[];
      /** Members to add to string sets, by attribute. */
      readonly add?: Record<string, readonly string[]>;
      /** Members to take out of string sets, by attribute. */
      readonly drop?: Record<string, readonly string[]>;
    }
  | { readonly delete: true };

/** `applied: false` says that the condition did not hold. `before` is the item the write replaced, where there was one. */
export type WriteAnswer = { readonly applied: true; readonly before?: Item } | { readonly applied: false };

/** Which of the two sparse indexes a list is read from. Nothing that decides is read from an index. */
export type IndexName = 'due' | 'repo';

export interface IndexQuery {
  readonly index: IndexName;
  /** The index's partition: a status for `due`, a repository for `repo`. */
  readonly partition: string;
  /** Sort keys up to and including this one. */
  readonly atMost?: string;
  /** Sort keys that start so. */
  readonly prefix?: string;
  readonly newestFirst?: boolean;
  readonly limit?: number;
}

/**
 * The one DynamoDB table. Reads by key are strongly consistent; a write is one attempt with a time-out.
 *
 * @throws AnswerLost when nobody can say whether the write took effect (time-out, broken connection).
 */
export interface Table {
  get(key: Key): Promise<Item | undefined>;
  /** Every item of a partition whose sort key starts with `prefix`, in sort-key order, strongly consistent. */
  query(pk: string, prefix: string, limit?: number): Promise<Item[]>;
  write(key: Key, change: Change, when: Condition): Promise<WriteAnswer>;
  list(query: IndexQuery): Promise<Item[]>;
}

/** The write was sent and no answer came. It may have taken effect, now or a little later. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost';
}
