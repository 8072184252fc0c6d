import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { LocalStack } from './stack.ts';

const clientFor = (stack: LocalStack, service: 'DYNAMODB' | 'S3' | 'SQS') => ({
  endpoint: stack.environment[`AWS_ENDPOINT_URL_${service}`] ?? '',
  region: 'us-east-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  maxAttempts: 1,
});

/** SDK clients for the tests of this folder, as code outside the functions makes them. */
export const dynamodbOf = (stack: LocalStack): DynamoDBClient => new DynamoDBClient(clientFor(stack, 'DYNAMODB'));
export const s3Of = (stack: LocalStack): S3Client => new S3Client(clientFor(stack, 'S3'));
export const sqsOf = (stack: LocalStack): SQSClient => new SQSClient(clientFor(stack, 'SQS'));

/** Sends one message to a queue by logical id. */
export async function sendTo(stack: LocalStack, queueId: string, body: string, delaySeconds = 0): Promise<void> {
  const client = sqsOf(stack);
  await client.send(new SendMessageCommand({ QueueUrl: stack.physical(queueId), MessageBody: body, DelaySeconds: delaySeconds }));
  client.destroy();
}
