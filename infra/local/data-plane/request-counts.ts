import type { IncomingMessage } from 'node:http';

/** Who sent a request: code of functions and commands, or the pollers that stand for Lambda's queue mappings. */
export type Caller = 'functions' | 'pollers';

/** Requests by caller, then by `<service>.<operation>`, for example `dynamodb.UpdateItem`. */
export type RequestCounts = Readonly<Record<Caller, Readonly<Record<string, number>>>>;

/** User-agent mark of the pollers' SDK client. */
export const pollerAgent = 'lockkeeper-poller';

export interface RequestCounter {
  /** Counts one request to a service. `operation` when the request's own header does not name it. */
  count(service: string, request: IncomingMessage, operation?: string): void;
  counts(): RequestCounts;
  reset(): void;
}

export function createRequestCounter(): RequestCounter {
  let counts: Record<Caller, Record<string, number>> = { functions: {}, pollers: {} };
  return {
    count(
      service,
      request,
      operation = String(request.headers['x-amz-target'] ?? '')
        .split('.')
        .at(-1),
    ) {
      const caller: Caller = String(request.headers['user-agent'] ?? '').includes(pollerAgent) ? 'pollers' : 'functions';
      const name = `${service}.${operation || 'Unknown'}`;
      counts[caller][name] = (counts[caller][name] ?? 0) + 1;
    },
    counts: () => structuredClone(counts),
    reset: () => {
      counts = { functions: {}, pollers: {} };
    },
  };
}

/** Adds up counts of several counters. */
export function sumOf(all: readonly RequestCounts[]): RequestCounts {
  const sum: Record<Caller, Record<string, number>> = { functions: {}, pollers: {} };
  for (const counts of all) {
    for (const caller of ['functions', 'pollers'] as const) {
      for (const [name, count] of Object.entries(counts[caller])) sum[caller][name] = (sum[caller][name] ?? 0) + count;
    }
  }
  return sum;
}
