/** One request as a route sees it: the path without its prefix, the query, the body as text and, where it parses, as JSON. */
export interface Incoming {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** Undefined when there is no body or it is not JSON. */
  readonly body: unknown;
  /** The named parts of the route's pattern, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** What a route answers. `body` is sent as JSON; `raw` is sent as it is, with `type`. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly raw?: string | Buffer;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Json = Record<string, unknown>;

/** A JSON object, or undefined for anything else. */
export function objectOf(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

/** The string under `key`, or undefined. */
export function stringOf(value: unknown, key: string): string | undefined {
  const found = objectOf(value)?.[key];
  return typeof found === 'string' ? found : undefined;
}

/** A whole number from the query, kept between `min` and `max`; `otherwise` when it is absent, empty or no number. */
export function numberOf(query: URLSearchParams, key: string, otherwise: number, min: number, max: number): number {
  const text = query.get(key) ?? '';
  const given = Number(text);
  return text !== '' && Number.isInteger(given) ? Math.min(max, Math.max(min, given)) : otherwise;
}
