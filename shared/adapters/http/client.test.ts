import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { ProviderRequest } from '../../engine/op.ts';
import { LockkeeperError } from '../../errors/error.ts';
import { type ProviderHttpOptions, providerHttp } from './client.ts';

const epoch = Date.UTC(2026, 0, 5, 12, 0, 0);
const thing = z.object({ id: z.string() });
const get: ProviderRequest<{ id: string }> = { method: 'GET', path: '/things/1', answer: thing };
const post: ProviderRequest<{ id: string }> = { method: 'POST', path: '/things', body: { name: 'a' }, answer: thing };

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  () =>
    Promise.resolve(new Response(JSON.stringify(body), { status, headers }));
const text = (status: number, body: string | null) => () => Promise.resolve(new Response(body, { status }));
const dropped = () => Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) }));

type Reply = () => Promise<Response>;

/** A client against scripted replies; time passes only while it sleeps. */
function client(replies: Reply[], options: Partial<ProviderHttpOptions> = {}) {
  const sleeps: number[] = [];
  const clock = {
    now: () => epoch + sleeps.reduce((sum, ms) => sum + ms, 0),
    sleep: async (ms: number) => void sleeps.push(ms),
  };
  const beforeWrite = vi.fn<(timeoutMs: number) => void>();
  const sent: { url: URL; init: RequestInit }[] = [];
  const http = providerHttp({
    adapter: 'acme',
    baseUrl: 'https://api.acme.example/v1',
    authorize: { authorization: 'Bearer token-1' },
    guard: { beforeWrite },
    redact: (said) => said.replaceAll('hunter2', '(secret)'),
    clock,
    fetch: async (url, init) => {
      sent.push({ url: new URL(String(url)), init: init ?? {} });
      const reply = replies.shift();
      if (reply === undefined) throw new Error('the script has ended');
      return reply();
    },
    deadline: () => new AbortController().signal,
    ...options,
  });
  return { http, sleeps, beforeWrite, sent };
}

async function problemOf(promise: Promise<unknown>) {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(LockkeeperError);
  return (thrown as LockkeeperError).problem;
}

describe('a request', () => {
  it('goes below the base URL with credential, query and JSON body', async () => {
    const { http, sent } = client([json(201, { id: 'x' })]);

    const answer = await http.send({ ...post, query: { team: 't 1', none: undefined } });

    expect(answer).toEqual({ id: 'x' });
    expect(sent[0]?.url.href).toBe('https://api.acme.example/v1/things?team=t+1');
    expect(sent[0]?.init).toMatchObject({
      method: 'POST',
      body: '{"name":"a"}',
      redirect: 'manual',
      headers: { authorization: 'Bearer token-1', 'content-type': 'application/json' },
    });
  });

  it('without a body announces none', async () => {
    const { http, sent } = client([json(200, { id: 'x' })]);
    await http.send(get);
    expect(sent[0]?.init).not.toHaveProperty('body');
    expect(sent[0]?.init.headers).not.toHaveProperty('content-type');
  });

  it('keeps only what its shape names', async () => {
    const { http } = client([json(200, { id: 'x', value: 'hunter2' })]);
    expect(await http.send(get)).toEqual({ id: 'x' });
  });

  it('takes an empty answer where the shape allows one', async () => {
    const { http } = client([text(204, null)]);
    expect(await http.send({ method: 'DELETE', path: '/things/1', answer: z.unknown() })).toBeUndefined();
  });
});

