import middy from '@middy/core';
import { lineMessage } from '../../events/line-message.ts';
import { workLine } from '../../shared/run/work-line.ts';
import { queueJob } from '../queue-job.ts';
import { lineWorld, variable } from '../worlds.ts';

/** SQS in: one line of one run. */
export const handler = middy(
  queueJob({
    message: lineMessage,
    queueUrl: () => variable(process.env, 'LINES_QUEUE_URL'),
    environment: () => process.env,
    work: async (message) => workLine(await lineWorld(process.env), message),
  }),
);
