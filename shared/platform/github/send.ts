import { Octokit } from '@octokit/core';
import { errorText } from '../../adapters/http/error-text.ts';
import { nextStep, type RetryPolicy } from '../../adapters/http/retry.ts';
import { LockkeeperError } from '../../errors/error.ts';
import type { Clock } from '../../ports/clock.ts';
import { type FailedCall, failedCall, refusalOf } from './failed-call.ts';
import { AnswerTooLarge, readBytes } from './read-bytes.ts';

/** One request to GitHub. `route` is octokit's: method and path template; parameters outside the path are query or body. */
export interface GithubCall {
  /** An address of its own only where GitHub has sent us there. */
  readonly route: `${'GET' | 'POST' | 'PATCH'} /${string}` | `GET http${string}`;
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Absent: nobody's. */
  readonly authorization?: string;
  readonly accept?: string;
  /** What errors call it, where the address itself is a secret. */
  readonly called?: string;
  /** A redirect is the answer, and is not followed. */
  readonly staysHere?: true;
  /** Longest answer, bytes; 16 MiB where absent. */
  readonly most?: number;
  /** For this request and its answer, ms, where it may take longer than others. */
  readonly timeoutMs?: number;
  /** May it be performed twice? A GET may; a PATCH that sets what it always sets may; a POST may not. */
  readonly idempotent: boolean;
}

export interface GithubAnswer {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Address of the list's next page; absent after the last. */
  readonly next?: string;
  /** Where a redirect that was not followed leads. */
  readonly location?: string;
}

export type GithubSend = (call: GithubCall) => Promise<GithubAnswer>;

export interface GithubTransport {
  /** `https://api.github.com`, or the address of an Enterprise Server or a fake. */
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly fetch?: typeof fetch | undefined;
  /** Masks secrets in what GitHub says. */
  readonly redact?: ((text: string) => string) | undefined;
  /** For one request and its answer, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Aborts after so many milliseconds; tests supply one they fire themselves. */
  readonly deadline?: ((ms: number) => AbortSignal) | undefined;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const retries: RetryPolicy = { retries: 3, baseMs: 250, random: () => 1 };

/** What octokit throws holds the whole request: of an address that is a secret, nothing is kept. */
const causeOf = ({ called }: GithubCall, { cause }: FailedCall): ErrorOptions => (called === undefined || cause instanceof AnswerTooLarge ? { cause } : {});

/** A client that says nothing to the console, and knows no credential: each call brings its own. */
function octokitOf({ baseUrl, fetch: send = fetch }: GithubTransport): Octokit {
  const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  return new Octokit({ baseUrl: baseUrl.replace(/\/+$/, ''), userAgent: 'lockkeeper', log: silent, request: { fetch: send } });
}

/**
 * Sends calls with the retry policy of the provider client. A rate limit, GitHub's secondary one included, was refused
 * before anything was done: up to two seconds are waited in place, a longer one is handed back as PROVIDER_AGAIN with
 * `details.at` (epoch ms).
 *
 * @throws LockkeeperError PROVIDER_AGAIN, _AUTH, _NOT_FOUND, _CONFLICT, _INVALID, _TRANSIENT, _TIMEOUT, with `details`
 * { host: 'github', route, status?, at? }.
 */
export function githubSend(transport: GithubTransport): GithubSend {
  const octokit = octokitOf(transport);
  const timeoutMs = transport.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const redact = transport.redact ?? ((text) => text);

  const attempt = async (call: GithubCall): Promise<GithubAnswer | FailedCall> => {
    const deadline = (transport.deadline ?? AbortSignal.timeout)(call.timeoutMs ?? timeoutMs);
    try {
      const { data, headers } = await octokit.request(call.route, {
        ...call.parameters,
        headers: {
          ...(call.authorization === undefined ? {} : { authorization: call.authorization }),
          accept: call.accept ?? 'application/vnd.github+json',
          'x-github-api-version': '2022-11-28',
        },
        request: { signal: deadline, parseSuccessResponseBody: false, ...(call.staysHere ? { redirect: 'manual' } : {}) },
      });
      const [, next] = /<([^>]*)>\s*;\s*rel="next"/.exec(headers.link ?? '') ?? [];
      return {
        bytes: await readBytes(data, call.most),
        contentType: headers['content-type'] ?? '',
        ...(next === undefined ? {} : { next }),
        ...(headers.location === undefined ? {} : { location: headers.location }),
      };
    } catch (thrown) {
      return failedCall(thrown, deadline.aborted, transport.clock.now());
    }
  };

  const failure = (call: GithubCall, failed: FailedCall, at?: number): LockkeeperError => {
    const { code, said } = refusalOf(failed, call.timeoutMs ?? timeoutMs, at);
    const text = failed.text === undefined ? '' : `: ${errorText(failed.text, redact)}`;
    const route = call.called ?? call.route;
    const details = {
      host: 'github',
      route,
      ...(failed.status === undefined ? {} : { status: failed.status }),
      ...(at === undefined ? {} : { at }),
    };
    return new LockkeeperError({ code, message: `GitHub ${said}${text} (${route})`, details }, causeOf(call, failed));
  };

  return async (call) => {
    for (let count = 0; ; count += 1) {
      const answer = await attempt(call);
      if (!('failed' in answer)) return answer;
      if (answer.failed === 'timed-out' || answer.failed === 'unreadable') throw failure(call, answer);
      const next = nextStep({ ...answer.step, idempotent: call.idempotent, attempt: count }, retries, transport.clock.now());
      if (next.step === 'again') throw failure(call, answer, next.at);
      if (next.step === 'give-up') throw failure(call, answer);
      await transport.clock.sleep(next.ms);
    }
  };
}
