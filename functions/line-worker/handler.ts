import middy from '@middy/core';
import { toSqs } from '../hand-back.ts';
import { variable } from '../variable.ts';
import { bareLog, lineWorld } from '../worlds.ts';
import { lineJob } from './job.ts';

/** SQS in: one line of one run. */
export const handler = middy(
  lineJob(
    () => lineWorld(process.env),
    toSqs(() => variable(process.env, 'LINES_QUEUE_URL')),
    () => bareLog(process.env),
  ),
);
