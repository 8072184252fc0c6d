import middy from '@middy/core';
import { controlMessage } from '../../events/control-message.ts';
import { controlStep } from '../../shared/run/control-step.ts';
import { queueJob, soonThenLessOften } from '../queue-job.ts';
import { controlWorld, variable } from '../worlds.ts';

/** SQS in: one control step of a run (intake, prepare, phase done, settle). */
export const handler = middy(
  queueJob({
    message: controlMessage,
    queueUrl: () => variable(process.env, 'CONTROL_QUEUE_URL'),
    environment: () => process.env,
    work: async (message) => controlStep(await controlWorld(process.env), message),
    away: soonThenLessOften,
  }),
);
