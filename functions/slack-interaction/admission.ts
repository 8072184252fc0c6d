import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { blockActions, buttonValue } from '../../events/slack.ts';
import type { SlackClick } from '../../events/slack-click.ts';
import { isSignedBySlack } from './signature.ts';

/** Largest body that is looked at, bytes: a payload holds the whole card, which Slack itself keeps below a quarter of this. */
export const MAX_BODY_BYTES = 256 * 1024;

export interface AdmissionRules {
  /** Undefined: nobody has set up Slack for this stack. */
  readonly signingSecret: () => Promise<string | undefined>;
  readonly clock: { readonly now: () => number };
}

/** What was pressed, as the payload tells it. */
export type Click = Pick<SlackClick, 'team' | 'user' | 'channel' | 'message' | 'verdict' | 'repository' | 'question'>;

/** `reason` is a sentence from a closed set, for the log line. */
export type Verdict =
  | { readonly admitted: true; readonly body: Uint8Array; readonly click: Click }
  | { readonly admitted: false; readonly status: 200 | 400 | 401 | 404 | 413; readonly reason: string };

const refused = (status: Exclude<Verdict, { admitted: true }>['status'], reason: string): Verdict => ({ admitted: false, status, reason });

/** The checks of a request, in their order: nothing is parsed before it is signed, nothing is stored before all have passed. */
export async function admit(event: APIGatewayProxyEventV2, { signingSecret, clock }: AdmissionRules): Promise<Verdict> {
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (body.byteLength > MAX_BODY_BYTES) return refused(413, 'the body is too large');

  const secret = await signingSecret();
  if (secret === undefined) return refused(404, 'Slack is not set up for this stack');
  if (!isSignedBySlack(secret, body, event.headers, clock.now()))
    return refused(401, 'the signature does not match, or is older than five minutes: compare the signing secret here and at Slack');

  const payload = payloadIn(body);
  if (payload === undefined) return refused(400, 'the body is no form with a payload in JSON');
  const click = clickIn(payload);
  return click === undefined ? refused(200, 'the interaction is none of a card’s buttons') : { admitted: true, body, click };
}

function payloadIn(body: Buffer): unknown {
  return jsonOf(new URLSearchParams(body.toString('utf8')).get('payload') ?? '');
}

const verdicts: ReadonlyMap<string, Click['verdict']> = new Map([
  ['lockkeeper-approve', 'approve'],
  ['lockkeeper-reject', 'reject'],
]);

function clickIn(payload: unknown): Click | undefined {
  const read = blockActions.safeParse(payload);
  if (!read.success) return undefined;
  const { user, team, container, actions } = read.data;
  const [pressed] = actions;
  const verdict = verdicts.get(pressed?.action_id ?? '');
  const value = buttonValue.safeParse(jsonOf(pressed?.value ?? ''));
  const from = user.team_id ?? team?.id;
  if (verdict === undefined || !value.success || from === undefined) return undefined;
  const { repository, ...question } = value.data;
  return { team: from, user: user.id, channel: container.channel_id, message: container.message_ts, verdict, repository: { id: repository }, question };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
