import type { LookupAddress } from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { notPublic } from '../../policy/public-address.ts';
import { publicFetch, type Resolve } from './public-fetch.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A server on the loopback that nothing may reach, and what reached it. */
async function forbidden(): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('{}');
  });
  await new Promise<void>((listening) => server?.listen(0, '127.0.0.1', listening));
  return { port: (server.address() as AddressInfo).port, asked };
}

/** Answers each lookup of a name with the next list of addresses. */
function resolver(...lists: readonly (readonly string[])[]): { resolve: Resolve; lookups: string[] } {
  const lookups: string[] = [];
  const left = [...lists];
  const resolve: Resolve = (hostname, answer) => {
    lookups.push(hostname);
    const list = (left.length > 1 ? left.shift() : left[0]) ?? [];
    answer(
      null,
      list.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { resolve, lookups };
}

const denied = (kind: string) => ({ problem: { code: 'POLICY_DENIED', details: { kind } } });

describe('a connection to an address that a plan names', () => {
  test.each(['127.0.0.1', '[::1]', 'localhost', '0x7f.1', '2130706433'])('is not made to %s, and nobody is asked where that is', async (host) => {
    const { port, asked } = await forbidden();
    const { resolve, lookups } = resolver(['8.8.8.8']);
    await expect(publicFetch(resolve)(`http://${host}:${port}/`)).rejects.toMatchObject(denied('loopback'));
    expect([asked, lookups]).toEqual([[], []]);
  });

  test('is not made to a name that resolves to a private address, which the message names', async () => {
    const { port, asked } = await forbidden();
    const call = publicFetch(resolver(['127.0.0.1']).resolve)(`http://api.example.com:${port}/`);
    await expect(call).rejects.toMatchObject({
      problem: { code: 'POLICY_DENIED', message: expect.stringContaining('resolves to 127.0.0.1, which is loopback') },
    });
    expect(asked).toEqual([]);
  });

  test.each([
    ['8.8.8.8', '10.0.0.1'],
    ['2606:4700::1111', '::ffff:10.0.0.1'],
    ['8.8.8.8', '64:ff9b::a00:1'],
  ])('is not made where one answer of several is bad (%s, %s)', async (...addresses) => {
    await expect(publicFetch(resolver(addresses).resolve)('http://api.example.com/')).rejects.toMatchObject({ problem: { code: 'POLICY_DENIED' } });
  });

  test('asks for a name once: an answer that would be another the second time (DNS rebinding) is never heard', async () => {
    const { port, asked } = await forbidden();
    const { resolve, lookups } = resolver(['127.0.0.1'], ['169.254.169.254']);
    const reach = publicFetch(resolve, (address) => (address === '127.0.0.1' ? undefined : notPublic(address)));
    expect((await reach(`http://rebind.example.com:${port}/once`)).status).toBe(200);
    expect([lookups, asked]).toEqual([['rebind.example.com'], ['/once']]);
  });

  test('is judged anew for each connection', async () => {
    const { port, asked } = await forbidden();
    const { resolve } = resolver(['203.0.113.9'], ['127.0.0.1']);
    const reach = publicFetch(resolve);
    await expect(reach(`http://rebind.example.com:${port}/`)).rejects.toMatchObject(denied('documentation'));
    await expect(reach(`http://rebind.example.com:${port}/`)).rejects.toMatchObject(denied('loopback'));
    expect(asked).toEqual([]);
  });

  test('goes to what was judged, with host, method, headers and body as asked; a redirect comes back as an answer', async () => {
    const seen: unknown[] = [];
    server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      seen.push([request.method, request.url, request.headers.host, request.headers['x-org'], body]);
      if (request.url === '/moved') response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
      else if (request.url === '/none') response.writeHead(204).end();
      else response.writeHead(201, { 'retry-after': '7' }).end('{"ü":1}');
    });
    await new Promise<void>((listening) => server?.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const { resolve, lookups } = resolver(['127.0.0.1']);
    const reach = publicFetch(resolve, () => undefined);
    const base = `http://api.example.com:${port}`;

    const made = await reach(`${base}/things?a=b`, { method: 'POST', headers: { 'x-org': 'acme' }, body: '{"x":"é"}', redirect: 'manual' });
    expect([made.status, made.headers.get('retry-after'), await made.text()]).toEqual([201, '7', '{"ü":1}']);
    const moved = await reach(`${base}/moved`);
    expect([moved.status, moved.headers.get('location'), await moved.text()]).toEqual([302, 'http://169.254.169.254/', '']);
    expect((await reach(`${base}/none`)).status).toBe(204);
    expect(seen).toEqual([
      ['POST', '/things?a=b', `api.example.com:${port}`, 'acme', '{"x":"é"}'],
      ['GET', '/moved', `api.example.com:${port}`, undefined, ''],
      ['GET', '/none', `api.example.com:${port}`, undefined, ''],
    ]);
    expect(new Set(lookups)).toEqual(new Set(['api.example.com']));
  });

  test('ends when its time is over, also while the answer is being read', async () => {
    server = createServer((_request, response) => void response.writeHead(200).write('{'));
    await new Promise<void>((listening) => server?.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const stop = new AbortController();
    const answer = await publicFetch(resolver(['127.0.0.1']).resolve, () => undefined)(`http://api.example.com:${port}/`, { signal: stop.signal });
    const read = answer.text();
    stop.abort();
    await expect(read).rejects.toThrow();
  });

  test('that cannot be made is a broken one, with the system’s code', async () => {
    const resolve: Resolve = (_hostname, answer) => answer(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);
    await expect(publicFetch(resolve)('https://nowhere.example.com/')).rejects.toMatchObject({ message: 'fetch failed', cause: { code: 'ENOTFOUND' } });
  });
});
