import middy from '@middy/core';
import { oldestQuestionSeconds } from '../../shared/approvals/oldest-question.ts';
import { sweep } from '../../shared/run/sweep.ts';
import { jobWorld } from '../worlds.ts';

/** EventBridge Scheduler in, every 15 minutes: wakes what stands still or is due, and has the controller look for what was lost. */
export const handler = middy(async () => {
  const world = jobWorld(process.env);
  const swept = await sweep(world);
  // An alarm counts on this line: infra/alarms.ts.
  world.log.info('swept', { ...swept, oldestQuestionSeconds: await oldestQuestionSeconds(world) });
  // The controller alone may speak to GitHub, and does so when the sweep is done: this function cannot be held up by it.
  await world.queues.control({ format: 3, look: 'lost', group: 'schedule' });
  return swept;
});
