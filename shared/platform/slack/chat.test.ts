import { expect, test } from 'vitest';
import { fakeBotToken, fakeSlack } from '../../../test/ports/fake-slack.ts';
import { manualClock } from '../../../test/ports/manual-clock.ts';
import { problemOf } from '../../errors/error.ts';
import type { ChatMessage } from '../../ports/chat.ts';
import { slackChat } from './chat.ts';

const channel = 'C0RELEASES';
const message = (id: string): ChatMessage => ({
  text: 'hello',
  blocks: [{ type: 'section', block_id: id, text: { type: 'mrkdwn', text: 'hello', verbatim: true } }],
});

function open() {
  const clock = manualClock();
  return { clock, ...fakeSlack(clock) };
}

const problemFrom = async (call: Promise<unknown>) => call.then(() => undefined, problemOf);

test('posts, edits, replies, and finds what it posted by the id of its block', async () => {
  const { chat, cards, below, clock } = open();
  const place = await chat.post(channel, message('card'));
  await chat.update(place, { ...message('card'), text: 'edited' });
  const reply = await chat.post(channel, message('moved'), place.ts);
  expect(cards()).toMatchObject([{ ts: place.ts, text: 'edited', edits: 1 }]);
  expect(below(place.ts)).toMatchObject([{ ts: reply.ts }]);
  const around = { since: clock.now() - 1000, until: clock.now() + 1000 };
  expect(await chat.find(channel, 'card', around)).toEqual(place);
  expect(await chat.find(channel, 'moved', around)).toBeUndefined();
  expect(await chat.find(channel, 'moved', around, place.ts)).toEqual(reply);
  expect(await chat.find(channel, 'card', { since: clock.now() + 10_000, until: clock.now() + 20_000 })).toBeUndefined();
  expect(await chat.find(channel, 'card', { since: 0, until: clock.now() - 10_000 })).toBeUndefined();
});

test('looks through all pages of the time in which it was posted, and through none of what a busy channel says later', async () => {
  const { chat, clock, calls } = open();
  const place = await chat.post(channel, message('card'));
  for (let at = 0; at < 650; at += 1) await chat.post(channel, message(`other-${at}`));
  const within = { since: clock.now() - 1000, until: clock.now() + 1000 };
  clock.advance(60_000);
  for (let at = 0; at < 150; at += 1) await chat.post(channel, message(`later-${at}`));
  calls.length = 0;
  expect(await chat.find(channel, 'card', within)).toEqual(place);
  expect(calls).toHaveLength(7);
});

test('asks for its workspace once', async () => {
  const { chat, calls } = open();
  expect([await chat.team(), await chat.team()]).toEqual(['T0000ACME', 'T0000ACME']);
  expect(calls).toEqual(['auth.test']);
});

test('a workspace that could not be told is asked for again', async () => {
  const slack = fakeSlack(manualClock());
  slack.answer = () => ({ status: 200, body: { ok: false, error: 'fatal_error' } });
  expect((await problemFrom(slack.chat.team()))?.code).toBe('PROVIDER_TRANSIENT');
  slack.answer = undefined;
  expect(await slack.chat.team()).toBe('T0000ACME');
});

test.each([
  ['channel_not_found', 'PROVIDER_NOT_FOUND'],
  ['not_in_channel', 'PROVIDER_NOT_FOUND'],
  ['message_not_found', 'PROVIDER_NOT_FOUND'],
  ['invalid_auth', 'PROVIDER_AUTH'],
  ['missing_scope', 'PROVIDER_AUTH'],
  ['invalid_blocks', 'PROVIDER_INVALID'],
  ['a_word_of_next_year', 'PROVIDER_INVALID'],
  ['internal_error', 'PROVIDER_TRANSIENT'],
  ['ratelimited', 'PROVIDER_AGAIN'],
] as const)('%s is %s', async (error, code) => {
  const slack = fakeSlack(manualClock());
  slack.answer = () => ({ status: 200, body: { ok: false, error } });
  const problem = await problemFrom(slack.chat.post(channel, message('card')));
  expect(problem).toMatchObject({
    code,
    message: `slack: chat.postMessage was refused: ${error}.`,
    details: { host: 'slack', method: 'chat.postMessage', error },
  });
});

test('what Slack says in another tongue than its words is not repeated', async () => {
  const slack = fakeSlack(manualClock());
  slack.answer = () => ({ status: 200, body: { ok: false, error: `${fakeBotToken} is no token` } });
  expect((await problemFrom(slack.chat.post(channel, message('card'))))?.message).toBe('slack: chat.postMessage was refused: an unknown reason.');
});

test('a rate limit says when to come back, and a short one is waited out in place', async () => {
  const clock = manualClock();
  const slack = fakeSlack(clock);
  slack.answer = () => ({ status: 429, body: { ok: false, error: 'ratelimited' }, headers: { 'retry-after': '30' } });
  expect(await problemFrom(slack.chat.post(channel, message('card')))).toMatchObject({ code: 'PROVIDER_AGAIN', details: { at: clock.now() + 30_000 } });
});

test('a post that may have happened is not repeated; an edit is', async () => {
  const slack = fakeSlack(manualClock());
  const place = await slack.chat.post(channel, message('card'));
  let failures = 1;
  slack.answer = () => (failures-- > 0 ? { status: 503, body: {} } : undefined);
  await slack.chat.update(place, message('card'));
  failures = 1;
  expect((await problemFrom(slack.chat.post(channel, message('second'))))?.code).toBe('PROVIDER_TRANSIENT');
  expect(slack.cards()).toHaveLength(1);
});

test('what never answers is given up', async () => {
  const slack = fakeSlack(manualClock());
  slack.answer = () => 'hang';
  expect((await problemFrom(slack.chat.post(channel, message('card'))))?.code).toBe('PROVIDER_TIMEOUT');
});

test('an answer that is none of Slack’s is no answer', async () => {
  const slack = fakeSlack(manualClock());
  slack.answer = () => ({ status: 200, body: { ok: true } });
  expect((await problemFrom(slack.chat.post(channel, message('card'))))?.code).toBe('PROVIDER_RESPONSE');
  slack.answer = () => ({ status: 200, body: '<html>' });
  expect((await problemFrom(slack.chat.post(channel, message('card'))))?.code).toBe('PROVIDER_RESPONSE');
});

test('sends its token to Slack alone, in the header, and reads with forms', async () => {
  const seen: { url: string; init: RequestInit }[] = [];
  const chat = slackChat({
    baseUrl: 'https://slack.example/api',
    botToken: fakeBotToken,
    clock: manualClock(),
    redact: (text) => text,
    fetch: async (url, init = {}) => {
      seen.push({ url: String(url), init });
      return new Response(JSON.stringify({ ok: true, messages: [] }));
    },
  });
  await chat.find(channel, 'card', { since: 0, until: 1 });
  await chat.whisper(channel, 'U0000ROBIN', 'psst');
  expect(seen.map(({ url }) => url)).toEqual(['https://slack.example/api/conversations.history', 'https://slack.example/api/chat.postEphemeral']);
  expect(seen.map(({ init }) => new Headers(init.headers).get('content-type'))).toEqual([
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-8',
  ]);
  expect(seen.map(({ init }) => new Headers(init.headers).get('authorization'))).toEqual([`Bearer ${fakeBotToken}`, `Bearer ${fakeBotToken}`]);
});
