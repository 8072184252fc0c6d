import { LockkeeperError } from '../../errors/error.ts';
import { AnswerTooLarge, readBody } from './body.ts';
import type { WireBody } from './wire-body.ts';

/** What came of sending a request once. */
export type Attempt =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter: string | null; readonly text: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'too-large' }
  /** The connection could not be made or broke; `why` is the system's code, such as ECONNRESET. */
  | { readonly kind: 'broken'; readonly why: string };

export interface Sending {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: WireBody;
}

/**
 * Sends a request once and reads the whole answer before `deadline` aborts. Follows no redirect: the credential stays with its host.
 *
 * @throws LockkeeperError what `send` throws on purpose: an address that may not be reached.
 */
export async function exchange(url: URL, sending: Sending, deadline: AbortSignal, send: typeof fetch): Promise<Attempt> {
  try {
    const response = await send(url, {
      method: sending.method,
      headers: {
        accept: 'application/json',
        'user-agent': 'lockkeeper',
        ...sending.headers,
        ...(sending.body === undefined ? {} : { 'content-type': sending.body.type }),
      },
      ...(sending.body === undefined ? {} : { body: sending.body.text }),
      redirect: 'manual',
      signal: deadline,
    });
    return { kind: 'answered', status: response.status, retryAfter: response.headers.get('retry-after'), text: await readBody(response) };
  } catch (thrown) {
    if (deadline.aborted) return { kind: 'timed-out' };
    if (thrown instanceof LockkeeperError) throw thrown;
    if (thrown instanceof AnswerTooLarge) return { kind: 'too-large' };
    return { kind: 'broken', why: systemCode(thrown) };
  }
}

/** The code alone: fetch's messages may quote a header or a host. */
function systemCode(thrown: unknown): string {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code) ? code : 'connection failed';
}
