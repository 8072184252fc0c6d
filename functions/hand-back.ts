import type { SQSRecord } from 'aws-lambda';
import { sqs } from '../shared/platform/clients.ts';
import { handBack } from '../shared/platform/visibility.ts';
import type { HandBack } from './queue-job.ts';

/** Hands messages back to SQS. @param queueUrl the queue a record came from. */
export const toSqs =
  (queueUrl: (record: SQSRecord) => string): HandBack =>
  (record, seconds) =>
    handBack(sqs(process.env), queueUrl(record), record.receiptHandle, seconds);
