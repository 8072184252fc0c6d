import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { expect, test } from 'vitest';
import { AnswerLost } from '../../shared/ports/table.ts';
import { countingIds } from '../../test/ports/counting-ids.ts';
import { eventOf } from '../../test/ports/in-slack.ts';
import { manualClock } from '../../test/ports/manual-clock.ts';
import { memoryTable } from '../../test/ports/memory-table.ts';
import { payloadOf, type SlackRequest, signed } from '../../test/sim/slack/press.ts';
import { MAX_BODY_BYTES } from './admission.ts';
import { interaction } from './interaction.ts';

const secret = 'the signing secret of a workspace';
const question = { run: '5d41402abc4b2a76b9719d911017c592', q: 1, digest: 'a'.repeat(64) };
const value = JSON.stringify({ repository: '7101', ...question });
const place = { user: 'U0000ROBIN', team: 'T0000ACME', channel: 'C0RELEASES', ts: '1767225600.000100' };
const approve = (more: Partial<{ action_id: string; value: string }> = {}) =>
  payloadOf({ ...place, action: { action_id: 'lockkeeper-approve', value, ...more } });

function open({ setUp = true, lose = 0, full = false }: { setUp?: boolean; lose?: number; full?: boolean } = {}) {
  const clock = manualClock();
  const memory = memoryTable();
  const sent: unknown[] = [];
  const logged: string[] = [];
  const calls: string[] = [];
  let left = lose;
  const say = (message: string, fields?: object): void => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const world = {
    clock,
    ids: countingIds(),
    log: { info: say, warn: say, error: say },
    signingSecret: async () => (setUp ? secret : undefined),
    table: {
      async write(...write: Parameters<typeof memory.table.write>) {
        calls.push('put');
        const answer = await memory.table.write(...write);
        if (left-- > 0) throw new AnswerLost('the test lost this answer');
        return answer;
      },
    },
    queues: {
      async control(message: unknown) {
        calls.push('send');
        if (full) throw new Error('the queue is away');
        sent.push(message);
      },
    },
  };
  const take = async (event: APIGatewayProxyEventV2) => (await interaction(world, event)).statusCode;
  return { clock, memory, sent, logged, calls, take, click: (payload: object = approve()) => signed(payload, secret, clock.now()) };
}

const forged = (request: SlackRequest, headers: Record<string, string>): APIGatewayProxyEventV2 =>
  eventOf({ ...request, headers: { ...request.headers, ...headers } });

