import middy from '@middy/core';
import { jobWorld } from '../worlds.ts';
import { night } from './night.ts';
import { tick } from './tick.ts';

/** What a schedule's target sends: nothing every 15 minutes, `clean-up` once a night. */
interface Tick {
  readonly tick?: string;
}

/** EventBridge Scheduler in, every 15 minutes and once a night. */
export const handler = middy(async (event: Tick = {}) => (event.tick === 'clean-up' ? night : tick)(jobWorld(process.env)));
