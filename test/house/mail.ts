/** The two queues and their dead letters, as SQS and Lambda drive the handlers: one record an invocation. */
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { HandBack } from '../../functions/queue-job.ts';
import type { ManualClock } from '../ports/manual-clock.ts';
import type { MemoryQueues } from '../ports/memory-queues.ts';
import { type Mail, putBack } from '../ports/redelivery.ts';

type Job = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

/** The handlers, made with what hands a record back. */
export interface Jobs {
  readonly control: (handBack: HandBack) => Job;
  readonly lines: (handBack: HandBack) => Job;
  readonly dead: (handBack: HandBack) => Job;
}

export interface Post {
  /** Delivers one message: it is acknowledged, comes back, or is a dead letter from then on. */
  deliver(mail: Mail): Promise<void>;
  /** The message that is being worked on. */
  current(): Mail | undefined;
}

/** @param hiddenSeconds how long a message that failed stays away. */
export function post(queues: MemoryQueues, clock: ManualClock, jobs: Jobs, hiddenSeconds: number): Post {
  let current: Mail | undefined;
  let count = 0;

  async function deliver(mail: Mail): Promise<void> {
    const received = (mail.received ?? 0) + 1;
    let away: number | undefined;
    const handBack: HandBack = async (_record, seconds) => {
      away = seconds;
    };
    const outer = current;
    current = mail;
    const job = mail.dead ? jobs.dead : jobs[mail.queue];
    const { batchItemFailures } = await job(handBack)({ Records: [recordOf(mail, received, `m-${++count}`)] }, {} as Context);
    current = outer;
    if (batchItemFailures.length === 0) return;
    clock.advance(1); // a message that is handed back at once still takes its time
    putBack(queues, mail, received, away ?? hiddenSeconds);
  }

  return { deliver, current: () => current };
}

/** A message as Lambda hands it to a handler. */
export function recordOf(mail: Mail, received: number, messageId: string): SQSRecord {
  const attributes = { ApproximateReceiveCount: String(received), SentTimestamp: '0', SenderId: 'house', ApproximateFirstReceiveTimestamp: '0' };
  const source = { eventSource: 'aws:sqs', eventSourceARN: `arn:aws:sqs:eu-central-1:123456789012:${mail.queue}`, awsRegion: 'eu-central-1' };
  return { messageId, receiptHandle: messageId, body: JSON.stringify(mail.message), attributes, messageAttributes: {}, md5OfBody: '', ...source };
}
