import type { JobWorld } from '../run/world.ts';
import { isOverdue, scanItemOf, scanStatus, slotAt } from './scan-item.ts';

/** How often the schedule looks, ms. An event that comes later than the next one is worth nothing: that one has asked. */
export const lookInterval = 15 * 60_000;

/** What the schedule found. */
export interface AskedScans {
  /** Environments for whose scans the controller was asked. */
  readonly scans: number;
  /** Environments no scan of which has ended for too long. */
  readonly scansOverdue: number;
}

/**
 * Asks the controller, which alone may read a policy, for the scans that are due at a scheduled time. The schedule itself reads the table alone.
 * Where nothing is scanned it finds nothing, and says nothing: undefined.
 *
 * @param scheduledAt when the event was scheduled, epoch ms: another event of the same time asks for the same scans, which are there.
 */
export async function askForScans(world: Pick<JobWorld, 'table' | 'queues' | 'clock' | 'log'>, scheduledAt: number): Promise<AskedScans | undefined> {
  const now = world.clock.now();
  const items = (await world.table.list({ index: 'due', partition: scanStatus })).map(scanItemOf);
  if (items.length === 0) return undefined;
  const due = items.filter(({ next }) => Date.parse(next) <= scheduledAt);
  const late = now - scheduledAt > lookInterval;
  if (late) world.log.warn('an event of the schedule came too late: no scan is asked for', { scheduledAt: new Date(scheduledAt).toISOString() });
  else
    for (const item of due)
      await world.queues.control({ format: 6, look: 'scan', environment: item.environment, slot: slotAt(item, scheduledAt), group: item.repository.id });
  return { scans: late ? 0 : due.length, scansOverdue: items.filter((item) => isOverdue(item, now)).length };
}
