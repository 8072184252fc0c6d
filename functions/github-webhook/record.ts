import type { Intake } from '../../events/intake.ts';
import { runKey } from '../../shared/table/keys.ts';
import { putOnce, type RecordPorts } from '../recording/put-once.ts';
import { type Happening, intakeIdOf } from './intake-of.ts';

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
  const intake: Intake = { kind: 'intake', id, source: 'github', deliveryId, ...happening, ...recorded };
  await putOnce(ports.table, runKey(id), intake);
  await ports.queues.control({ format: 1, run: id, group: happening.repository.id });
  return id;
}
