import type { DashboardMessage } from '../../events/control-message.ts';
import type { ControlWorld } from '../run/world.ts';

/** What a message about the dashboard asks for. */
export async function dashboardStep(world: ControlWorld, message: DashboardMessage): Promise<void> {
  world.log.info('the dashboard is looked at', { repository: message.group });
}
