import middy from '@middy/core';
import { oldestQuestionSeconds } from '../../shared/approvals/oldest-question.ts';
import { sweep } from '../../shared/run/sweep.ts';
import { jobWorld } from '../worlds.ts';

/** What a schedule's target sends: nothing for the tick every 15 minutes, `clean-up` once a night. */
interface Tick {
  readonly tick?: string;
}

/**
 * EventBridge Scheduler in. Every 15 minutes: wakes what stands still or is due, and has the controller look for what was lost. Once a
 * night: has the controller remove what closed pull requests and deleted branches left.
 */
export const handler = middy(async ({ tick }: Tick = {}) => {
  const world = jobWorld(process.env);
  if (tick === 'clean-up') {
    await world.queues.control({ format: 4, look: 'left', group: 'schedule' });
    return { asked: tick };
  }
  const swept = await sweep(world);
  // An alarm counts on this line: infra/alarms.ts.
  world.log.info('swept', { ...swept, oldestQuestionSeconds: await oldestQuestionSeconds(world) });
  // The controller alone may speak to GitHub, and does so when the sweep is done: this function cannot be held up by it.
  await world.queues.control({ format: 3, look: 'lost', group: 'schedule' });
  return swept;
});
