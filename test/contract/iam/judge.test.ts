import { describe, expect, it } from 'vitest';
import { type AwsCall, callsOf } from './call.ts';
import type { Grant } from './grant.ts';
import { judge, missingStatement } from './judge.ts';
import type { RecordedRequest } from './recorder.ts';

const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/T';
const grant = (change: Partial<Grant> = {}): Grant => ({
  entry: 'worker',
  effect: 'Allow',
  action: 'dynamodb:PutItem',
  resource: table,
  condition: {},
  ...change,
});
const put = (change: Partial<AwsCall> = {}): AwsCall => ({
  caller: 'worker',
  action: 'dynamodb:PutItem',
  resource: table,
  keys: { 'dynamodb:LeadingKeys': ['RUN#1'] },
  ...change,
});
const request = (change: Partial<RecordedRequest>): RecordedRequest => ({
  caller: 'worker',
  service: 'dynamodb',
  method: 'POST',
  url: '/',
  headers: {},
  body: '',
  status: 200,
  ...change,
});

describe('a call', () => {
  it('is denied unless its own function is granted that action on that resource', () => {
    expect(judge([grant()], put()).allowed).toBe(true);
    expect(judge([], put()).allowed).toBe(false);
    expect(judge([grant({ entry: 'webhook' })], put()).allowed).toBe(false);
    expect(judge([grant({ action: 'dynamodb:GetItem' })], put()).allowed).toBe(false);
    expect(judge([grant({ resource: `${table}/index/due` })], put()).allowed).toBe(false);
    expect(missingStatement(put())).toBe(`{"Effect":"Allow","Action":"dynamodb:PutItem","Resource":"${table}"}`);
  });

  it('is denied by a denial, whatever allows it', () => {
    expect(judge([grant(), grant({ effect: 'Deny', action: 'dynamodb:*' })], put()).allowed).toBe(false);
  });

  it('is held to the leading keys of a condition', () => {
    const runs = grant({ condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['RUN#*'] } } });
    expect(judge([runs], put()).allowed).toBe(true);
    expect(judge([runs], put({ keys: { 'dynamodb:LeadingKeys': ['SCOPE#1'] } })).allowed).toBe(false);
    expect(judge([runs], put({ keys: { 'dynamodb:LeadingKeys': ['RUN#1', 'SCOPE#1'] } })).allowed).toBe(false);
  });

  it('is not judged by an operator nobody has read up on', () => {
    expect(() => judge([grant({ condition: { Bool: { 'aws:SecureTransport': ['true'] } } })], put())).toThrow('condition operator Bool');
  });
});

describe('the rights a request needs', () => {
  const target = (operation: string) => ({ 'x-amz-target': `DynamoDB_20120810.${operation}` });

  it('are, for a query of an index, those of the index, under the partition asked for', () => {
    const body = JSON.stringify({
      TableName: 'T',
      IndexName: 'due',
      KeyConditionExpression: '#a = :a AND #b <= :b',
      ExpressionAttributeValues: { ':a': { S: 'open' }, ':b': { S: 'x' } },
    });
    expect(callsOf(request({ headers: target('Query'), body }))).toEqual([
      { caller: 'worker', action: 'dynamodb:Query', resource: `${table}/index/due`, keys: { 'dynamodb:LeadingKeys': ['open'] } },
    ]);
  });

  it('are, for a batch of messages, those of the single operation on the queue', () => {
    const body = JSON.stringify({ QueueUrl: 'http://127.0.0.1:1/000000000000/lines' });
    const [call] = callsOf(request({ service: 'sqs', headers: { 'x-amz-target': 'AmazonSQS.SendMessageBatch' }, body }));
    expect(call).toMatchObject({ action: 'sqs:SendMessage', resource: 'arn:aws:sqs:us-east-1:000000000000:lines' });
  });

  it('are, for an object that is not there, the list too; for a put on an ETag, the read', () => {
    const actions = (change: Partial<RecordedRequest>) =>
      callsOf(request({ service: 's3', url: '/bucket/a/b', method: 'GET', ...change })).map(({ action }) => action);
    expect(actions({})).toEqual(['s3:GetObject']);
    expect(actions({ status: 404 })).toEqual(['s3:GetObject', 's3:ListBucket']);
    expect(actions({ url: '/bucket/a?versionId=1' })).toEqual(['s3:GetObjectVersion']);
    expect(actions({ url: '/bucket?versions&prefix=a' })).toEqual(['s3:ListBucketVersions']);
    expect(actions({ method: 'PUT', headers: { 'if-match': '"1"' } })).toEqual(['s3:PutObject', 's3:GetObject']);
    expect(() => actions({ method: 'DELETE' })).toThrow('sends DELETE /bucket/a/b to S3');
  });

  it('are, for a secret by its name, those of the ARN with the six characters AWS adds', () => {
    const [call] = callsOf(request({ service: 'secretsmanager', headers: { 'x-amz-target': 'secretsmanager.GetSecretValue' }, body: '{"SecretId":"a/b/C"}' }));
    expect(call?.resource).toMatch(/:secret:a\/b\/C-\w{6}$/);
  });

  it('are not guessed for a service or a key that is not known', () => {
    expect(() => callsOf(request({ service: 'kms' }))).toThrow('calls kms');
    expect(() => callsOf(request({ headers: target('BatchWriteItem'), body: '{"RequestItems":{}}' }))).toThrow('BatchWriteItem names no key');
  });
});
