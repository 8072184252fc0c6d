import type { Intake } from '../../events/intake.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import type { Queues } from '../../shared/ports/queue.ts';
import { AnswerLost, type Table } from '../../shared/ports/table.ts';
import { absent } from '../../shared/table/condition.ts';
import { runKey } from '../../shared/table/keys.ts';
import { type Happening, intakeIdOf } from './intake-of.ts';

export interface RecordPorts {
  readonly table: Pick<Table, 'write'>;
  readonly queues: Pick<Queues, 'control'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Ids;
}

const NINETY_DAYS_S = 90 * 24 * 3600;

/**
 * Records one intake and queues it: two calls, in this order (P6).
 *
 *     put if absent ──▶ crash here: the sweep finds a recorded intake that was never queued
 *     send          ──▶ crash here: GitHub shows a failed delivery; sent again, it is only queued again
 *
 * An intake that exists already is queued without a look: the controller drops what has started. So it does not matter
 * whether a refused put met our own write or another's, and nothing is read here.
 *
 * @returns the intake's id.
 * @throws AnswerLost when the table stayed silent twice; whatever the queue throws.
 */
export async function recordAndQueue(ports: RecordPorts, deliveryId: string, happening: Happening): Promise<string> {
  const id = intakeIdOf(deliveryId);
  const receivedAt = new Date(ports.clock.now()).toISOString();
  const ttl = Math.floor(ports.clock.now() / 1000) + NINETY_DAYS_S;
  const recorded = { status: 'recorded', receivedAt, since: receivedAt, writeId: ports.ids.fresh(), ttl } as const;
  await putOnce(ports.table, { kind: 'intake', id, source: 'github', deliveryId, ...happening, ...recorded });
  await ports.queues.control({ format: 1, run: id, group: happening.repository.id });
  return id;
}

/** Sent a second time when no answer came: a create-only put of the same item cannot do harm twice. */
async function putOnce(table: Pick<Table, 'write'>, intake: Intake): Promise<void> {
  const put = () => table.write(runKey(intake.id), { put: intake }, absent);
  try {
    await put();
  } catch (error) {
    if (!(error instanceof AnswerLost)) throw error;
    await put();
  }
}
