import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SQSEvent } from 'aws-lambda';
import { afterAll, expect, test } from 'vitest';
import { dynamodbOf, s3Of, sendTo } from './sample-clients.ts';
import { bucket, functionNamed, jobsFor, table, templateOf } from './sample-template.ts';
import { type LocalStack, startLocalStack } from './stack.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-stack-'));
afterAll(() => rmSync(folder, { recursive: true }));

const template = templateOf(functionNamed('Worker'), jobsFor('Worker', { visibilitySeconds: 30 }), table, bucket, {
  Key: { Type: 'AWS::SecretsManager::Secret', Properties: { Name: 'key', GenerateSecretString: {} } },
});
const item = { pk: { S: 'a' }, sk: { S: 'b' }, n: { N: '1' } };

const keyOf = async (stack: LocalStack): Promise<string | undefined> => {
  const endpoint = stack.environment['AWS_ENDPOINT_URL_SECRETS_MANAGER'] ?? '';
  const client = new SecretsManagerClient({ endpoint, region: 'us-east-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } });
  return (await client.send(new GetSecretValueCommand({ SecretId: 'key' }))).SecretString;
};

test('items, objects, generated secrets and queued messages are there after the next start', async () => {
  const first = await startLocalStack({ template, folder, handlers: { worker: async () => async () => undefined } });
  await dynamodbOf(first).send(new PutItemCommand({ TableName: first.physical('State'), Item: item }));
  await s3Of(first).send(new PutObjectCommand({ Bucket: first.physical('Objects'), Key: 'k', Body: 'v' }));
  await sendTo(first, 'Jobs', 'tomorrow', 1);
  const key = await keyOf(first);
  await first.stop();

  const seen: string[] = [];
  const worker = async ({ Records }: SQSEvent) => void seen.push(...Records.map(({ body }) => body));
  const second = await startLocalStack({ template, folder, handlers: { worker: async () => worker } });
  const got = await dynamodbOf(second).send(new GetItemCommand({ TableName: second.physical('State'), Key: { pk: item.pk, sk: item.sk } }));
  expect(got.Item).toEqual(item);
  const object = await s3Of(second).send(new GetObjectCommand({ Bucket: second.physical('Objects'), Key: 'k' }));
  expect(await object.Body?.transformToString()).toBe('v');
  expect(await keyOf(second)).toBe(key);
  await second.idle();
  expect(seen).toEqual(['tomorrow']);
  await second.stop();
});

test('a second start in one process can take the ports of the first', async () => {
  const first = await startLocalStack({ template: templateOf(table), handlers: {} });
  await first.stop();
  const second = await startLocalStack({ template: templateOf(table), handlers: {}, ports: first.ports });
  expect(second.ports).toEqual(first.ports);
  await second.stop();
});

test('nothing keeps the process alive after a stop', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'start-and-stop.fixture.ts')], { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.resume();
  const kill = setTimeout(() => child.kill(), 20_000);
  expect(await once(child, 'exit')).toEqual([0, null]);
  clearTimeout(kill);
});
