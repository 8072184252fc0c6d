import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { account } from '../template/place.ts';

/** Where a request goes and what of its URL the function sees. */
export interface RouteMatch {
  readonly functionId: string;
  readonly routeKey: string;
  readonly path: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
  /** What a failed invocation looks like from outside: 500 behind an HTTP API, 502 behind a function URL. */
  readonly failureStatus: 500 | 502;
}

/** An event of payload format 2.0. Text bodies go as they are, anything else as base64: the bytes are never changed. */
export function eventOf(request: IncomingMessage, url: URL, body: Buffer, match: RouteMatch, now: Date): Record<string, unknown> {
  const { cookie, ...rest } = request.headers;
  const headers = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : (value ?? '')]));
  const query = queryOf(url);
  const base64 = body.length > 0 && !(isText(headers['content-type']) && isUtf8(body));
  return {
    version: '2.0',
    routeKey: match.routeKey,
    rawPath: match.path,
    rawQueryString: url.search.slice(1),
    ...(cookie === undefined ? {} : { cookies: cookie.split('; ') }),
    headers,
    ...(query ? { queryStringParameters: query } : {}),
    ...(match.pathParameters ? { pathParameters: match.pathParameters } : {}),
    requestContext: {
      accountId: account,
      apiId: 'local',
      domainName: '127.0.0.1',
      domainPrefix: '127',
      http: { method: request.method, path: match.path, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: headers['user-agent'] ?? '' },
      requestId: randomUUID(),
      routeKey: match.routeKey,
      stage: '$default',
      time: now.toUTCString(),
      timeEpoch: now.getTime(),
    },
    ...(body.length > 0 ? { body: base64 ? body.toString('base64') : body.toString() } : {}),
    isBase64Encoded: base64,
  };
}

/** No content type counts as text, as in AWS. */
const isText = (type = 'text/plain'): boolean => /^(text\/|application\/(json|xml|javascript|x-www-form-urlencoded|[\w.-]+\+(json|xml)))/i.test(type);

function queryOf(url: URL): Record<string, string> | undefined {
  const names = [...new Set(url.searchParams.keys())];
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, url.searchParams.getAll(name).join(',')]));
}

const shaped = z.looseObject({
  statusCode: z.coerce.number(),
  headers: z.record(z.string(), z.coerce.string()).nullish(),
  cookies: z.array(z.string()).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
}

/** What a function's answer is over HTTP: one with a status as it says, any other value as JSON with status 200. */
export function answerOf(answer: unknown): HttpAnswer {
  const parsed = shaped.safeParse(answer);
  if (!parsed.success) {
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(text) };
  }
  const { statusCode, headers, cookies, body, isBase64Encoded } = parsed.data;
  const lowercase = Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    status: statusCode,
    headers: { 'content-type': 'text/plain', ...lowercase, ...(cookies?.length ? { 'set-cookie': cookies } : {}) },
    body: Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
  };
}
