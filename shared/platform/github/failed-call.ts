import type { Code } from '../../errors/codes.ts';
import { AnswerTooLarge } from './read-bytes.ts';

/** Why one attempt gave no answer that can be used. */
export interface FailedCall {
  readonly failed: 'timed-out' | 'unreadable' | 'broken' | 'limited' | 'refused';
  readonly status?: number;
  /** What GitHub said, unmasked. */
  readonly text?: string;
  /** The status and wait that the retry policy judges: a rate limit is 429 to it, whatever status GitHub gives. */
  readonly step: { readonly status?: number; readonly retryAfter?: string };
  readonly cause: unknown;
}

/** GitHub asks for a minute at least where it names no time. */
const SECONDS_WITHOUT_A_TIME = 60;

/** What octokit threw, as facts. `now` in epoch ms, for limits that name the instant they end. */
export function failedCall(cause: unknown, timedOut: boolean, now: number): FailedCall {
  if (timedOut) return { failed: 'timed-out', step: {}, cause };
  if (cause instanceof AnswerTooLarge) return { failed: 'unreadable', step: {}, cause };
  const response = responseOf(cause);
  if (response === undefined) return { failed: 'broken', step: {}, cause };
  const { status, headers } = response;
  const text = typeof response.data === 'string' ? response.data : JSON.stringify(response.data ?? '');
  const wait = limitOf(status, headers, text, now);
  if (wait !== undefined) return { failed: 'limited', status, text, step: { status: 429, retryAfter: wait }, cause };
  const retryAfter = headers['retry-after'];
  return { failed: 'refused', status, text, step: { status, ...(retryAfter === undefined ? {} : { retryAfter }) }, cause };
}

/** Code and sentence of a failure. `at`: the instant to come back, where there is one. */
export function refusalOf({ failed, status = 0 }: FailedCall, timeoutMs: number, at: number | undefined): { readonly code: Code; readonly said: string } {
  if (at !== undefined) return { code: 'PROVIDER_AGAIN', said: `asks to come back at ${new Date(at).toISOString()}` };
  if (failed === 'timed-out') return { code: 'PROVIDER_TIMEOUT', said: `did not answer within ${timeoutMs} ms` };
  if (failed === 'unreadable') return { code: 'CODE_HOST', said: 'answered with more than can be read' };
  if (failed === 'broken') return { code: 'PROVIDER_TRANSIENT', said: 'could not be reached, or broke off' };
  if (failed === 'limited') return { code: 'PROVIDER_TRANSIENT', said: 'limits the rate of requests' };
  return { code: codeOf(status), said: `answered ${status}` };
}

function codeOf(status: number): Code {
  if (status === 401 || status === 403) return 'PROVIDER_AUTH';
  if (status === 404 || status === 410) return 'PROVIDER_NOT_FOUND';
  if (status === 409) return 'PROVIDER_CONFLICT';
  return status >= 500 ? 'PROVIDER_TRANSIENT' : 'PROVIDER_INVALID';
}

/**
 * Seconds to wait when the answer is a rate limit, as `Retry-After` has them; undefined when it is none. 403 is a limit only with
 * one of the documented signs: https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api.
 */
function limitOf(status: number, headers: Headers, text: string, now: number): string | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const exhausted = headers['x-ratelimit-remaining'] === '0';
  if (headers['retry-after'] !== undefined) return headers['retry-after'];
  if (status === 403 && !exhausted && !/secondary rate limit|abuse detection/i.test(text)) return undefined;
  const reset = Number(headers['x-ratelimit-reset']);
  const seconds = exhausted && reset > 0 ? Math.max(0, Math.ceil(reset - now / 1000)) : SECONDS_WITHOUT_A_TIME;
  return String(seconds);
}

type Headers = Readonly<Record<string, string | undefined>>;

/** The answer inside octokit's RequestError, told by its shape: several versions of the class may be in one process. */
function responseOf(thrown: unknown): { readonly status: number; readonly headers: Headers; readonly data: unknown } | undefined {
  if (!(thrown instanceof Error) || !('response' in thrown)) return undefined;
  const { response } = thrown;
  if (typeof response !== 'object' || response === null || !('status' in response) || typeof response.status !== 'number') return undefined;
  const headers = 'headers' in response && typeof response.headers === 'object' && response.headers !== null ? response.headers : {};
  const texts = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return { status: response.status, headers: Object.fromEntries(texts), data: 'data' in response ? response.data : undefined };
}
