import type { WriteGuard } from '../../engine/bind.ts';
import type { CredentialSpec, ProviderHttp, ProviderRequest } from '../../engine/op.ts';
import type { Code } from '../../errors/codes.ts';
import { LockkeeperError } from '../../errors/error.ts';
import type { Clock } from '../../ports/clock.ts';
import { addressOf } from './address.ts';
import { parseAnswer } from './answer.ts';
import { classify } from './classify.ts';
import { whereFrom } from './credential.ts';
import { errorText } from './error-text.ts';
import { type Attempt, exchange } from './exchange.ts';
import { nextStep } from './retry.ts';
import { wireBody } from './wire-body.ts';

/** Thirty seconds a request including its body, four retries from half a second on. */
export const httpDefaults = { timeoutMs: 30_000, retries: 4, retryBaseMs: 500 } as const;

export interface ProviderHttpOptions {
  readonly adapter: string;
  readonly baseUrl: string;
  /** Headers that every request carries, the credential among them. */
  readonly authorize: Readonly<Record<string, string>>;
  /** Named when the provider refuses the credential. */
  readonly credential?: CredentialSpec | undefined;
  readonly guard: WriteGuard;
  /** Masks secrets; must know the credential as well. */
  readonly redact: (text: string) => string;
  readonly clock: Clock;
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
  readonly retryBaseMs?: number | undefined;
  /** 0 to 1, spreads the waits; absent: every wait has its full length. */
  readonly random?: (() => number) | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** Aborts after so many milliseconds; tests supply one they fire themselves. */
  readonly deadline?: ((ms: number) => AbortSignal) | undefined;
}

/**
 * The one HTTP client. Retries by class ({@link nextStep}), judges the guard before every attempt of anything but a GET,
 * follows no redirect, and lets no provider's text out unmasked.
 *
 * Errors carry `details` { adapter, method, path, status?, exists?, at? }. PROVIDER_TIMEOUT is never retried: the request may
 * still be performed, and the read that follows tells.
 */
export function providerHttp(options: ProviderHttpOptions): ProviderHttp {
  const { adapter, guard, clock, redact } = options;
  const timeoutMs = options.timeoutMs ?? httpDefaults.timeoutMs;
  const policy = {
    retries: options.retries ?? httpDefaults.retries,
    baseMs: options.retryBaseMs ?? httpDefaults.retryBaseMs,
    random: options.random ?? (() => 1),
  };

  const attemptOnce = async <T>(request: ProviderRequest<T>): Promise<Attempt> => {
    if (request.method !== 'GET') await guard.beforeWrite(timeoutMs);
    return exchange(
      addressOf(options.baseUrl, request.path, request.query),
      { method: request.method, headers: { ...options.authorize, ...request.headers }, ...wireBody(request) },
      (options.deadline ?? AbortSignal.timeout)(timeoutMs),
      options.fetch ?? fetch,
    );
  };

  const failure = (request: ProviderRequest<unknown>, code: Code, said: string, details: Record<string, unknown> = {}): LockkeeperError => {
    const path = redact(request.path);
    return new LockkeeperError({
      code,
      message: `${adapter}: ${request.method} ${path} ${said}`,
      details: { adapter, method: request.method, path, ...details },
    });
  };

  const refusal = (request: ProviderRequest<unknown>, status: number, body: string): LockkeeperError => {
    const { code, exists } = classify(status, body);
    const text = sentence(errorText(body, redact));
    const credential = code === 'PROVIDER_AUTH' && options.credential ? ` Check ${options.credential.variable}. ${whereFrom(options.credential)}` : '';
    const redirected = status < 400 ? ' (redirects are not followed)' : '';
    return failure(request, code, `was answered with ${status}${redirected}${text === '' ? '.' : `: ${text}`}${credential}`, {
      status,
      ...(exists ? { exists } : {}),
    });
  };

  const errorOf = (request: ProviderRequest<unknown>, attempt: Exclude<Attempt, { kind: 'answered' }>): LockkeeperError => {
    switch (attempt.kind) {
      case 'timed-out':
        return failure(request, 'PROVIDER_TIMEOUT', `was not answered within ${timeoutMs} ms.`);
      case 'too-large':
        return failure(request, 'PROVIDER_RESPONSE', 'was answered with more than can be read.');
      case 'broken':
        return failure(request, 'PROVIDER_TRANSIENT', `broke off before the answer was complete (${attempt.why}).`);
    }
  };

  const settle = <T>(request: ProviderRequest<T>, attempt: Attempt): T => {
    if (attempt.kind !== 'answered') throw errorOf(request, attempt);
    if (attempt.status < 200 || attempt.status > 299) throw refusal(request, attempt.status, attempt.text);
    const answer = parseAnswer(attempt.text, request.answer);
    if (answer.ok) return answer.value;
    throw failure(request, 'PROVIDER_RESPONSE', `was answered with nonsense: ${errorText(answer.wrong, redact)}.`, { status: attempt.status });
  };

  return {
    async send(request) {
      const idempotent = request.idempotent ?? (request.method !== 'POST' && request.method !== 'PATCH');
      for (let count = 0; ; count++) {
        const attempt = await attemptOnce(request);
        if (attempt.kind !== 'broken' && attempt.kind !== 'answered') return settle(request, attempt);
        const status = attempt.kind === 'answered' ? attempt.status : undefined;
        const retryAfter = attempt.kind === 'answered' ? attempt.retryAfter : null;
        const next = nextStep({ ...(status === undefined ? {} : { status }), retryAfter, idempotent, attempt: count }, policy, clock.now());
        if (next.step === 'give-up') return settle(request, attempt);
        if (next.step === 'again') {
          throw failure(request, 'PROVIDER_AGAIN', `is to be sent again at ${new Date(next.at).toISOString()}.`, { at: next.at, status });
        }
        await clock.sleep(next.ms);
      }
    },
  };
}

/** With a full stop at its end, so that a hint can follow. */
const sentence = (text: string): string => (text === '' || /[.!?…)]$/.test(text) ? text : `${text}.`);
