import middy from '@middy/core';
import { toSqs } from '../hand-back.ts';
import { variable } from '../variable.ts';
import { bareLog, controlWorld } from '../worlds.ts';
import { controlJob } from './job.ts';

/** SQS in: one control step of a run (intake, prepare, phase done, settle). */
export const handler = middy(
  controlJob(
    () => controlWorld(process.env),
    toSqs(() => variable(process.env, 'CONTROL_QUEUE_URL')),
    () => bareLog(process.env),
  ),
);
