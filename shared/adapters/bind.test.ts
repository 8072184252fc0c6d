import { describe, expect, it } from 'vitest';
import type { ReleaseContext } from '../plan/types.ts';
import { opBinder } from './bind.ts';
import { redirectAllow } from './clerk/redirect-allow.ts';
import { branch } from './neon/branch.ts';

const context: ReleaseContext = { environment: 'preview', scope: 'pr-7', branch: 'x', sha: 'a'.repeat(40), pullRequest: 7 };

/** An op bound to a fetch that records where it was sent. */
function bound(
  op: typeof branch | typeof redirectAllow,
  overrides: { baseUrl?: string; simulatedApis?: string; credentials?: Record<string, string>; provider?: Record<string, string> } = {},
) {
  const sent: { url: string; headers: unknown }[] = [];
  const bind = opBinder({
    baseUrls: { [op.baseUrl?.variable ?? '']: overrides.baseUrl },
    ...(overrides.simulatedApis === undefined ? {} : { simulatedApis: overrides.simulatedApis }),
    redact: (text) => text,
    clock: { now: () => 42, sleep: async () => {} },
    fetch: async (url, init) => {
      sent.push({ url: String(url), headers: init?.headers });
      return new Response('{"id":"ins_1"}');
    },
  });
  const call = bind(op, {
    line: 'login',
    credentials: overrides.credentials ?? { CLERK_SECRET_KEY: 'sk_1', NEON_API_KEY: 'napi_1' },
    provider: overrides.provider ?? {},
    context,
    guard: { beforeWrite: () => {} },
  });
  return { call, sent };
}

describe('a bound op', () => {
  it('speaks to its provider with its credential', async () => {
    const { call, sent } = bound(redirectAllow);
    expect(await redirectAllow.identity(call)).toEqual({ instance: 'ins_1' });
    expect(sent).toMatchObject([{ url: 'https://api.clerk.com/v1/instance', headers: { authorization: 'Bearer sk_1' } }]);
  });

  it('speaks to the base URL that its variable names', async () => {
    const { call, sent } = bound(redirectAllow, { baseUrl: 'http://127.0.0.1:4010/v1/' });
    await redirectAllow.identity(call);
    expect(sent[0]?.url).toBe('http://127.0.0.1:4010/v1/instance');
  });

  it('speaks to nothing real beside the fake cloud: a provider without a fake of its own has a place there (R1.7)', async () => {
    const { call, sent } = bound(redirectAllow, { simulatedApis: 'http://127.0.0.1:4010/rest' });
    await redirectAllow.identity(call);
    expect(sent[0]?.url).toBe('http://127.0.0.1:4010/rest/api.clerk.com/v1/instance');
  });

  it.each(['clerk', 'ftp://x', 'https://me:secret@x.example', 'https://x.example/?a=b'])('refuses %s as base URL without repeating it', (baseUrl) => {
    expect(() => bound(redirectAllow, { baseUrl })).toThrow(
      expect.objectContaining({ code: 'PROVIDER_INVALID', message: expect.stringContaining('CLERK_API_URL must be') }),
    );
  });

  it('has the time and the context of its run', () => {
    const { call } = bound(redirectAllow);
    expect(call.now()).toBe(42);
    expect(call.context).toBe(context);
  });

  it('without its credential names variable, place and line', () => {
    expect(() => bound(redirectAllow, { credentials: {} })).toThrow(
      expect.objectContaining({ code: 'PROVIDER_AUTH', message: expect.stringMatching(/`login` needs CLERK_SECRET_KEY.*dashboard\.clerk\.com/) }),
    );
  });

  it('without what its provider block needs names the key and the line', () => {
    expect(() => bound(branch)).toThrow(
      expect.objectContaining({ code: 'PLAN_INVALID', message: expect.stringMatching(/`login`.*`providers\.neon\.project`/) }),
    );
  });
});
