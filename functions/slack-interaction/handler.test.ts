import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type ScriptedEndpoint, scriptedEndpoint } from '../../test/contract/scripted-endpoint.ts';
import { eventOf } from '../../test/ports/in-slack.ts';
import { payloadOf, signed } from '../../test/sim/slack/press.ts';
import { handler } from './handler.ts';

const signingSecret = 'a signing secret of the app';
const botToken = 'xoxb-a-bot-token-of-the-app';
const value = JSON.stringify({ repository: '1296269', run: '5d41402abc4b2a76b9719d911017c592', q: 1, digest: 'a'.repeat(64) });
let aws: ScriptedEndpoint;

beforeAll(async () => {
  aws = await scriptedEndpoint(({ operation, input }) => ({ body: answerOf(operation, input) }));
  for (const [name, variable] of Object.entries({
    AWS_ENDPOINT_URL: aws.url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
    TABLE_NAME: 'state',
    CONTROL_QUEUE_URL: 'http://127.0.0.1/000000000000/control',
    SLACK_SECRET_ID: 'slack',
  }))
    vi.stubEnv(name, variable);
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  vi.unstubAllEnvs();
  await aws.stop();
});

/** As AWS answers: the client compares the digest of a message with its own. */
function answerOf(operation: string, input: Record<string, unknown>): object {
  if (operation === 'GetSecretValue') return { SecretString: JSON.stringify({ botToken, signingSecret }) };
  if (operation === 'SendMessage') return { MessageId: 'm-1', MD5OfMessageBody: createHash('md5').update(String(input['MessageBody'])).digest('hex') };
  return {};
}

const click = (secret = signingSecret) =>
  handler(
    eventOf(
      signed(
        payloadOf({ user: 'U0000ROBIN', team: 'T0000ACME', channel: 'C0RELEASES', ts: '1.2', action: { action_id: 'lockkeeper-approve', value } }),
        secret,
        Date.now(),
      ),
    ),
  );

it('reads its secret once, and then answers with one put and one message a click', async () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect((await click()).statusCode).toBe(200);
  expect((await click()).statusCode).toBe(200);
  expect((await click('guessed, and long enough')).statusCode).toBe(401);

  expect(aws.requests.map(({ operation }) => operation)).toEqual(['GetSecretValue', 'PutItem', 'SendMessage', 'PutItem', 'SendMessage']);
  const [, put, message] = aws.requests;
  expect(put?.input).toMatchObject({ TableName: 'state', Item: { pk: { S: expect.stringMatching(/^DELIVERY#slack#[0-9a-f]{32}$/) }, sk: { S: 'DELIVERY' } } });
  expect(put?.input['ConditionExpression']).toContain('attribute_not_exists');
  expect(message?.input).toMatchObject({ MessageGroupId: '1296269' });
  const lines = written.mock.calls.map(([line]) => String(line));
  expect(lines.map((line) => JSON.parse(line).level)).toEqual(['info', 'info', 'warn']);
  expect(lines.join('')).not.toMatch(/xoxb|signing secret of the app/);
});
