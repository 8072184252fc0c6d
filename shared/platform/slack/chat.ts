import { z } from 'zod';
import { LockkeeperError } from '../../errors/error.ts';
import type { Chat, ChatMessage } from '../../ports/chat.ts';
import { type SlackTransport, slackApi } from './api.ts';

/** Slack's own address; SLACK_API_URL names another one. */
export const SLACK_API_URL = 'https://slack.com/api';

const done = z.looseObject({});
const posted = z.looseObject({ channel: z.string().min(1), ts: z.string().min(1) });
const known = z.looseObject({ team_id: z.string().min(1) });
const messages = z.looseObject({
  messages: z.array(z.looseObject({ ts: z.string(), blocks: z.array(z.looseObject({ block_id: z.string().optional() })).optional() })),
  has_more: z.boolean().optional(),
  response_metadata: z.looseObject({ next_cursor: z.string().optional() }).optional(),
});

/** More pages than any channel fills in the minutes in which a message is looked for: whoever tells of so many has lost count. */
const mostPages = 200;

/** Texts are ours, links and mentions written out: nothing in them is to be read as either, and nothing unfolds. */
const asWritten = { parse: 'none', link_names: false, unfurl_links: false, unfurl_media: false } as const;

const content = ({ text, blocks }: ChatMessage) => ({ text, ...(blocks ? { blocks } : {}) });

/** Slack as the chat. The team is asked for once: make one per process. */
export function slackChat(transport: SlackTransport): Chat {
  const call = slackApi(transport);
  let team: Promise<string> | undefined;

  return {
    team() {
      team ??= call({ method: 'auth.test', as: 'form', parameters: {}, repeatable: true, answer: known }).then(({ team_id }) => team_id);
      team.catch(() => {
        team = undefined;
      });
      return team;
    },
    async post(channel, message, thread) {
      const parameters = { channel, ...content(message), ...asWritten, ...(thread === undefined ? {} : { thread_ts: thread }) };
      const { channel: where, ts } = await call({ method: 'chat.postMessage', as: 'json', parameters, repeatable: false, answer: posted });
      return { channel: where, ts };
    },
    async update({ channel, ts }, message) {
      const { parse, link_names } = asWritten;
      await call({ method: 'chat.update', as: 'json', parameters: { channel, ts, ...content(message), parse, link_names }, repeatable: true, answer: done });
    },
    async whisper(channel, user, text) {
      const { parse, link_names } = asWritten;
      await call({ method: 'chat.postEphemeral', as: 'json', parameters: { channel, user, text, parse, link_names }, repeatable: false, answer: done });
    },
    async find(channel, blockId, { since, until }, thread) {
      const method = thread === undefined ? 'conversations.history' : 'conversations.replies';
      const [oldest, latest] = [String(Math.floor(since / 1000)), String(Math.ceil(until / 1000))];
      const within = { channel, oldest, latest, limit: 100, ...(thread === undefined ? {} : { ts: thread }) };
      let cursor = '';
      for (let page = 0; page < mostPages; page += 1) {
        const parameters = { ...within, ...(cursor === '' ? {} : { cursor }) };
        const answer = await call({ method, as: 'form', parameters, repeatable: true, answer: messages });
        const found = answer.messages.find(({ blocks = [] }) => blocks.some(({ block_id }) => block_id === blockId));
        if (found) return { channel, ts: found.ts };
        cursor = answer.response_metadata?.next_cursor ?? '';
        if (!answer.has_more || cursor === '') return undefined;
      }
      throw new LockkeeperError({ code: 'PROVIDER_RESPONSE', message: `slack: ${method} has no end.`, details: { host: 'slack', method } });
    },
  };
}
