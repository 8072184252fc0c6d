import { z } from 'zod';
import { providerHttp } from '../../adapters/http/client.ts';
import { longestWaitMs } from '../../adapters/http/retry.ts';
import type { Code } from '../../errors/codes.ts';
import { LockkeeperError } from '../../errors/error.ts';
import type { Clock } from '../../ports/clock.ts';

export interface SlackTransport {
  /** `https://slack.com/api`, or the address of a fake. */
  readonly baseUrl: string;
  readonly botToken: string;
  readonly clock: Clock;
  /** Masks secrets in what Slack says; must know the token as well. */
  readonly redact: (text: string) => string;
  /** For one request and its answer, ms. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
  /** Aborts after so many milliseconds; tests supply one they fire themselves. */
  readonly deadline?: (ms: number) => AbortSignal;
}

/** One method of Slack's Web API. */
export interface SlackCall<T> {
  readonly method: string;
  /** JSON is read by methods that write; those that read take forms alone. */
  readonly as: 'json' | 'form';
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Performed twice it does no harm. */
  readonly repeatable: boolean;
  readonly answer: z.ZodType<T>;
}

export type SlackApi = <T>(call: SlackCall<T>) => Promise<T>;

/** People wait for the step this is part of. */
const TIMEOUT_MS = 8_000;

const envelope = z.looseObject({ ok: z.boolean(), error: z.string().optional() });

/**
 * Calls Slack with the house's HTTP client and its retry policy. Slack refuses with status 200 and a word: that word decides the code.
 * docs.slack.dev/apis/web-api, "Evaluating responses" and "Rate limits".
 *
 * @throws LockkeeperError PROVIDER_AGAIN (`details.at`), _AUTH, _NOT_FOUND, _INVALID, _TRANSIENT, _TIMEOUT, _RESPONSE, with `details`
 * { host: 'slack', method, error? }.
 */
export function slackApi(transport: SlackTransport): SlackApi {
  const { baseUrl, botToken, clock, redact } = transport;
  const http = providerHttp({
    adapter: 'slack',
    baseUrl,
    authorize: { authorization: `Bearer ${botToken}` },
    guard: { beforeWrite: () => {} },
    redact,
    clock,
    timeoutMs: transport.timeoutMs ?? TIMEOUT_MS,
    retries: 2,
    fetch: transport.fetch,
    deadline: transport.deadline,
  });
  return async ({ method, as, parameters, repeatable, answer }) => {
    const body = { body: parameters, encoding: as, ...(as === 'json' ? { contentType: 'application/json; charset=utf-8' } : {}) };
    const said = await http.send({ method: 'POST', path: `/${method}`, ...body, idempotent: repeatable, answer: envelope });
    if (!said.ok) throw refused(method, said.error ?? 'no reason', clock.now());
    const read = answer.safeParse(said);
    if (read.success) return read.data;
    throw new LockkeeperError({ code: 'PROVIDER_RESPONSE', message: `slack: ${method} was answered with nonsense.`, details: { host: 'slack', method } });
  };
}

function refused(method: string, word: string, now: number): LockkeeperError {
  const error = /^[a-z0-9_]{1,60}$/.test(word) ? word : 'an unknown reason';
  const code = codeOf(error);
  // Slack names no time here; where it does, it answers 429.
  const at = code === 'PROVIDER_AGAIN' ? { at: now + 15 * longestWaitMs } : {};
  return new LockkeeperError({ code, message: `slack: ${method} was refused: ${error}.`, details: { host: 'slack', method, error, ...at } });
}

const lacking: ReadonlySet<string> = new Set([
  'channel_not_found',
  'not_in_channel',
  'is_archived',
  'message_not_found',
  'thread_not_found',
  'user_not_found',
  'user_not_in_channel',
]);
const noRight: ReadonlySet<string> = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'no_permission',
  'missing_scope',
  'not_allowed_token_type',
  'org_login_required',
  'ekm_access_denied',
  'access_denied',
]);
const passing: ReadonlySet<string> = new Set(['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout', 'team_added_to_org']);

function codeOf(error: string): Code {
  if (error === 'ratelimited' || error === 'rate_limited') return 'PROVIDER_AGAIN';
  if (lacking.has(error)) return 'PROVIDER_NOT_FOUND';
  if (noRight.has(error)) return 'PROVIDER_AUTH';
  return passing.has(error) ? 'PROVIDER_TRANSIENT' : 'PROVIDER_INVALID';
}
