import type { LookupAddress } from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
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

  test('is made to the very address that was judged: a name that answers otherwise the second time is not asked a second time', async () => {
    const { port, asked } = await forbidden();
    const { resolve, lookups } = resolver(['192.0.2.1'], ['127.0.0.1']);
    const first = publicFetch(resolve)(`http://rebind.example.com:${port}/`, { signal: AbortSignal.timeout(200) });
    await expect(first).rejects.toMatchObject(denied('documentation'));
    expect([lookups, asked]).toEqual([['rebind.example.com'], []]);
  });

  test('asks once for each connection, and connects to nothing but the answer', async () => {
    const { port, asked } = await forbidden();
    // TEST-NET addresses are refused, so a public one stands for it here; what is asserted is that 127.0.0.1, the second answer, is not taken.
    const { resolve, lookups } = resolver(['255.255.255.255'], ['127.0.0.1']);
    await expect(publicFetch(resolve)(`http://rebind.example.com:${port}/`)).rejects.toMatchObject(denied('reserved'));
    await expect(publicFetch(resolve)(`http://rebind.example.com:${port}/`)).rejects.toMatchObject({ problem: { code: 'POLICY_DENIED' } });
    expect(lookups).toHaveLength(2);
    expect(asked).toEqual([]);
  });

  test('that cannot be made is a broken one, with the system’s code', async () => {
    const resolve: Resolve = (_hostname, answer) => answer(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);
    await expect(publicFetch(resolve)('https://nowhere.example.com/')).rejects.toMatchObject({ message: 'fetch failed', cause: { code: 'ENOTFOUND' } });
  });
});
