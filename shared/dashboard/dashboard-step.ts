import type { DashboardMessage } from '../../events/control-message.ts';
import type { ControlWorld } from '../run/world.ts';
import { tickStep } from '../ticks/tick-step.ts';
import { showDashboard } from './show.ts';

/** What a message about the dashboard asks for: its body written anew, or one tick judged. */
export async function dashboardStep(world: ControlWorld, { tick, group }: DashboardMessage): Promise<void> {
  await (tick === undefined ? showDashboard(world, group) : tickStep(world, group, tick));
}
