import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { handler } from './handler.ts';

const secret = 'a secret of the webhook';
const body = readFileSync(new URL('../../events/samples/github-pull-request.json', import.meta.url), 'utf8');

/** AWS as far as the webhook uses it: what was asked, by operation. */
const asked: { operation: string; input: Record<string, unknown> }[] = [];
const answers: Record<string, (input: Record<string, unknown>) => object> = {
  GetSecretValue: () => ({ SecretString: secret }),
  PutItem: () => ({}),
  SendMessage: ({ MessageBody }) => ({ MessageId: '1', MD5OfMessageBody: createHash('md5').update(String(MessageBody)).digest('hex') }),
};
let aws: Server;

beforeAll(async () => {
  aws = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    const input = JSON.parse(text);
    asked.push({ operation, input });
    response.setHeader('content-type', 'application/x-amz-json-1.0');
    response.end(JSON.stringify(answers[operation]?.(input) ?? {}));
  });
  await new Promise<void>((resolve) => aws.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${(aws.address() as AddressInfo).port}`);
  for (const [name, value] of Object.entries({
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
    TABLE_NAME: 'state',
    CONTROL_QUEUE_URL: 'http://127.0.0.1/000000000000/control',
    WEBHOOK_SECRET_ID: 'webhook-secret',
    REPOSITORIES: 'acme/storefront',
  }))
    vi.stubEnv(name, value);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => {
  vi.unstubAllEnvs();
  aws.closeAllConnections();
  aws.close();
});

function deliver(signedWith = secret) {
  const headers = {
    'x-github-event': 'pull_request',
    'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    'x-hub-signature-256': `sha256=${createHmac('sha256', signedWith).update(body).digest('hex')}`,
  };
  return handler({ headers, body, isBase64Encoded: false } as unknown as APIGatewayProxyEventV2, {} as Context);
}

it('reads its secret once, and then answers with one put and one message a delivery', async () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect((await deliver()).statusCode).toBe(202);
  expect((await deliver()).statusCode).toBe(202);
  expect((await deliver('guessed')).statusCode).toBe(401);

  expect(asked.map((one) => one.operation)).toEqual(['GetSecretValue', 'PutItem', 'SendMessage', 'PutItem', 'SendMessage']);
  const [, put, message] = asked;
  expect(put?.input).toMatchObject({
    TableName: 'state',
    Item: { pk: { S: expect.stringMatching(/^RUN#[0-9a-f]{32}$/) }, sk: { S: 'META' }, status: { S: 'recorded' } },
  });
  expect(put?.input['ConditionExpression']).toContain('attribute_not_exists');
  expect(message?.input).toMatchObject({ QueueUrl: 'http://127.0.0.1/000000000000/control', MessageGroupId: '1296269' });
  const lines = written.mock.calls.map(([line]) => JSON.parse(String(line)));
  expect(lines.map((line) => line.level)).toEqual(['info', 'info', 'warn']);
});
