import type { DashboardMessage } from '../../events/control-message.ts';
import type { ControlWorld } from '../run/world.ts';
import { dashboardPartition } from '../table/keys.ts';
import { tickStep } from '../ticks/tick-step.ts';
import { markDashboard } from './mark.ts';
import { showDashboard } from './show.ts';
import { isStanding, tickOf } from './tick.ts';

/** What a message about the dashboard asks for: its body written anew, or one tick judged; or that a tick which was answered is shown so at last. */
export async function dashboardStep(world: ControlWorld, { tick: sk, group }: DashboardMessage): Promise<void> {
  if (sk === undefined) return showDashboard(world, group);
  await tickStep(world, group, sk);
  const item = await world.table.get({ pk: dashboardPartition(group), sk });
  const tick = item && tickOf(item);
  if (tick?.status && !isStanding(tick)) await markDashboard(world, { id: group });
}
