import { describe, expect, test } from 'vitest';
import { LockkeeperError } from '../../../shared/errors/error.ts';
import { kindsByType } from '../resources/kinds.ts';
import { functionNamed, jobsFor, templateOf } from '../sample-template.ts';
import { modelOf } from './stack-model.ts';
import type { Template } from './template.ts';

const place = { dynamodb: 'http://d', sqs: 'http://q', s3: 'http://s', aws: 'http://a', http: 'http://h' };
const model = (template: Template, parameters = {}) => modelOf(template, kindsByType, place, parameters);

function stopOf(template: Template): LockkeeperError {
  try {
    model(template);
  } catch (error) {
    if (error instanceof LockkeeperError) return error;
  }
  throw new Error('the template was accepted');
}

describe('a template the runner cannot run stops with the logical id', () => {
  test('for an unknown resource type', () => {
    const { code, message } = stopOf(templateOf({ Stream: { Type: 'AWS::Kinesis::Stream' } }));
    expect(code).toBe('TEMPLATE_UNSUPPORTED');
    expect(message).toMatch(/^Stream: .*AWS::Kinesis::Stream/);
  });

  test('for a reference to nothing', () => {
    expect(stopOf(templateOf(functionNamed('F', { variables: { X: { Ref: 'Ghost' } } }))).message).toMatch(/^Ghost: /);
  });

  test('for an attribute nobody here knows', () => {
    const parts = templateOf(functionNamed('F', { variables: { X: { 'Fn::GetAtt': ['Jobs', 'Colour'] } } }), jobsFor('F'));
    expect(stopOf(parts).message).toMatch(/^Jobs: .*Colour/);
  });

  test('for a parameter without a value', () => {
    const template = { ...templateOf(functionNamed('F', { variables: { X: { Ref: 'Stage' } } })), Parameters: { Stage: { Type: 'String' } } };
    expect(stopOf(template).message).toMatch(/^Stage: /);
  });
});

test('a parameter has the value given, else its default', () => {
  const template = { ...templateOf(), Parameters: { A: { Default: 'a' }, B: { Default: 'b' } }, Outputs: { O: { Value: { 'Fn::Sub': '${A}${B}' } } } };
  expect(model(template, { B: 'given' }).outputs).toEqual({ O: 'agiven' });
});

test('resources and outputs under a false condition do not exist', () => {
  const template: Template = {
    Conditions: { Never: { 'Fn::Equals': ['a', 'b'] } },
    Resources: { Gone: { Type: 'AWS::SQS::Queue', Condition: 'Never' }, Kept: { Type: 'AWS::SQS::Queue' } },
    Outputs: { Gone: { Condition: 'Never', Value: { Ref: 'Gone' } } },
  };
  expect(model(template).resources.map(({ id }) => id)).toEqual(['Kept']);
  expect(model(template).outputs).toEqual({});
});

test('a queue is found by its ARN, its name and its URL, which lies on the loopback endpoint', () => {
  const { find, identity } = model(templateOf(functionNamed('F'), jobsFor('F')));
  expect(identity('Jobs').ref).toBe('http://q/000000000000/lockkeeper-Jobs');
  for (const reference of [identity('Jobs').ref, 'lockkeeper-Jobs', 'arn:aws:sqs:us-east-1:000000000000:lockkeeper-Jobs']) {
    expect(find(reference)?.id).toBe('Jobs');
  }
});

test('the URL of an HTTP API is the local port', () => {
  const url = { 'Fn::Join': ['', ['https://', { Ref: 'Api' }, '.execute-api.', { Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }, '/hook']] };
  const template = { ...templateOf({ Api: { Type: 'AWS::ApiGatewayV2::Api' } }), Outputs: { Url: { Value: url } } };
  expect(model(template).outputs).toEqual({ Url: 'http://h/hook' });
});
