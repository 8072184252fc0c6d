import { describe, expect, it } from 'vitest';
import { actionsOf, arnOf, functionOf, functionsOf, idOf, ofType, rightsOf, variablesOf } from '../test/template/reading.ts';
import { entries } from './bundle.ts';
import { synthesizeTemplate } from './template.ts';
import { awsTiming } from './timing.ts';

const template = synthesizeTemplate({ timing: awsTiming });
const items = ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query', 'dynamodb:UpdateItem'];
const queues = ['sqs:ChangeMessageVisibility', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage', 'sqs:SendMessage'];
const table = idOf(template, 'AWS::DynamoDB::Table', 'StateTable');
const secret = (name: string): unknown => ({ Ref: idOf(template, 'AWS::SecretsManager::Secret', `Secrets${name}`) });

describe('the functions', () => {
  it('are one for each entry point', () => {
    expect(functionsOf(template).map(({ entry }) => entry)).toEqual([...entries]);
  });

  it('run on Node.js 24 on ARM64, with no concurrency reserved', () => {
    for (const { properties } of functionsOf(template)) {
      expect(properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], Handler: 'index.handler' });
      expect(properties).not.toHaveProperty('ReservedConcurrentExecutions');
    }
  });

  it('write to a log group each, which forgets after 90 days', () => {
    const groups = functionsOf(template).map(({ properties }) => properties.LoggingConfig.LogGroup.Ref);
    expect(new Set(groups).size).toBe(6);
    for (const group of groups) expect(template.Resources[group]).toMatchObject({ Type: 'AWS::Logs::LogGroup', Properties: { RetentionInDays: 90 } });
  });

  it('are given the variables they read and no others', () => {
    const job = ['CLOCK_SKEW_SECONDS', 'CONTROL_QUEUE_URL', 'FUNCTION_TIMEOUT_SECONDS', 'LEASE_TTL_SECONDS', 'LINES_QUEUE_URL', 'NODE_OPTIONS', 'TABLE_NAME'];
    const tools = ['BUCKET_NAME', 'TOOL_APPLY_PROJECT', 'TOOL_PLAN_PROJECT'];
    const line = [...job, ...tools, 'FINGERPRINT_KEY_SECRET_ID', 'LINE_TIMEOUT_SECONDS', 'SEALING_KEY_SECRET_ID'];
    const run = [
      ...line,
      'EVENT_BUS_NAME',
      'GITHUB_APP_SECRET_ID',
      'REPOSITORIES',
      'SECRETS_PREFIX',
      'SECRETS_SOURCE',
      'SLACK_SECRET_ID',
      'STACK_NAME',
      'STATE_MACHINE_ARN',
    ];
    expect(variablesOf(template, 'github-webhook')).toEqual(['CONTROL_QUEUE_URL', 'NODE_OPTIONS', 'REPOSITORIES', 'TABLE_NAME', 'WEBHOOK_SECRET_ID']);
    expect(variablesOf(template, 'slack-interaction')).toEqual(['CONTROL_QUEUE_URL', 'NODE_OPTIONS', 'SLACK_SECRET_ID', 'TABLE_NAME']);
    expect(variablesOf(template, 'schedule')).toEqual(['CLOCK_SKEW_SECONDS', 'CONTROL_QUEUE_URL', 'FUNCTION_TIMEOUT_SECONDS', 'NODE_OPTIONS', 'TABLE_NAME']);
    expect(variablesOf(template, 'dead-letter')).toEqual(job);
    expect(variablesOf(template, 'line-worker')).toEqual(line.sort());
    expect(variablesOf(template, 'run-controller')).toEqual(run.sort());
  });

  it('know their own time-out, by which a claim is bounded (P1)', () => {
    for (const entry of ['run-controller', 'line-worker', 'dead-letter', 'schedule']) {
      const { Timeout, Environment } = functionOf(template, entry).properties;
      expect(Environment.Variables['FUNCTION_TIMEOUT_SECONDS']).toBe(String(Timeout));
    }
  });
});

