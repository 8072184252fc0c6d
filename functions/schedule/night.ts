import type { JobWorld } from '../../shared/run/world.ts';

/** Has the controller, which alone may ask GitHub, remove what closed pull requests and deleted branches left. */
export async function night(world: Pick<JobWorld, 'queues'>) {
  await world.queues.control({ format: 4, look: 'left', group: 'schedule' });
  return { asked: 'clean-up' };
}
