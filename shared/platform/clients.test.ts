import { expect, test } from 'vitest';
import { dynamoReads, dynamoWrites, s3Reads, sqs } from './clients.ts';

const environment = (endpoint: string) => ({ AWS_REGION: 'eu-central-1', AWS_ENDPOINT_URL: endpoint });

test('a client is made once for each endpoint', () => {
  expect(dynamoReads(environment('http://127.0.0.1:1'))).toBe(dynamoReads(environment('http://127.0.0.1:1')));
  expect(dynamoReads(environment('http://127.0.0.1:1'))).not.toBe(dynamoReads(environment('http://127.0.0.1:2')));
  expect(dynamoReads(environment('http://127.0.0.1:1'))).not.toBe(dynamoWrites(environment('http://127.0.0.1:1')));
});

test('conditional writes are attempted once, reads more often', async () => {
  expect(await dynamoWrites(environment('http://127.0.0.1:1')).config.maxAttempts()).toBe(1);
  expect(await dynamoReads(environment('http://127.0.0.1:1')).config.maxAttempts()).toBeGreaterThan(1);
});

test('the endpoint of one service goes before the endpoint of all', async () => {
  const client = sqs({ ...environment('http://127.0.0.1:1'), AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:9' });
  expect((await client.config.endpoint?.())?.port).toBe(9);
});

test('buckets are named in the path where the endpoint is a custom one, and in the host at AWS', () => {
  expect(s3Reads(environment('http://127.0.0.1:1')).config.forcePathStyle).toBe(true);
  expect(s3Reads({ AWS_REGION: 'eu-central-1' }).config.forcePathStyle).toBe(false);
});
