import type { JobWorld } from '../run/world.ts';

/**
 * Wakes whoever writes a dashboard that has been marked and not written, and whoever judges a tick that nobody has answered.
 *
 * @param before epoch ms: what has stood still since then.
 */
export async function sweepDashboards({ table, queues }: Pick<JobWorld, 'table' | 'queues'>, before: number): Promise<{ readonly dashboards?: number }> {
  const still = async (status: string) => table.list({ index: 'due', partition: status, atMost: new Date(before).toISOString() });
  const [unshown, ticked] = [await still('unshown'), await still('ticked')];
  for (const { id } of unshown) await queues.control({ format: 5, look: 'dashboard', group: String(id) });
  for (const { sk, repository } of ticked) await queues.control({ format: 5, look: 'dashboard', tick: sk, group: String(repository) });
  const dashboards = unshown.length + ticked.length;
  return dashboards === 0 ? {} : { dashboards };
}
