/**
 * Slack's Web API as far as a bot needs it. What it assumes, from the prose of docs.slack.dev (verified: against nothing, since Slack publishes
 * no description of its API):
 *
 * - S1  A refusal is 200 with `{ok: false, error}`; only a rate limit is 429, with `Retry-After`. Not verified.
 * - S2  Methods that write take JSON; those that read take forms, and do not see JSON at all. Not verified.
 * - S3  A `ts` names a message within its channel; `chat.update` takes it together with the channel's id. Not verified.
 * - S4  `conversations.history` shows no replies of a thread, `conversations.replies` the message and its replies. Newest first in the
 *       former, oldest first in the latter. Not verified.
 * - S5  `block_id` is given back as it was sent. Not verified.
 * - S6  An ephemeral message is shown to a member of the channel and is in no history. Not verified.
 */
import type { Answer, Incoming, Json } from '../wire/answer.ts';
import { objectOf } from '../wire/answer.ts';
import type { Routes } from '../wire/router.ts';
import type { Scene } from '../world/world.ts';
import { blockComplaints } from './block-kit.ts';
import type { Channel, Message } from './state.ts';

export const slackRefusal = (error: string, more: Json = {}): Answer => ({ status: 200, body: { ok: false, error, ...more } });

export function refuseSlack({ headers }: Incoming): Answer | undefined {
  return /^Bearer xoxb-\S+$/.test(headers['authorization'] ?? '') ? undefined : slackRefusal('not_authed');
}

export const slackRoutes: Routes<Scene> = {
  'POST /auth.test': (_request, { world }) => ({ status: 200, body: { ok: true, team_id: world.slack.team, user_id: 'U0BOT', bot_id: 'B0BOT' } }),
  'POST /chat.postMessage': postMessage,
  'POST /chat.update': updateMessage,
  'POST /chat.postEphemeral': postEphemeral,
  'POST /conversations.history': (request, scene) => listed(request, scene, 'history'),
  'POST /conversations.replies': (request, scene) => listed(request, scene, 'replies'),
};

/** JSON alone: the fields, the channel, and what is wrong with the content. */
function written(request: Incoming, scene: Scene): { readonly body: Json; readonly channel: Channel } | Answer {
  const body = objectOf(request.body);
  if (!body || !request.headers['content-type']?.startsWith('application/json')) return slackRefusal('invalid_form_data');
  const channel = channelOf(scene, body['channel']);
  if (!channel) return slackRefusal('channel_not_found');
  if (channel.archived) return slackRefusal('is_archived');
  if (!channel.joined) return slackRefusal('not_in_channel');
  if (typeof body['text'] !== 'string' && body['blocks'] === undefined) return slackRefusal('no_text');
  if (String(body['text'] ?? '').length > 40_000) return slackRefusal('msg_too_long');
  const complaints = body['blocks'] === undefined ? [] : blockComplaints(body['blocks']);
  return complaints.length > 0 ? slackRefusal('invalid_blocks', { response_metadata: { messages: complaints } }) : { body, channel };
}

const channelOf = ({ world }: Scene, id: unknown): Channel | undefined => world.slack.channels.find((each) => each.id === id);

function postMessage(request: Incoming, scene: Scene): Answer {
  const sent = written(request, scene);
  if ('status' in sent) return sent;
  const { body, channel } = sent;
  const thread = body['thread_ts'];
  if (thread !== undefined && !channel.messages.some(({ ts }) => ts === thread)) return slackRefusal('thread_not_found');
  const message: Message = {
    ts: stamp(scene),
    ...(typeof thread === 'string' ? { thread } : {}),
    text: String(body['text'] ?? ''),
    blocks: blocksOf(body),
    edits: 0,
  };
  channel.messages.push(message);
  return { status: 200, body: { ok: true, channel: channel.id, ts: message.ts, message: shape(message) } };
}

/** Seconds with six decimals, always later than the one before. */
function stamp(scene: Scene): string {
  const at = scene.moment();
  return `${Math.floor(at / 1000)}.${String((at % 1000) * 1000).padStart(6, '0')}`;
}

function updateMessage(request: Incoming, scene: Scene): Answer {
  const sent = written(request, scene);
  if ('status' in sent) return sent;
  const { body, channel } = sent;
  const message = channel.messages.find(({ ts }) => ts === body['ts']);
  if (!message) return slackRefusal('message_not_found');
  message.text = String(body['text'] ?? '');
  message.blocks = blocksOf(body);
  message.edits += 1;
  return { status: 200, body: { ok: true, channel: channel.id, ts: message.ts, text: message.text } };
}

const blocksOf = (body: Json): unknown[] => (Array.isArray(body['blocks']) ? body['blocks'] : []);

function postEphemeral(request: Incoming, scene: Scene): Answer {
  const sent = written(request, scene);
  if ('status' in sent) return sent;
  const { body, channel } = sent;
  const user = String(body['user'] ?? '');
  if (!channel.people.includes(user)) return slackRefusal('user_not_in_channel');
  scene.world.slack.whispers.push({ channel: channel.id, user, text: String(body['text'] ?? '') });
  return { status: 200, body: { ok: true, message_ts: stamp(scene) } };
}

function listed(request: Incoming, scene: Scene, what: 'history' | 'replies'): Answer {
  const form = new URLSearchParams(request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ? request.text : '');
  const channel = channelOf(scene, form.get('channel'));
  if (!channel) return slackRefusal('channel_not_found');
  const [oldest, latest] = [Number(form.get('oldest') ?? 0), Number(form.get('latest') ?? Number.MAX_VALUE)];
  const thread = form.get('ts');
  if (what === 'replies' && !channel.messages.some(({ ts }) => ts === thread)) return slackRefusal('thread_not_found');
  const found = channel.messages.filter(
    (each) =>
      Number(each.ts) >= oldest && Number(each.ts) <= latest && (what === 'history' ? each.thread === undefined : each.ts === thread || each.thread === thread),
  );
  const ordered = what === 'history' ? found.toReversed() : found;
  const start = Number(form.get('cursor') ?? 0);
  const end = start + Math.min(Number(form.get('limit') ?? 100), 999);
  const more = end < ordered.length;
  return {
    status: 200,
    body: { ok: true, messages: ordered.slice(start, end).map(shape), has_more: more, response_metadata: { next_cursor: more ? String(end) : '' } },
  };
}

const shape = ({ ts, thread, text, blocks }: Message): Json => ({
  type: 'message',
  user: 'U0BOT',
  bot_id: 'B0BOT',
  ts,
  ...(thread === undefined ? {} : { thread_ts: thread }),
  text,
  blocks,
});
