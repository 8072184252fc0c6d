import { once } from 'node:events';
import { connect } from 'node:net';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SQSEvent } from 'aws-lambda';
import { afterEach, describe, expect, test } from 'vitest';
import { dynamodbOf, s3Of, sendTo } from './sample-clients.ts';
import { bucket, functionNamed, jobsFor, table, templateOf } from './sample-template.ts';
import { type LocalStack, type LocalStackOptions, startLocalStack } from './stack.ts';

let stack: LocalStack | undefined;
afterEach(() => stack?.stop());

async function start(options: LocalStackOptions): Promise<LocalStack> {
  stack = await startLocalStack(options);
  return stack;
}

describe('everything comes from the template', () => {
  test('a queue, a rule and a variable that are added to it are there locally', async () => {
    const template = templateOf(functionNamed('Worker'), jobsFor('Worker'));
    template.Resources['Audit'] = { Type: 'AWS::SQS::Queue' };
    template.Resources['Bus'] = { Type: 'AWS::Events::EventBus', Properties: { Name: 'release' } };
    template.Resources['Failed'] = {
      Type: 'AWS::Events::Rule',
      Properties: {
        EventBusName: { Ref: 'Bus' },
        EventPattern: { source: ['lockkeeper'], 'detail-type': ['run failed'] },
        Targets: [{ Id: 'T', Arn: { 'Fn::GetAtt': ['Audit', 'Arn'] } }],
      },
    };
    const worker = template.Resources['Worker']?.Properties as { Environment: { Variables: Record<string, unknown> } };
    worker.Environment.Variables['AUDIT'] = { Ref: 'Audit' };

    const running = await start({ template, handlers: { worker: async () => async () => process.env['AUDIT'] } });
    expect(await running.invoke('worker', {})).toBe(running.physical('Audit'));

    const events = new EventBridgeClient({ endpoint: running.environment['AWS_ENDPOINT_URL_EVENTBRIDGE'] ?? '', region: 'us-east-1', credentials });
    const entry = (DetailType: string) => ({ EventBusName: 'release', Source: 'lockkeeper', DetailType, Detail: '{}' });
    await events.send(new PutEventsCommand({ Entries: [entry('run failed'), entry('run complete')] }));
    expect((await running.queueDepths())['Audit']).toEqual({ visible: 1, inFlight: 0, delayed: 0 });
    expect(running.events().map((event) => event['detail-type'])).toEqual(['run failed', 'run complete']);
  });

  test('a type nobody here knows stops the start with its logical id, and nothing stays open', async () => {
    const template = templateOf({ Stream: { Type: 'AWS::Kinesis::Stream' } });
    await expect(startLocalStack({ template, handlers: {} })).rejects.toMatchObject({
      code: 'TEMPLATE_UNSUPPORTED',
      message: expect.stringContaining('Stream'),
    });
  });

  test('a function without a handler is an error that names both', async () => {
    const running = await start({ template: templateOf(functionNamed('Worker')), handlers: {} });
    await expect(running.invoke('worker', {})).rejects.toThrow(/Worker.*worker/);
  });
});

const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

