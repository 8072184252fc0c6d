import { createHmac } from 'node:crypto';
import { objectOf } from '../wire/answer.ts';
import type { SlackState } from './state.ts';

/** A request as Slack sends it. */
export interface SlackRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Press {
  readonly user: string;
  readonly button: 'Approve' | 'Reject';
  /** Of the message; the newest one with buttons where it is not said. */
  readonly ts?: string;
  readonly channel?: string;
  readonly team?: string;
}

/** A `block_actions` payload. */
export interface Pressed extends Readonly<Record<string, unknown>> {
  readonly actions: readonly Readonly<Record<string, unknown>>[];
}

/** What Slack sends when somebody presses a button of a message, unsigned. Throws where there is no such button. */
export function pressed(slack: SlackState, { user, button, ts, channel = slack.channels[0]?.id ?? '', team = slack.team }: Press): Pressed {
  const messages = slack.channels.find(({ id }) => id === channel)?.messages ?? [];
  const message = messages.findLast((each) => (ts === undefined ? buttonsOf(each.blocks).length > 0 : each.ts === ts));
  const found = buttonsOf(message?.blocks ?? []).find((each) => objectOf(each['text'])?.['text'] === button);
  if (!message || !found) throw new Error(`no message of ${channel} has a button ${button}`);
  return payloadOf({ user, team, channel, ts: message.ts, action: { action_id: found['action_id'], value: found['value'] } });
}

export const buttonsOf = (blocks: readonly unknown[]): Record<string, unknown>[] =>
  blocks.flatMap((block) => (objectOf(block)?.['type'] === 'actions' ? ((objectOf(block)?.['elements'] as Record<string, unknown>[] | undefined) ?? []) : []));

let clicks = 0;

/** A `block_actions` payload, as docs.slack.dev/reference/interaction-payloads/block_actions-payload has it. */
export function payloadOf({
  user,
  team,
  channel,
  ts,
  action,
}: {
  user: string;
  team: string;
  channel: string;
  ts: string;
  action: Readonly<Record<string, unknown>>;
}): Pressed {
  clicks += 1;
  return {
    type: 'block_actions',
    team: { id: team, domain: 'acme' },
    user: { id: user, username: 'somebody', name: 'somebody', team_id: team },
    api_app_id: 'A0LOCKKEEPER',
    token: 'legacy-verification-token',
    container: { type: 'message', message_ts: ts, channel_id: channel, is_ephemeral: false },
    trigger_id: `12321423423.333649436676.${clicks}`,
    channel: { id: channel, name: 'releases' },
    response_url: `https://hooks.slack.com/actions/${team}/1234567890/responseurlsecret${clicks}`,
    actions: [{ type: 'button', block_id: 'b', action_ts: `${ts}`, ...action }],
  };
}

/** The request as Slack signs it. @param at epoch ms. */
export function signed(payload: object, secret: string, at: number): SlackRequest {
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const sent = String(Math.floor(at / 1000));
  const signature = `v0=${createHmac('sha256', secret).update(`v0:${sent}:${body}`).digest('hex')}`;
  return { headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-slack-request-timestamp': sent, 'x-slack-signature': signature }, body };
}
