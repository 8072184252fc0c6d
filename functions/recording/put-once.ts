import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import type { Queues } from '../../shared/ports/queue.ts';
import { AnswerLost, type Key, type Table } from '../../shared/ports/table.ts';
import { absent } from '../../shared/table/condition.ts';

/** What a function has that records what it is sent, queues it, and does nothing else. */
export interface RecordPorts {
  readonly table: Pick<Table, 'write'>;
  readonly queues: Pick<Queues, 'control'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Ids;
}

/**
 * Puts an item that is made once. Sent a second time when no answer came: a create-only put of the same item cannot do harm twice.
 *
 * @returns false: it was there before. Where an answer was lost nobody knows, and it counts as ours.
 * @throws AnswerLost when the table stayed silent twice.
 */
export async function putOnce(table: Pick<Table, 'write'>, key: Key, item: object): Promise<boolean> {
  const put = () => table.write(key, { put: { ...item } }, absent);
  try {
    return (await put()).applied;
  } catch (error) {
    if (!(error instanceof AnswerLost)) throw error;
    await put();
    return true;
  }
}