describe('what a function may do', () => {
  it('is, for the webhook: put an item of a run, queue a control message, read the webhook secret', () => {
    const condition = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['RUN#*'] } };
    expect(rightsOf(template, 'github-webhook')).toEqual([
      { Effect: 'Allow', Action: 'dynamodb:PutItem', Resource: arnOf(table), Condition: condition },
      { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: arnOf(idOf(template, 'AWS::SQS::Queue', 'QueuesControl')) },
      { Effect: 'Allow', Action: 'secretsmanager:GetSecretValue', Resource: secret('Webhook') },
    ]);
  });

  it('is, for clicks in Slack: put a click, queue a control message, read the secret of the Slack app', () => {
    const condition = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['DELIVERY#slack#*'] } };
    expect(rightsOf(template, 'slack-interaction')).toEqual([
      { Effect: 'Allow', Action: 'dynamodb:PutItem', Resource: arnOf(table), Condition: condition },
      { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: arnOf(idOf(template, 'AWS::SQS::Queue', 'QueuesControl')) },
      { Effect: 'Allow', Action: 'secretsmanager:GetSecretValue', Resource: secret('Slack') },
    ]);
  });

  it('is, for the schedule: ask what is due and queue it', () => {
    expect(rightsOf(template, 'schedule')).toEqual([
      { Effect: 'Allow', Action: 'dynamodb:Query', Resource: { 'Fn::Join': ['', [arnOf(table), '/index/due']] } },
      { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: arnOf(idOf(template, 'AWS::SQS::Queue', 'QueuesControl')) },
    ]);
  });

  it('is, for the line worker: items, its queue, both queues to send to, and the two keys; tool jobs, their objects, and the roles that stacks are given', () => {
    const builds = ['codebuild:BatchGetBuilds', 'codebuild:StartBuild', 'codebuild:StopBuild'];
    const objects = ['s3:GetObject', 's3:ListBucket', 's3:PutObject'];
    expect(actionsOf(template, 'line-worker')).toEqual([...builds, ...items, ...objects, 'secretsmanager:GetSecretValue', ...queues, 'sts:AssumeRole']);
    const roles = rightsOf(template, 'line-worker').find(({ Action }) => Action === 'sts:AssumeRole');
    expect(JSON.stringify(roles?.Resource)).toContain(':iam::*:role/lockkeeper-stack-*');
    const secrets = rightsOf(template, 'line-worker').find(({ Action }) => Action === 'secretsmanager:GetSecretValue');
    expect(secrets?.Resource).toEqual([secret('FingerprintKey'), secret('SealingKey')]);
  });

  it('is, for the dead-letter function: items, the dead queues, both queues to send to; no secret', () => {
    expect(actionsOf(template, 'dead-letter')).toEqual([...items, ...queues]);
  });

  it('is, for the controller: objects, secrets of plans and the bus too; nothing is deleted from the bucket', () => {
    const objects = ['s3:GetObject', 's3:GetObjectVersion', 's3:ListBucket', 's3:ListBucketVersions', 's3:PutObject'];
    const machine = ['states:SendTaskSuccess', 'states:StartExecution'];
    expect(actionsOf(template, 'run-controller')).toEqual([
      'codebuild:BatchGetBuilds',
      'codebuild:StopBuild',
      ...items,
      'events:PutEvents',
      ...objects,
      'secretsmanager:GetSecretValue',
      ...queues,
      'ssm:GetParameter',
      ...machine,
    ]);
  });

  it('is, for the state machine: start it for the controller alone, and complete its tokens, no other machine’s', () => {
    const [machine] = ofType(template, 'AWS::StepFunctions::StateMachine').map(([id]) => id);
    const rights = functionsOf(template).flatMap(({ entry }) => rightsOf(template, String(entry)).map((right) => ({ entry, ...right })));
    expect(rights.filter(({ Action }) => String(Action).startsWith('states:'))).toEqual([
      { entry: 'run-controller', Effect: 'Allow', Action: 'states:StartExecution', Resource: { 'Fn::GetAtt': [machine, 'Arn'] } },
      { entry: 'run-controller', Effect: 'Allow', Action: 'states:SendTaskSuccess', Resource: { 'Fn::GetAtt': [machine, 'Arn'] } },
    ]);
  });

  it('does not reach from the controller to the webhook secret', () => {
    const pattern = /secret:(lockkeeper\/[^"]*)"/.exec(JSON.stringify(rightsOf(template, 'run-controller')))?.[1] ?? '';
    const reaches = (name: string): boolean => new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name);
    expect(reaches('lockkeeper/preview/NEON_API_KEY-AbCdEf')).toBe(true);
    expect(reaches('lockkeeper/github-webhook-AbCdEf')).toBe(false);
  });

  it('is never a wildcard action, and lies in the role alone', () => {
    const policies = ofType(template, 'AWS::IAM::Role').map(([, { Properties }]) => JSON.stringify(Properties?.['Policies']));
    for (const text of policies) expect(text).not.toMatch(/"[a-z0-9]+:[A-Za-z]*\*[A-Za-z]*"/);
    expect(ofType(template, 'AWS::IAM::Policy')).toEqual([]);
  });
});
