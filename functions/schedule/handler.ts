import middy from '@middy/core';
import { jobWorld } from '../worlds.ts';
import { night } from './night.ts';
import { scheduledTime } from './scheduled-time.ts';
import { tick } from './tick.ts';

/** What a schedule's target sends: when it was to happen (ISO 8601) every 15 minutes, `clean-up` once a night. */
interface Tick {
  readonly tick?: string;
  readonly scheduledAt?: string;
}

/** EventBridge Scheduler in, every 15 minutes and once a night. */
export const handler = middy(async (event: Tick = {}) =>
  event.tick === 'clean-up' ? night(jobWorld(process.env)) : tick(jobWorld(process.env), scheduledTime(event.scheduledAt)),
);
