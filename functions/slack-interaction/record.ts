import { createHash } from 'node:crypto';
import type { SlackClick } from '../../events/slack-click.ts';
import { clickIdOf, deliveryKey } from '../../shared/table/keys.ts';
import { putOnce, type RecordPorts } from '../recording/put-once.ts';
import type { Click } from './admission.ts';

/** Long after a request of the same body would be refused for its age. */
const SEVEN_DAYS_S = 7 * 24 * 3600;

/**
 * Records one click and queues it: two calls, in this order (P6).
 *
 *     put if absent ──▶ refused: the very same body was here before; nothing is queued
 *                   ──▶ crash here: the sweep finds a recorded click that was never handled
 *     send          ──▶ crash here: the person sees that Slack got no answer; what was queued is handled all the same
 *
 * A put whose answer was lost is sent again: refused then, it may have met our own, so it is queued; the controller drops what is done.
 *
 * @returns the record's id; undefined for a body that was seen before.
 * @throws AnswerLost when the table stayed silent twice; whatever the queue throws.
 */
export async function recordAndQueue(ports: RecordPorts, body: Uint8Array, click: Click): Promise<string | undefined> {
  const id = clickIdOf(createHash('sha256').update('slack:').update(body).digest('hex').slice(0, 32));
  const receivedAt = new Date(ports.clock.now()).toISOString();
  const ttl = Math.floor(ports.clock.now() / 1000) + SEVEN_DAYS_S;
  const recorded = { status: 'recorded', receivedAt, since: receivedAt, writeId: ports.ids.fresh(), ttl } as const;
  const put: SlackClick = { format: 1, kind: 'slack', id, ...click, ...recorded };
  if (!(await putOnce(ports.table, deliveryKey(id), put))) return undefined;
  await ports.queues.control({ format: 1, run: id, group: click.repository.id });
  return id;
}