test('a click is recorded and queued: two calls, and an empty answer', async () => {
  const { take, click, calls, memory, sent } = open();
  expect(await take(eventOf(click()))).toBe(200);
  expect(calls).toEqual(['put', 'send']);
  const [item] = memory.items();
  expect(item).toMatchObject({
    pk: expect.stringMatching(/^DELIVERY#slack#[0-9a-f]{32}$/),
    verdict: 'approve',
    user: 'U0000ROBIN',
    team: 'T0000ACME',
    question,
    status: 'recorded',
  });
  expect(sent).toEqual([{ format: 1, run: item?.['id'], group: '7101' }]);
});

test('what lets anybody answer in Slack is neither stored nor logged', async () => {
  const { take, click, memory, logged } = open();
  const request = click();
  expect(decodeURIComponent(request.body)).toContain('responseurlsecret');
  await take(eventOf(request));
  expect(JSON.stringify([memory.items(), logged])).not.toMatch(/responseurl|hooks\.slack|trigger|verification-token|v0=/);
});

test('a body that comes as base64 is signed as the bytes it was', async () => {
  const { take, click } = open();
  const { headers, body } = click();
  expect(await take({ ...eventOf({ headers, body: Buffer.from(body).toString('base64') }), isBase64Encoded: true })).toBe(200);
});

test.each<[string, (request: SlackRequest) => APIGatewayProxyEventV2]>([
  ['a forged signature', (request) => forged(request, { 'x-slack-signature': `v0=${'0'.repeat(64)}` })],
  ['no signature', ({ body }) => eventOf({ headers: {}, body })],
  ['a signature of another version', (request) => forged(request, { 'x-slack-signature': String(request.headers['x-slack-signature']).replace('v0', 'v1') })],
  ['a changed body', (request) => eventOf({ ...request, body: request.body.replace('approve', 'reject%20') })],
  ['another time than was signed', (request) => forged(request, { 'x-slack-request-timestamp': '1767225601' })],
  ['a time that is no number', (request) => forged(request, { 'x-slack-request-timestamp': '1e9' })],
])('%s is refused, and nothing is stored', async (_what, tamper) => {
  const { take, click, calls } = open();
  expect(await take(tamper(click()))).toBe(401);
  expect(calls).toEqual([]);
});

test('a request is taken for five minutes, either way, and no longer', async () => {
  const old = open();
  const request = old.click();
  old.clock.advance(300_000);
  expect(await old.take(eventOf(request))).toBe(200);
  const older = open();
  const late = older.click();
  older.clock.advance(301_000);
  expect(await older.take(eventOf(late))).toBe(401);
  const early = open();
  expect(await early.take(eventOf(signed(approve(), secret, early.clock.now() + 301_000)))).toBe(401);
  expect([older.calls, early.calls]).toEqual([[], []]);
});

test('the very same request a second time is answered and not queued (I10)', async () => {
  const { take, click, sent, calls } = open();
  const request = click();
  await take(eventOf(request));
  expect(await take(eventOf(request))).toBe(200);
  expect(sent).toHaveLength(1);
  expect(calls).toEqual(['put', 'send', 'put']);
});

test('told once more with a signature of its own, a click is still one (I10)', async () => {
  const { take, click, sent, clock } = open();
  const payload = approve();
  await take(eventOf(click(payload)));
  clock.advance(60_000);
  expect(await take(eventOf(click(payload)))).toBe(200);
  expect(sent).toHaveLength(1);
});

test('a put whose answer was lost is sent again, and queued', async () => {
  const { take, click, calls, memory } = open({ lose: 1 });
  expect(await take(eventOf(click()))).toBe(200);
  expect(calls).toEqual(['put', 'put', 'send']);
  expect(memory.items()).toHaveLength(1);
});

test('where it cannot be recorded or queued, Slack tells whoever clicked', async () => {
  const silent = open({ lose: 2 });
  expect(await silent.take(eventOf(silent.click()))).toBe(503);
  const full = open({ full: true });
  expect(await full.take(eventOf(full.click()))).toBe(503);
  expect(full.memory.items()).toMatchObject([{ status: 'recorded' }]);
});

test.each<[string, object]>([
  ['another button', approve({ action_id: 'somebody-elses' })],
  ['a button whose value is none of ours', approve({ value: '{}' })],
  ['a digest that is none', approve({ value: JSON.stringify({ repository: '7101', ...question, digest: 'b' }) })],
  ['a dialog', { type: 'view_submission', team: { id: 'T0000ACME' }, user: { id: 'U0000ROBIN' } }],
])('%s is answered and forgotten', async (_what, payload) => {
  const { take, click, calls } = open();
  expect(await take(eventOf(click(payload)))).toBe(200);
  expect(calls).toEqual([]);
});

test('a body without a payload, or too large, or where nobody has set up Slack, is refused', async () => {
  const { take, clock, calls } = open();
  const empty = signed({}, secret, clock.now());
  expect(await take(eventOf({ ...empty, body: 'x'.repeat(MAX_BODY_BYTES + 1) }))).toBe(413);
  const bare = open({ setUp: false });
  expect(await bare.take(eventOf(bare.click()))).toBe(404);
  expect([calls, bare.calls]).toEqual([[], []]);
});

test('a button that is named as something every object has is none of a card’s', async () => {
  const { take, click, memory, sent } = open();
  for (const action_id of ['constructor', '__proto__', 'toString', 'lockkeeper-approve ']) expect(await take(eventOf(click(approve({ action_id }))))).toBe(200);
  expect({ items: memory.items(), sent }).toEqual({ items: [], sent: [] });
});