describe('functions', () => {
  test('get their event through JSON and answer through JSON', async () => {
    const running = await start({
      template: templateOf(functionNamed('Echo')),
      handlers: { echo: async () => async (event: { at: unknown }) => ({ got: event.at, gone: undefined, when: new Date(0) }) },
    });
    expect(await running.invoke('echo', { at: new Date(0) })).toEqual({ got: '1970-01-01T00:00:00.000Z', when: '1970-01-01T00:00:00.000Z' });
  });

  test('see their own variables, the endpoints, and what the caller adds, which wins', async () => {
    const running = await start({
      template: templateOf(functionNamed('A', { variables: { MINE: 'a', TTL: '900' } }), functionNamed('B', { variables: { MINE: 'b' } })),
      handlers: { a: async () => async () => ({ ...process.env }), b: async () => async () => process.env['MINE'] },
      environment: { TTL: '18' },
    });
    expect(await running.invoke('a', {})).toMatchObject({ MINE: 'a', TTL: '18', AWS_REGION: 'us-east-1', ...running.environment });
    expect(await running.invoke('b', {})).toBe('b');
    expect(process.env['MINE']).toBeUndefined();
  });

  test('invoked by a schedule get its input, and a failed attempt is repeated as often as the template says', async () => {
    const inputs: unknown[] = [];
    const running = await start({
      template: templateOf(functionNamed('Sweep'), {
        Every: {
          Type: 'AWS::Scheduler::Schedule',
          Properties: { ScheduleExpression: 'rate(15 minutes)', Target: { Arn: { 'Fn::GetAtt': ['Sweep', 'Arn'] }, Input: '{"kind":"sweep"}' } },
        },
        Retries: { Type: 'AWS::Lambda::EventInvokeConfig', Properties: { FunctionName: { Ref: 'Sweep' }, MaximumRetryAttempts: 1, Qualifier: '$LATEST' } },
      }),
      handlers: {
        sweep: async () => async (event: unknown) => {
          inputs.push(event);
          throw new Error('always');
        },
      },
    });
    running.fire('Every');
    await running.idle();
    expect(inputs).toEqual([{ kind: 'sweep' }, { kind: 'sweep' }]);
  });

  test('invoked by a schedule are told when it was to happen, and what this stack cannot put into an input is refused', async () => {
    const inputs: { readonly at: string }[] = [];
    const scheduled = (input: string) =>
      start({
        template: templateOf(functionNamed('Sweep'), {
          Every: {
            Type: 'AWS::Scheduler::Schedule',
            Properties: { ScheduleExpression: 'rate(15 minutes)', Target: { Arn: { 'Fn::GetAtt': ['Sweep', 'Arn'] }, Input: input } },
          },
        }),
        handlers: { sweep: async () => async (event: { readonly at: string }) => void inputs.push(event) },
      });
    const running = await scheduled('{"at":"<aws.scheduler.scheduled-time>"}');
    running.fire('Every');
    await running.idle();
    expect(inputs[0]?.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    await expect(scheduled('{"id":"<aws.scheduler.execution-id>"}')).rejects.toThrow('<aws.scheduler.execution-id>');
  });
});

describe('secrets', () => {
  const template = templateOf({
    Key: {
      Type: 'AWS::SecretsManager::Secret',
      Properties: { Name: 'lockkeeper/key', GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true } },
    },
    Hook: { Type: 'AWS::SecretsManager::Secret', Properties: { Name: 'lockkeeper/hook' } },
  });

  test('are generated where the template says so, given by the caller, and not there otherwise', async () => {
    const running = await start({ template, handlers: {}, secrets: { 'lockkeeper/preview/TOKEN': 'given' } });
    const client = new SecretsManagerClient({ endpoint: running.environment['AWS_ENDPOINT_URL_SECRETS_MANAGER'] ?? '', region: 'us-east-1', credentials });
    const read = async (SecretId: string) => (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString;
    expect(await read('lockkeeper/preview/TOKEN')).toBe('given');
    expect(await read(running.physical('Key'))).toMatch(/^\w{64}$/);
    await expect(read('lockkeeper/hook')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });
});

describe('the table', () => {
  test('lets one of 50 parallel conditional updates win', async () => {
    const running = await start({ template: templateOf(table), handlers: {} });
    const client = dynamodbOf(running);
    const take = (holder: number) =>
      client.send(
        new UpdateItemCommand({
          TableName: running.physical('State'),
          Key: { pk: { S: 'SCOPE' }, sk: { S: 'LEASE' } },
          UpdateExpression: 'SET holder = :holder',
          ConditionExpression: 'attribute_not_exists(pk)',
          ExpressionAttributeValues: { ':holder': { N: String(holder) } },
        }),
      );
    const answers = await Promise.allSettled(Array.from({ length: 50 }, (_, index) => take(index)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('goes on after a client that went away in the middle of a request', async () => {
    const running = await start({ template: templateOf(table), handlers: {} });
    await breakOff(running.ports.dynamodb);
    await dynamodbOf(running).send(new UpdateItemCommand({ TableName: running.physical('State'), Key: { pk: { S: 'a' }, sk: { S: 'b' } } }));
  });
});

/** Sends half a request and resets the connection, as a process does that is killed. */
async function breakOff(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  await new Promise((sent) => socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf', sent));
  socket.resetAndDestroy();
  await once(socket, 'close');
}

test('AWS requests are counted by service and operation, those of pollers apart', async () => {
  const running = await start({
    template: templateOf(functionNamed('Worker'), jobsFor('Worker'), table, bucket),
    handlers: { worker: async () => async () => undefined },
  });
  await sendTo(running, 'Jobs', 'x');
  await running.idle();
  await s3Of(running).send(new PutObjectCommand({ Bucket: running.physical('Objects'), Key: 'k', Body: 'v' }));
  const { functions, pollers } = await running.counts();
  expect(functions).toEqual({ 'sqs.SendMessage': 1, 's3.PutObject': 1 });
  expect(pollers).toMatchObject({ 'sqs.DeleteMessageBatch': 1, 'sqs.ReceiveMessage': expect.any(Number) });
  await running.resetCounts();
  expect((await running.counts()).functions).toEqual({});
});

test('a batch that fails is logged with the function and the queue', async () => {
  const lines: string[] = [];
  const running = await start({
    template: templateOf(functionNamed('Worker'), jobsFor('Worker', { maxReceiveCount: 1 })),
    handlers: {
      worker: async () => async (_: SQSEvent) => {
        throw new Error('broken');
      },
    },
    log: (message, error) => void lines.push(`${message}: ${error}`),
  });
  await sendTo(running, 'Jobs', 'x');
  await running.idle();
  expect(lines).toEqual(['Worker: a batch of lockkeeper-Jobs failed: Error: broken']);
});

test('idle that is not reached says what is left', async () => {
  const gate = Promise.withResolvers<void>();
  const running = await start({ template: templateOf(functionNamed('Worker'), jobsFor('Worker')), handlers: { worker: async () => () => gate.promise } });
  await sendTo(running, 'Jobs', 'x');
  await expect(running.idle({ withinMs: 100 })).rejects.toThrow(/lockkeeper-Jobs/);
  gate.resolve();
});

test('objects put by a client are read by another', async () => {
  const running = await start({ template: templateOf(bucket), handlers: {} });
  const where = { Bucket: running.physical('Objects'), Key: 'receipts/latest.json' };
  await s3Of(running).send(new PutObjectCommand({ ...where, Body: '{}' }));
  expect(await (await s3Of(running).send(new GetObjectCommand(where))).Body?.transformToString()).toBe('{}');
});
