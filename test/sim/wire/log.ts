import { createHash } from 'node:crypto';
import type { Provider } from './rule.ts';

/**
 * One request that arrived. `at` counts requests over all providers. `status` is what the cloud answered or would have answered:
 * undefined while the request is held, for ever when it hangs. `performed` says whether the world took it in.
 */
export interface LoggedRequest {
  readonly at: number;
  readonly provider: Provider;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  status: number | undefined;
  performed: boolean;
}

/** A request that was meant to change something, without its body. */
export interface LoggedWrite {
  readonly at: number;
  readonly provider: Provider;
  readonly method: string;
  readonly path: string;
  /** SHA-256 of the body, hexadecimal. */
  readonly bodyHash: string;
  readonly status: number | undefined;
  readonly performed: boolean;
}

/** Which part of the log is asked for: one provider, and what came after a number. */
export interface LogQuery {
  readonly provider?: Provider | undefined;
  readonly since?: number | undefined;
}

export function select(log: readonly LoggedRequest[], query: LogQuery): LoggedRequest[] {
  return log.filter((entry) => (query.provider === undefined || entry.provider === query.provider) && entry.at > (query.since ?? 0));
}

export function writesOf(log: readonly LoggedRequest[], query: LogQuery): LoggedWrite[] {
  return select(log, query)
    .filter((entry) => entry.method !== 'GET' && entry.method !== 'HEAD')
    .map(({ at, provider, method, path, body, status, performed }) => ({
      at,
      provider,
      method,
      path,
      bodyHash: createHash('sha256').update(body).digest('hex'),
      status,
      performed,
    }));
}
