import middy from '@middy/core';
import type { SQSRecord } from 'aws-lambda';
import { z } from 'zod';
import { controlMessage } from '../../events/control-message.ts';
import { lineMessage } from '../../events/line-message.ts';
import { deadLine, deadStep } from '../../shared/run/dead-letter.ts';
import { queueJob } from '../queue-job.ts';
import { jobWorld } from '../worlds.ts';

/** The URL of a record's queue, told by its ARN: `arn:aws:sqs:<region>:<account>:<name>`. */
function queueUrlOf({ eventSourceARN }: SQSRecord): string {
  const [, , , region, account, name] = eventSourceARN.split(':');
  return `https://sqs.${region}.amazonaws.com/${account}/${name}`;
}

/** Both dead-letter queues in: a line whose job died, or a control step that did. */
export const handler = middy(
  queueJob({
    message: z.union([lineMessage, controlMessage]),
    queueUrl: queueUrlOf,
    environment: () => process.env,
    work: async (message) => ('line' in message ? deadLine(jobWorld(process.env), message) : deadStep(jobWorld(process.env), message)),
  }),
);
