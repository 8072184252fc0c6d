import type { Message, MessageAttributeValue } from '@aws-sdk/client-sqs';
import { z } from 'zod';
import { region } from '../template/place.ts';

/** The records of an SQS event, as Lambda hands them to a function. */
export function recordsOf(messages: readonly Message[], queueArn: string): unknown[] {
  return messages.map((message) => ({
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes ?? {},
    messageAttributes: Object.fromEntries(Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [name, attributeOf(value)])),
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: region,
  }));
}

function attributeOf(value: MessageAttributeValue): unknown {
  const binary = value.BinaryValue && Buffer.from(value.BinaryValue).toString('base64');
  return { stringValue: value.StringValue, binaryValue: binary, stringListValues: [], binaryListValues: [], dataType: value.DataType };
}

const answerSchema = z.looseObject({ batchItemFailures: z.array(z.looseObject({ itemIdentifier: z.string().min(1) })).nullish() }).nullish();

/**
 * Ids of the messages that failed, by a function's partial batch answer. It fails closed: an answer of another shape, or one that
 * names a message outside the batch, fails the whole batch. In a FIFO batch everything after the first failure fails with it.
 */
export function failedOf(answer: unknown, messages: readonly Message[], fifo: boolean): ReadonlySet<string> {
  const ids = messages.map((message) => message.MessageId ?? '');
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) return new Set(ids);
  const named = (parsed.data?.batchItemFailures ?? []).map((failure) => failure.itemIdentifier);
  if (named.some((id) => !ids.includes(id))) return new Set(ids);
  if (fifo && named.length > 0) return new Set(ids.slice(ids.findIndex((id) => named.includes(id))));
  return new Set(named);
}