describe('what is sent again', () => {
  it.each([429, 423])('after %i: every request, because nothing was done', async (status) => {
    const { http, sleeps } = client([json(status, {}), json(status, {}), json(200, { id: 'x' })]);
    expect(await http.send(post)).toEqual({ id: 'x' });
    expect(sleeps).toEqual([500, 1_000]);
  });

  it.each([502, 503, 504])('after %i: a GET', async (status) => {
    const { http } = client([json(status, {}), json(200, { id: 'x' })]);
    expect(await http.send(get)).toEqual({ id: 'x' });
  });

  it.each(['PUT', 'DELETE'] as const)('after a broken connection: a %s', async (method) => {
    const { http } = client([dropped, json(200, { id: 'x' })]);
    expect(await http.send({ ...get, method })).toEqual({ id: 'x' });
  });

  it('after a broken connection: a POST that is flagged idempotent', async () => {
    const { http } = client([dropped, json(200, { id: 'x' })]);
    expect(await http.send({ ...post, idempotent: true })).toEqual({ id: 'x' });
  });

  it('after an answer that broke off in the middle: a GET', async () => {
    const cut: Reply = () =>
      Promise.resolve(
        new Response(
          new ReadableStream({
            start(controller) {
              controller.enqueue(new TextEncoder().encode('{"id":'));
              controller.error(new TypeError('terminated', { cause: { code: 'UND_ERR_SOCKET' } }));
            },
          }),
        ),
      );
    const { http } = client([cut, json(200, { id: 'x' })]);
    expect(await http.send(get)).toEqual({ id: 'x' });
  });

  it.each(['POST', 'PATCH'] as const)('a %s is not sent again after a broken connection or 502, 503, 504: it may have been performed', async (method) => {
    for (const reply of [dropped, json(502, {}), json(503, {}), json(504, {})]) {
      const { http, sent } = client([reply, json(200, { id: 'x' })]);
      expect(await problemOf(http.send({ ...post, method }))).toMatchObject({ code: 'PROVIDER_TRANSIENT' });
      expect(sent).toHaveLength(1);
    }
  });

  it('500 is never retried', async () => {
    const { http, sent } = client([json(500, {}), json(200, { id: 'x' })]);
    expect(await problemOf(http.send(get))).toMatchObject({ code: 'PROVIDER_TRANSIENT', details: { status: 500 } });
    expect(sent).toHaveLength(1);
  });

  it('gives up after four retries, no wait longer than two seconds', async () => {
    const { http, sleeps, sent } = client(Array.from({ length: 9 }, () => json(503, {})));
    expect(await problemOf(http.send(get))).toMatchObject({ code: 'PROVIDER_TRANSIENT' });
    expect(sent).toHaveLength(5);
    expect(sleeps).toEqual([500, 1_000, 2_000, 2_000]);
  });

  it('spreads its waits over their upper half', async () => {
    const { http, sleeps } = client([json(503, {}), json(200, { id: 'x' })], { random: () => 0 });
    await http.send(get);
    expect(sleeps).toEqual([250]);
  });
});

describe('Retry-After', () => {
  it('of up to two seconds is waited in place', async () => {
    const { http, sleeps } = client([json(429, {}, { 'retry-after': '2' }), json(200, { id: 'x' })]);
    expect(await http.send(post)).toEqual({ id: 'x' });
    expect(sleeps).toEqual([2_000]);
  });

  it('as a date near enough is waited in place', async () => {
    const { http, sleeps } = client([json(429, {}, { 'retry-after': 'Mon, 05 Jan 2026 12:00:01 GMT' }), json(200, { id: 'x' })]);
    await http.send(post);
    expect(sleeps).toEqual([1_000]);
  });

  it.each(['3', 'Mon, 05 Jan 2026 12:00:03 GMT'])('of more (%s) says when to come back, and nothing waits', async (retryAfter) => {
    const { http, sleeps } = client([json(429, {}, { 'retry-after': retryAfter })]);
    expect(await problemOf(http.send(post))).toMatchObject({ code: 'PROVIDER_AGAIN', details: { adapter: 'acme', at: epoch + 3_000 } });
    expect(sleeps).toEqual([]);
  });

  it('beside a 503 does not make a POST repeatable', async () => {
    const { http } = client([json(503, {}, { 'retry-after': '1' })]);
    expect(await problemOf(http.send(post))).toMatchObject({ code: 'PROVIDER_TRANSIENT' });
  });
});

describe('the write guard', () => {
  it('is asked before every attempt of a write, with the time-out', async () => {
    const { http, beforeWrite } = client([json(429, {}), json(429, {}), json(200, { id: 'x' })], { timeoutMs: 7_000 });
    await http.send(post);
    expect(beforeWrite.mock.calls).toEqual([[7_000], [7_000], [7_000]]);
  });

  it('is not asked before a GET', async () => {
    const { http, beforeWrite } = client([json(200, { id: 'x' })]);
    await http.send(get);
    expect(beforeWrite).not.toHaveBeenCalled();
  });

  it('that throws keeps the request from leaving, the second attempt too', async () => {
    const lost = new LockkeeperError({ code: 'LOCK_LOST', message: 'too late' });
    const beforeWrite = vi
      .fn<(timeoutMs: number) => void>()
      .mockImplementationOnce(() => {})
      .mockImplementationOnce(() => {
        throw lost;
      });
    const { http, sent } = client([json(429, {}), json(200, { id: 'x' })], { guard: { beforeWrite } });
    await expect(http.send(post)).rejects.toBe(lost);
    expect(sent).toHaveLength(1);
  });
});

describe('a time-out', () => {
  it('ends a request that is not answered, and is never retried', async () => {
    const deadline = new AbortController();
    const asked: number[] = [];
    const { http, sent } = client([], {
      deadline: (ms) => {
        asked.push(ms);
        return deadline.signal;
      },
      fetch: (_url, init) =>
        new Promise((_resolve, reject) => {
          sent.push({ url: new URL('https://api.acme.example'), init: init ?? {} });
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
          deadline.abort(new DOMException('timed out', 'TimeoutError'));
        }),
    });
    expect(await problemOf(http.send(get))).toMatchObject({ code: 'PROVIDER_TIMEOUT', message: 'acme: GET /things/1 was not answered within 30000 ms.' });
    expect(asked).toEqual([30_000]);
    expect(sent).toHaveLength(1);
  });

  it('covers the body as well as the head', async () => {
    const deadline = new AbortController();
    const stalled: Reply = () =>
      Promise.resolve(
        new Response(
          new ReadableStream({
            pull(controller) {
              deadline.abort();
              controller.error(new DOMException('aborted', 'AbortError'));
            },
          }),
        ),
      );
    const { http } = client([stalled], { deadline: () => deadline.signal });
    expect(await problemOf(http.send(get))).toMatchObject({ code: 'PROVIDER_TIMEOUT' });
  });
});

