import type { Ids } from '../ports/ids.ts';
import { AnswerLost, type Change, type Item, type Key, type Table } from '../ports/table.ts';
import type { Condition } from './condition.ts';

/** `won`: the write took effect, whoever carried the answer. `found` is what lies there instead, read strongly. */
export type WriteResult = { readonly won: true; readonly writeId: string; readonly before?: Item } | { readonly won: false; readonly found: Item | undefined };

export interface Writer {
  readonly table: Table;
  readonly ids: Ids;
}

/**
 * A conditional write that recognises itself (protocol P4, last rule).
 *
 *     we:     write W1 ───▶ applied ──✗ answer lost
 *     we:     write W1 again ─▶ refused: the condition looks at our own write
 *     we:     read: writeId = W1 ─▶ won
 *
 * Every write carries a fresh `writeId`. Refused, or no answer: read strongly; ours there means that it had succeeded.
 * With no answer and nothing of ours there, the very same write is sent once more: should the first still arrive, one of
 * the two is refused by the condition. `change` is given the id, for writes whose id is also the item's version.
 *
 * @throws AnswerLost when two attempts stayed without an answer.
 */
export async function write({ table, ids }: Writer, key: Key, change: Change | ((writeId: string) => Change), when: Condition): Promise<WriteResult> {
  const writeId = ids.fresh();
  const stamped = stamp(typeof change === 'function' ? change(writeId) : change, writeId);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await table.write(key, stamped, when);
      if (answer.applied) return answer.before === undefined ? { won: true, writeId } : { won: true, writeId, before: answer.before };
      const found = await table.get(key);
      return isOurs(stamped, found, writeId) ? { won: true, writeId } : { won: false, found };
    } catch (error) {
      if (!(error instanceof AnswerLost)) throw error;
      const found = await table.get(key);
      if (isOurs(stamped, found, writeId)) return { won: true, writeId };
      if (attempt === 2) throw error;
    }
  }
}

/** Set changes renew an item's writeId and leave its version: either names the write. A delete leaves no writeId behind: an item that is gone after an attempt of ours counts as deleted. */
function isOurs(change: Change, found: Item | undefined, writeId: string): boolean {
  if ('delete' in change) return found === undefined;
  return found?.['writeId'] === writeId || found?.['version'] === writeId;
}

function stamp(change: Change, writeId: string): Change {
  if ('delete' in change) return change;
  if ('put' in change) return { put: { ...change.put, writeId } };
  return { ...change, set: { ...change.set, writeId } };
}
