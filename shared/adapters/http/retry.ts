/** The longest a request waits in place; whatever takes longer comes back as a delayed message. */
export const longestWaitMs = 2_000;
/** A provider that asks for more than a day is taken to ask for a day. */
const longestPauseMs = 24 * 60 * 60 * 1_000;

export interface RetryPolicy {
  /** Attempts after the first. */
  readonly retries: number;
  /** The first wait in milliseconds; each further one is twice as long, up to {@link longestWaitMs}. */
  readonly baseMs: number;
  /** 0 (inclusive) to 1: spreads each wait over the upper half of its length. */
  readonly random: () => number;
}

/** How an attempt failed, as far as trying again is concerned. */
export interface FailedAttempt {
  /** Absent for a connection that broke before the answer was complete. */
  readonly status?: number;
  readonly retryAfter?: string | null;
  /** May the request be performed twice without harm? */
  readonly idempotent: boolean;
  /** 0 for the first attempt. */
  readonly attempt: number;
}

export type NextStep = { readonly step: 'wait'; readonly ms: number } | { readonly step: 'again'; readonly at: number } | { readonly step: 'give-up' };

/**
 * What follows a failed attempt. After 429 and 423 every request may go again, since nothing was done. 502, 503, 504 and a broken
 * connection leave that open: only an idempotent one may. 500 never: it tends to come back, and nobody knows what was done.
 * A `Retry-After` above two seconds is handed to the caller as an instant (`at`, epoch ms), whatever retries are left.
 */
export function nextStep(failed: FailedAttempt, policy: RetryPolicy, now: number): NextStep {
  if (!mayRepeat(failed)) return { step: 'give-up' };
  const asked = retryAfterMs(failed.retryAfter ?? null, now);
  if (asked !== undefined && asked > longestWaitMs) return { step: 'again', at: now + asked };
  if (failed.attempt >= policy.retries) return { step: 'give-up' };
  const backoff = Math.min(policy.baseMs * 2 ** failed.attempt, longestWaitMs);
  return { step: 'wait', ms: Math.max(asked ?? 0, Math.round(backoff * (0.5 + policy.random() / 2))) };
}

function mayRepeat({ status, idempotent }: FailedAttempt): boolean {
  if (status === 429 || status === 423) return true;
  return idempotent && (status === undefined || status === 502 || status === 503 || status === 504);
}

/** `Retry-After` in milliseconds from `now`: whole seconds or an HTTP date; undefined when it is neither. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, longestPauseMs);
  // The weekday guards against Date.parse, which reads dates into almost anything.
  const date = /^[A-Z][a-z]{2,8}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.min(Math.max(date - now, 0), longestPauseMs);
}
