import middy from '@middy/core';
import { sweep } from '../../shared/run/sweep.ts';
import { jobWorld } from '../worlds.ts';

/** EventBridge Scheduler in, every 15 minutes: wakes what stands still or is due. */
export const handler = middy(async () => {
  const world = jobWorld(process.env);
  const swept = await sweep(world);
  world.log.info('swept', { ...swept });
  return swept;
});
