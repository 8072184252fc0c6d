import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { githubApp } from './app.ts';
import { githubSend } from './send.ts';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  // As GitHub hands it out.
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const clock = { now: () => Date.parse('2026-03-01T12:00:00Z'), sleep: async () => undefined };

/** The app, in front of a GitHub that answers these bodies by path. */
function asking(answers: Readonly<Record<string, unknown>>) {
  const asked: { path: string; authorization: string }[] = [];
  const fetched: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    asked.push({ path: pathname, authorization: new Headers(init?.headers).get('authorization') ?? '' });
    return new Response(JSON.stringify(answers[pathname] ?? { message: 'Not Found' }), {
      status: pathname in answers ? 200 : 404,
      headers: { 'content-type': 'application/json' },
    });
  };
  return { asked, app: githubApp({ appId: '7', privateKey }, githubSend({ baseUrl: 'https://github.example', clock, fetch: fetched })) };
}

it('asks as the app, with a key as GitHub hands it out, and reads what it is told', async () => {
  const { asked, app } = asking({
    '/app': { id: 7, slug: 'lockkeeper-acme', permissions: { checks: 'write' }, events: ['push'], name: 'x' },
    '/app/hook/config': { url: 'https://a.example', content_type: 'json', secret: '********', insecure_ssl: '0' },
    '/app/installations': [{ id: 1, account: { login: 'acme', id: 3 }, permissions: { checks: 'write' }, events: ['push'], suspended_at: null }],
  });
  expect(await app.describe()).toEqual({ slug: 'lockkeeper-acme', permissions: { checks: 'write' }, events: ['push'] });
  expect(await app.hook()).toEqual({ url: 'https://a.example', content_type: 'json', secret: '********', insecure_ssl: '0' });
  expect(await app.installations()).toEqual([{ account: { login: 'acme' }, permissions: { checks: 'write' }, events: ['push'], suspended_at: null }]);
  expect(asked.map(({ path }) => path)).toEqual(['/app', '/app/hook/config', '/app/installations']);
  const claims = JSON.parse(Buffer.from(asked[0]?.authorization.split('.')[1] ?? '', 'base64url').toString()) as { iss: unknown };
  expect(String(claims.iss)).toBe('7');
});

it('takes a webhook that was never set up, and the number that older answers have for SSL', async () => {
  const { app } = asking({ '/app/hook/config': { insecure_ssl: 0 } });
  expect(await app.hook()).toEqual({ insecure_ssl: '0' });
});

it('says that GitHub refused, and that its answer makes no sense', async () => {
  await expect(asking({}).app.describe()).rejects.toMatchObject({ code: 'PROVIDER_NOT_FOUND' });
  await expect(asking({ '/app': { slug: 7 } }).app.describe()).rejects.toMatchObject({ code: 'CODE_HOST' });
});
