import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { functionNamed, templateOf } from '../sample-template.ts';
import { type LocalStack, startLocalStack } from '../stack.ts';

let stack: LocalStack;
let respond: (event: APIGatewayProxyEventV2) => unknown = () => ({ statusCode: 204 });

beforeAll(async () => {
  stack = await startLocalStack({
    template: {
      ...templateOf(functionNamed('Hook'), {
        Url: { Type: 'AWS::Lambda::Url', Properties: { AuthType: 'NONE', TargetFunctionArn: { 'Fn::GetAtt': ['Hook', 'Arn'] } } },
        Api: { Type: 'AWS::ApiGatewayV2::Api' },
        Integration: {
          Type: 'AWS::ApiGatewayV2::Integration',
          Properties: { IntegrationType: 'AWS_PROXY', IntegrationUri: { 'Fn::GetAtt': ['Hook', 'Arn'] }, PayloadFormatVersion: '2.0' },
        },
        Route: {
          Type: 'AWS::ApiGatewayV2::Route',
          Properties: { RouteKey: 'POST /hook/{id}', Target: { 'Fn::Join': ['', ['integrations/', { Ref: 'Integration' }]] } },
        },
      }),
      Outputs: { Url: { Value: { 'Fn::GetAtt': ['Url', 'FunctionUrl'] } } },
    },
    handlers: { hook: async () => async (event: APIGatewayProxyEventV2) => respond(event) },
  });
});
afterAll(() => stack.stop());

/** Posts, and returns the event the function got. */
async function eventFor(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Promise<APIGatewayProxyEventV2> {
  const got = Promise.withResolvers<APIGatewayProxyEventV2>();
  respond = (event) => {
    got.resolve(event);
    return { statusCode: 204 };
  };
  await fetch(`${stack.httpUrl}/hook/7?a=1&a=2&b=x%20y`, { method: 'POST', body, headers });
  return got.promise;
}

describe('the event of a route', () => {
  test('has payload format 2.0: route, path, query, headers in lower case', async () => {
    const event = await eventFor('{}', { 'X-GitHub-Event': 'ping', 'content-type': 'application/json' });
    expect(event).toMatchObject({
      version: '2.0',
      routeKey: 'POST /hook/{id}',
      rawPath: '/hook/7',
      rawQueryString: 'a=1&a=2&b=x%20y',
      queryStringParameters: { a: '1,2', b: 'x y' },
      pathParameters: { id: '7' },
      headers: { 'x-github-event': 'ping' },
      requestContext: { http: { method: 'POST', path: '/hook/7' } },
    });
  });

  test.each([
    ['{"a": "ä\\u0000",\r\n  "b":1}', 'application/json', false],
    ['payload=%7B%7D', 'application/x-www-form-urlencoded', false],
    [new Uint8Array([0xff, 0xfe, 0x00, 0x80]), 'application/json', true],
    [new Uint8Array([0x1f, 0x8b, 0x08]), 'application/octet-stream', true],
  ])('keeps the bytes of its body: %j as %s', async (sent, type, base64) => {
    const event = await eventFor(sent, { 'content-type': type });
    expect(event.isBase64Encoded).toBe(base64);
    expect(Buffer.from(event.body ?? '', base64 ? 'base64' : 'utf8').equals(Buffer.from(sent))).toBe(true);
  });
});

describe('the answer of a function', () => {
  const answered = async (answer: unknown, url = `${stack.httpUrl}/hook/7`) => {
    respond = () => answer;
    return fetch(url, { method: 'POST' });
  };

  test('has its status, headers, cookies and binary body', async () => {
    const response = await answered({ statusCode: 418, headers: { 'X-Pot': 'tea' }, cookies: ['a=1', 'b=2'], body: 'AP8=', isBase64Encoded: true });
    expect(response.status).toBe(418);
    expect(response.headers.get('x-pot')).toBe('tea');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from([0, 255]));
  });

  test('without a status is JSON with status 200', async () => {
    const response = await answered({ ok: true });
    expect([response.status, await response.json()]).toEqual([200, { ok: true }]);
  });

  test('that throws is 500 behind a route and 502 behind a function URL', async () => {
    respond = () => {
      throw new Error('no');
    };
    expect((await fetch(`${stack.httpUrl}/hook/7`, { method: 'POST' })).status).toBe(500);
    expect((await fetch(stack.outputs['Url'] ?? '')).status).toBe(502);
  });
});

test('a path without a route is 404', async () => {
  expect((await fetch(`${stack.httpUrl}/nowhere`)).status).toBe(404);
});
