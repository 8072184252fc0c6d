import { oldestQuestionSeconds } from '../../shared/approvals/oldest-question.ts';
import { sweep } from '../../shared/run/sweep.ts';
import type { JobWorld } from '../../shared/run/world.ts';
import { askForScans } from '../../shared/scans/ask-for-scans.ts';

/**
 * Wakes what stands still or is due, asks for the scans that are, and has the controller look for what was lost.
 *
 * @param scheduledAt when it was to happen, epoch ms.
 */
export async function tick(world: JobWorld, scheduledAt: number = world.clock.now()) {
  const swept = { ...(await sweep(world)), ...(await askForScans(world, scheduledAt)) };
  // An alarm counts on this line: infra/alarms.ts.
  world.log.info('swept', { ...swept, oldestQuestionSeconds: await oldestQuestionSeconds(world) });
  // The controller alone may speak to GitHub, and does so when the sweep is done: the schedule cannot be held up by it.
  await world.queues.control({ format: 3, look: 'lost', group: 'schedule' });
  return swept;
}
