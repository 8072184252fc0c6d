import type { Run } from '../run/items.ts';
import { logEvent } from '../run/run-log.ts';
import type { ControlWorld } from '../run/world.ts';

/**
 * Tells that a question's decisions let its run go on although nobody has verified the head: in the run's log, and in the line that an alarm
 * counts. Told before the run says so: a death right after it tells it again, and none leaves it untold.
 *
 * @param run as it stands before it says what was honoured.
 */
export async function tellUnverified(world: ControlWorld, run: Run, { q, digest, head }: NonNullable<Run['honoured']>): Promise<void> {
  const isTold = run.honoured?.q === q && run.honoured.head === head;
  if (head === undefined || isTold) return;
  // An alarm counts this line.
  world.log.error('the glass was broken', { run: run.id, environment: run.environment, scope: run.scope });
  await logEvent(world, run, 'glass broken', { detail: digest });
}