describe('a refusal', () => {
  it.each([
    [401, {}, 'PROVIDER_AUTH'],
    [403, {}, 'PROVIDER_AUTH'],
    [404, {}, 'PROVIDER_NOT_FOUND'],
    [409, {}, 'PROVIDER_CONFLICT'],
    [400, { error: { code: 'ENV_CONFLICT' } }, 'PROVIDER_CONFLICT'],
    [422, { message: 'name already exists' }, 'PROVIDER_CONFLICT'],
    [422, { code: 'duplicate_record' }, 'PROVIDER_CONFLICT'],
    [400, { code: 'name_exists' }, 'PROVIDER_CONFLICT'],
    [400, { message: 'parent_not_exists' }, 'PROVIDER_INVALID'],
    [400, {}, 'PROVIDER_INVALID'],
    [418, {}, 'PROVIDER_INVALID'],
    [301, {}, 'PROVIDER_RESPONSE'],
  ])('%i %j is %s', async (status, body, code) => {
    const { http } = client([json(status, body)]);
    expect(await problemOf(http.send(post))).toMatchObject({ code, details: { adapter: 'acme', method: 'POST', path: '/things', status } });
  });

  it('says "exists" only where the provider does', async () => {
    const taken = client([json(422, { message: 'already exists' })]);
    expect((await problemOf(taken.http.send(post))).details).toHaveProperty('exists', true);
    const busy = client([json(409, { message: 'the project is being moved' })]);
    expect((await problemOf(busy.http.send(post))).details).not.toHaveProperty('exists');
  });

  it('of the credential names the variable and where to create one', async () => {
    const { http } = client([json(401, { message: 'bad token' })], { credential: { variable: 'ACME_KEY', createAt: 'https://acme.example/keys' } });
    expect((await problemOf(http.send(get))).message).toBe(
      'acme: GET /things/1 was answered with 401: bad token. Check ACME_KEY. Create one at https://acme.example/keys.',
    );
  });

  it('shows the provider’s text without secrets', async () => {
    const { http } = client([json(400, { error: { message: 'value hunter2 is too weak' } })]);
    expect((await problemOf(http.send(post))).message).toBe('acme: POST /things was answered with 400: value (secret) is too weak.');
  });

  it('never quotes what fetch says about a header', async () => {
    const { http } = client([() => Promise.reject(new TypeError('invalid header value Bearer token-1'))]);
    expect((await problemOf(http.send(post))).message).toBe('acme: POST /things broke off before the answer was complete (connection failed).');
  });

  it('masks its own path', async () => {
    const { http } = client([json(404, {})]);
    const problem = await problemOf(http.send({ ...get, path: '/things/hunter2' }));
    expect(JSON.stringify(problem)).not.toContain('hunter2');
  });
});

describe('nonsense', () => {
  it.each([
    ['a web page', '<html>hunter2</html>', 'the answer is not JSON'],
    ['JSON cut in the middle', '{"id": "hunt', 'the answer is not JSON'],
    ['nothing at all', '', 'the answer is empty'],
    ['another shape', '{"id": 7}', 'id should be string'],
    ['null', 'null', 'the answer should be object'],
  ])('%s is PROVIDER_RESPONSE that names the request and what was wrong', async (_what, body, wrong) => {
    const { http, sent } = client([text(200, body), json(200, { id: 'x' })]);
    expect(await problemOf(http.send(get))).toMatchObject({ code: 'PROVIDER_RESPONSE', message: `acme: GET /things/1 was answered with nonsense: ${wrong}.` });
    expect(sent).toHaveLength(1);
  });

  it('never shows the value that was wrong', async () => {
    const { http } = client([json(200, { state: 'token-of-somebody' })]);
    const problem = await problemOf(http.send({ method: 'GET', path: '/x', answer: z.strictObject({ state: z.enum(['on', 'off']) }) }));
    expect(problem.message).toContain('state has an unexpected value');
    expect(JSON.stringify(problem)).not.toContain('token-of-somebody');
  });

  it('more than eight megabytes is not read to the end', async () => {
    let chunks = 0;
    const endless: Reply = () =>
      Promise.resolve(
        new Response(
          new ReadableStream({
            pull(controller) {
              chunks++;
              controller.enqueue(new Uint8Array(1024 * 1024));
            },
          }),
        ),
      );
    const { http } = client([endless]);
    expect(await problemOf(http.send(get))).toMatchObject({ code: 'PROVIDER_RESPONSE' });
    expect(chunks).toBeLessThan(12);
  });
});
