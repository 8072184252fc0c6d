import { describe, expect, it } from 'vitest';
import type { Incoming } from '../../sim/wire/answer.ts';
import { judgesOf, verdictOf } from './record.ts';

const judges = await judgesOf();
const request = (method: string, url: string, body?: unknown): Incoming => {
  const { pathname, searchParams } = new URL(url, 'http://sim');
  const text = body === undefined ? '' : JSON.stringify(body);
  return { method, path: pathname, query: searchParams, headers: {}, text, body, params: {} };
};
const check = { name: 'Lockkeeper', head_sha: 'a'.repeat(40), status: 'completed', conclusion: 'success' };
const variable = { key: 'A', value: 'x', type: 'encrypted', target: ['preview'] };

describe('a request, held against a description in OpenAPI', () => {
  const github = (method: string, url: string, body?: unknown) => judges.github.request(request(method, url, body));

  it('departs nowhere as the adapters send it', () => {
    expect(github('POST', '/repos/acme/storefront/check-runs', check)).toEqual([]);
    expect(github('GET', '/repos/acme/storefront/commits/abc/pulls?per_page=100&page=2')).toEqual([]);
    expect(github('GET', '/repos/acme/storefront/git/ref/heads/feat/cart')).toEqual([]);
  });

  it('departs with a query nobody publishes, or one that is no number', () => {
    expect(github('GET', '/repos/acme/storefront/pulls?stat=open')).toEqual(['query stat: not published']);
    expect(github('GET', '/repos/acme/storefront/pulls?state=opened')).toEqual(['query state: "opened" is none of open, closed, all']);
    expect(github('GET', '/repos/acme/storefront/pulls?per_page=many')).toEqual(['query per_page: integer expected, null found']);
    expect(judges.neon.request(request('GET', '/projects/p/connection_uri?role_name=r'))).toEqual(['query database_name: missing']);
  });

  it('departs with a body of another form, with a member nobody publishes, with none, or with one too many', () => {
    const to = '/repos/acme/storefront/issues/1/comments';
    expect(github('POST', to, { body: 7 })).toEqual(['$.body: string expected, 7 found']);
    expect(github('POST', to, { body: 'x', colour: 'red' })).toEqual(['$.colour: not published']);
    expect(github('POST', to)).toEqual(['$: no body where one is required']);
    expect(github('GET', '/repos/acme/storefront/pulls', {})).toEqual(['$: a body where none is published']);
  });

  it('is unchecked where no operation is published', () => {
    expect(github('GET', '/user')).toBe('unchecked');
    expect(github('DELETE', '/repos/acme/storefront/pulls')).toBe('unchecked');
  });
});

describe('a request, held against Vercel’s client', () => {
  const vercel = (method: string, url: string, body?: unknown) => judges.vercel.request(request(method, url, body));

  it('departs nowhere as the adapter sends it, numbers in the query included', () => {
    expect(vercel('POST', '/v10/projects/p/env?teamId=t', [variable])).toEqual([]);
    expect(vercel('GET', '/v7/deployments?projectId=p&limit=20&target=preview')).toEqual([]);
    expect(vercel('PATCH', '/v9/projects/p/env/e', { value: 'x', type: 'encrypted' })).toEqual([]);
  });

  it('departs with a query, a member or a value nobody publishes', () => {
    expect(vercel('GET', '/v9/projects/p?team=t')).toEqual(['query team: not published']);
    expect(vercel('POST', '/v10/projects/p/env', [{ ...variable, colour: 'red' }])).toEqual(['$[0].colour: not published']);
    expect(vercel('POST', '/v10/projects/p/env', [{ ...variable, type: 'odd' }])).not.toEqual([]);
    expect(vercel('GET', '/v7/deployments?limit=many')).not.toEqual([]);
    expect(vercel('DELETE', '/v9/projects/p/env/e', {})).toEqual(['$: a body where none is published']);
  });

  it('is unchecked where the client has no such call', () => {
    expect(vercel('GET', '/v6/deployments')).toBe('unchecked');
  });
});

describe('an answer', () => {
  const one = { object: 'redirect_url', id: 'ru_1', url: 'https://a.example', created_at: 1, updated_at: 1 };
  const asked = request('GET', '/redirect_urls/ru_1');

  it('departs with a member nobody publishes, with one it lacks, and with a status of success nobody publishes', () => {
    expect(judges.clerk.answer(asked, { status: 200, body: one })).toEqual([]);
    expect(judges.clerk.answer(asked, { status: 200, body: { ...one, colour: 'red' } })).not.toEqual([]);
    expect(judges.clerk.answer(asked, { status: 200, body: { ...one, url: undefined } })).not.toEqual([]);
    expect(judges.clerk.answer(asked, { status: 202, body: one })).toEqual(['status 202: not published']);
    expect(judges.vercel.answer(request('POST', '/v10/projects/p/env'), { status: 200, body: {} })).toEqual(['status 200: not published']);
    expect(judges.vercel.answer(request('POST', '/v10/projects/p/env'), { status: 201, body: { created: [] } })).toEqual(['$.failed: Required']);
  });

  it('is unchecked when it is an error of a form nobody publishes, or bytes', () => {
    expect(judges.clerk.answer(asked, { status: 500, body: {} })).toBe('unchecked');
    expect(judges.vercel.answer(request('GET', '/v9/projects/p'), { status: 404, body: {} })).toBe('unchecked');
    expect(judges.github.answer(request('GET', '/repos/a/b/contents/x'), { status: 200, raw: 'x' })).toBe('unchecked');
  });
});

describe('a record', () => {
  it('counts requests and answers, and names each departure and each route nobody publishes once, by the fake’s route', () => {
    const asked = request('GET', '/redirect_urls?colour=red');
    const exchange = { provider: 'clerk', request: asked, answer: { status: 500, body: {} } } as const;
    const held = { provider: 'github', request: request('GET', '/app') } as const;
    expect(verdictOf([exchange, exchange, held], judges)).toEqual({
      requests: 3,
      answers: 2,
      departures: ['clerk GET /redirect_urls: query colour: not published'],
      unchecked: ['clerk GET /redirect_urls 500', 'github GET /app'],
    });
  });
});
