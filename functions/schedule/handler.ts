import middy from '@middy/core';
import { jobWorld } from '../worlds.ts';
import { tick } from './tick.ts';

/** EventBridge Scheduler in, every 15 minutes. */
export const handler = middy(async () => tick(jobWorld(process.env)));
