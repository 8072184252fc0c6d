import { problemOf } from '../errors/error.ts';
import type { ControlWorld } from '../run/world.ts';
import { askForFailedDeliveries } from './failed-deliveries.ts';
import { recordUntoldPullRequests } from './untold-pull-requests.ts';

/**
 * Looks at the host for what never arrived; the schedule asks for it. GitHub tells an event once: an attempt that failed it repeats
 * when it is asked to, and one that it never made leaves an open pull request whose head has no run.
 *
 * A host that is away costs a line in the log: the next tick looks again, and nothing that the sweep does waits for it.
 */
export async function lookForLost(world: ControlWorld): Promise<void> {
  const until = world.clock.now() + world.timing.functionTimeout / 2;
  const failed = await looked(world, 'failed deliveries', () => askForFailedDeliveries(world, until));
  const untold = await looked(world, 'open pull requests', () => recordUntoldPullRequests(world, until));
  world.log.info('looked for what was lost', { redelivered: failed, untold });
}

async function looked(world: ControlWorld, what: string, look: () => Promise<number>): Promise<number> {
  try {
    return await look();
  } catch (error) {
    world.log.warn(`could not look for ${what}`, { code: problemOf(error).code });
    return 0;
  }
}
