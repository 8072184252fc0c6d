import { oldestQuestionSeconds } from '../../shared/approvals/oldest-question.ts';
import { sweep } from '../../shared/run/sweep.ts';
import type { JobWorld } from '../../shared/run/world.ts';

/** Wakes what stands still or is due, and has the controller look for what was lost. */
export async function tick(world: JobWorld) {
  const swept = await sweep(world);
  // An alarm counts on this line: infra/alarms.ts.
  world.log.info('swept', { ...swept, oldestQuestionSeconds: await oldestQuestionSeconds(world) });
  // The controller alone may speak to GitHub, and does so when the sweep is done: the schedule cannot be held up by it.
  await world.queues.control({ format: 3, look: 'lost', group: 'schedule' });
  return swept;
}
