import { slackChat } from '../../shared/platform/slack/chat.ts';
import type { Chat } from '../../shared/ports/chat.ts';
import { demoSeed } from '../sim/seed.ts';
import { refuseSlack, slackRoutes } from '../sim/slack/routes.ts';
import { demoSlack, type Message, type SlackState } from '../sim/slack/state.ts';
import type { Answer, Incoming } from '../sim/wire/answer.ts';
import { route } from '../sim/wire/router.ts';
import { scene } from '../sim/world/world.ts';
import type { ManualClock } from './manual-clock.ts';

/** Slack in this process: the product's own client, and the fake's routes in the place of the network. */
export interface FakeSlack {
  readonly chat: Chat;
  readonly state: SlackState;
  /** Every method that was called, in order. */
  readonly calls: string[];
  /** What is answered in the place of the fake: `hang` never is, and the client gives up. Undefined: the fake answers. */
  answer: ((method: string) => Answer | 'hang' | undefined) | undefined;
  /** Messages of the channel itself, oldest first; and those below one. */
  cards(): Message[];
  below(ts: string): Message[];
}

export const fakeBotToken = 'xoxb-0000-the-bot-token-of-the-fake';

export function fakeSlack(clock: ManualClock): FakeSlack {
  const world = { ...demoSeed(), slack: demoSlack() };
  const [channel] = world.slack.channels;
  const fake: FakeSlack = {
    state: world.slack,
    calls: [],
    answer: undefined,
    cards: () => (channel?.messages ?? []).filter(({ thread }) => thread === undefined),
    below: (ts) => (channel?.messages ?? []).filter(({ thread }) => thread === ts),
    chat: slackChat({
      baseUrl: 'https://slack.example/api',
      botToken: fakeBotToken,
      clock,
      redact: (text) => text,
      deadline: () => given.signal,
      fetch: async (url, init = {}) => {
        const method = new URL(String(url)).pathname.slice('/api/'.length);
        fake.calls.push(method);
        const said = fake.answer?.(method);
        if (said === 'hang') return hang();
        return responseOf(said ?? perform(`/${method}`, init));
      },
    }),
  };
  let given = new AbortController();

  /** Nothing comes: the client's time is up at once, since no clock is waited for here. */
  function hang(): never {
    const { signal } = given;
    given.abort();
    given = new AbortController();
    throw signal.reason;
  }

  function perform(path: string, init: RequestInit): Answer {
    const headers = Object.fromEntries(new Headers(init.headers));
    const text = String(init.body ?? '');
    const request: Incoming = { method: 'POST', path, query: new URLSearchParams(), headers, text, body: jsonOf(text), params: {} };
    const at = scene(world, clock.now(), { neon: '', vercel: '', clerk: '', github: '', rest: '', slack: '' });
    return refuseSlack(request) ?? route(slackRoutes, 'POST', path)?.handler(request, at) ?? { status: 200, body: { ok: false, error: 'unknown_method' } };
  }

  return fake;
}

const responseOf = ({ status, body, headers }: Answer): Response =>
  new Response(JSON.stringify(body), headers === undefined ? { status } : { status, headers });

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
