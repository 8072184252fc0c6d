import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { LockkeeperError } from '../../errors/error.ts';
import { notPublic, notPublicHost } from '../../policy/public-address.ts';

/** Resolves a name to all its addresses, as `dns.lookup` does with `all`. */
export type Resolve = (hostname: string, answer: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void) => void;

const systemResolve: Resolve = (hostname, answer) => systemLookup(hostname, { all: true }, answer);

/**
 * A `fetch` for addresses that a plan names: it connects to public ones alone.
 *
 *     name ─▶ one lookup ─▶ every address judged ─▶ the connection is made to one of exactly these
 *
 * The lookup is that of the connection itself, so no second one can answer otherwise (DNS rebinding). One bad address among several refuses
 * the name. A connection that is kept was judged when it was made. Redirects are answers like others: they are not followed.
 *
 * @param judge says why an address may not be reached; tests let one pass, to see what is sent there.
 * @throws LockkeeperError POLICY_DENIED
 */
export function publicFetch(resolve: Resolve = systemResolve, judge = notPublic): typeof fetch {
  const lookup = judged(resolve, judge);
  const agents = { 'http:': new HttpAgent({ keepAlive: true, lookup }), 'https:': new HttpsAgent({ keepAlive: true, lookup }) };
  return async (input, init = {}) => {
    const url = new URL(String(input));
    const kind = notPublicHost(url.hostname);
    if (kind !== undefined) throw denied(url.hostname, kind);
    const answer = await sent(url, init, agents);
    const status = answer.statusCode ?? 0;
    const empty = status === 204 || status === 205 || status === 304;
    if (empty) answer.resume();
    const headers = Object.entries(answer.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as [string, string]]));
    return new Response(empty ? null : (Readable.toWeb(answer) as ReadableStream), { status, headers });
  };
}

function sent(url: URL, init: RequestInit, agents: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent }): Promise<IncomingMessage> {
  const headers = { ...Object.fromEntries(new Headers(init.headers)), 'accept-encoding': 'identity' };
  const options = { method: init.method ?? 'GET', headers, ...(init.signal ? { signal: init.signal } : {}) };
  return new Promise((answered, failed) => {
    const request =
      url.protocol === 'https:'
        ? httpsRequest(url, { ...options, agent: agents['https:'] }, answered)
        : httpRequest(url, { ...options, agent: agents['http:'] }, answered);
    request.once('error', (error) => failed(error instanceof LockkeeperError ? error : new TypeError('fetch failed', { cause: error })));
    request.end(typeof init.body === 'string' ? init.body : undefined);
  });
}

function judged(resolve: Resolve, judge: typeof notPublic): LookupFunction {
  return (hostname, options, answer) =>
    resolve(hostname, (error, found) => {
      if (error) return answer(error, []);
      const bad = found.map(({ address }) => ({ address, kind: judge(address) })).find(({ kind }) => kind !== undefined);
      const [first] = found;
      if (bad?.kind !== undefined) return answer(denied(hostname, bad.kind, bad.address), []);
      if (first === undefined) return answer(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), []);
      if (options.all) return answer(null, [...found]);
      answer(null, first.address, first.family);
    });
}

function denied(host: string, kind: string, address?: string): LockkeeperError {
  const which = address === undefined || address === host ? `is ${kind}` : `resolves to ${address}, which is ${kind}`;
  const message = `The host \`${host}\` ${which}: only public addresses are reached, whatever the policy says.`;
  return new LockkeeperError({ code: 'POLICY_DENIED', message, details: { host, kind } });
}
