import { sweepDashboards } from '../dashboard/sweep-dashboards.ts';
import type { World } from './world.ts';

/** How many things the sweep woke. */
export interface Swept {
  readonly still: number;
  readonly due: number;
  /** Runs at a question, whose step looks whether it has been answered, or has run out. */
  readonly parked: number;
  /** Dashboards that show less than is known, and ticks that nobody has answered, where there are any. */
  readonly dashboards?: number;
}

/** How long a thing may stand still before the sweep touches it, ms. A false alarm is harmless: every step may run twice. */
const patience = 60_000;

/**
 * Wakes whatever stands still: intakes that were recorded and never queued, runs whose step or lines lost their message,
 * runs whose time to go on has come or whose end could not be shown, and whatever is parked at a question (P2). The lists come from the sparse index, the truth is read by whoever is woken; the
 * sweep itself writes nothing.
 */
export async function sweep(world: Pick<World, 'table' | 'queues' | 'clock'>): Promise<Swept> {
  const now = world.clock.now();
  const wake = async (status: string, before?: number): Promise<number> => {
    const items = await world.table.list({ index: 'due', partition: status, ...(before === undefined ? {} : { atMost: new Date(before).toISOString() }) });
    for (const item of items) await world.queues.control({ format: 1, run: item['id'] as string, group: (item['repository'] as { id: string }).id });
    return items.length;
  };
  const still = (await wake('recorded', now - patience)) + (await wake('open', now - patience));
  const due = (await wake('waiting', now)) + (await wake('failed', now)) + (await wake('untold', now));
  // Each one: its answers, its stop, its machine or its expiry may have been told to nobody, and only its own step can see that.
  const parked = await wake('awaiting');
  return { still, due, parked, ...(await sweepDashboards(world, now - patience)) };
}
