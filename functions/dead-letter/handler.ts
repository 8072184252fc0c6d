import middy from '@middy/core';
import type { SQSRecord } from 'aws-lambda';
import { toSqs } from '../hand-back.ts';
import { bareLog, jobWorld } from '../worlds.ts';
import { deadJob } from './job.ts';

/** The URL of a record's queue, told by its ARN: `arn:aws:sqs:<region>:<account>:<name>`. */
function queueUrlOf({ eventSourceARN }: SQSRecord): string {
  const [, , , region, account, name] = eventSourceARN.split(':');
  return `https://sqs.${region}.amazonaws.com/${account}/${name}`;
}

/** Both dead-letter queues in: a line whose job died, or a control step that did. */
export const handler = middy(
  deadJob(
    () => jobWorld(process.env),
    toSqs(queueUrlOf),
    () => bareLog(process.env),
  ),
);
