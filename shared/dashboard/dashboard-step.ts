import type { DashboardMessage } from '../../events/control-message.ts';
import type { ControlWorld } from '../run/world.ts';
import { tickStep } from '../ticks/tick-step.ts';

/** What a message about the dashboard asks for. */
export async function dashboardStep(world: ControlWorld, message: DashboardMessage): Promise<void> {
  if (message.tick !== undefined) return tickStep(world, message.group, message.tick);
  world.log.info('the dashboard is looked at', { repository: message.group });
}
