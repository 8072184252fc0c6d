import { describe, expect, it } from 'vitest';
import type { Incoming } from '../../sim/wire/answer.ts';
import type { Exchange } from '../../sim/wire/exchange.ts';
import { sentRoutes, undriven } from './sent-routes.ts';

const sent = (method: string, path: string): Exchange => {
  const request: Incoming = { method, path, query: new URLSearchParams(), headers: {}, text: '', body: undefined, params: {} };
  return { provider: 'github', request };
};
const below = (rest: string): string => `/repos/acme/storefront${rest}`;

describe('requests that the source can send', () => {
  it('are found however they are written: as a route, as an argument, as a repository alone', () => {
    const names = sentRoutes().map(({ name }) => name);
    for (const name of ['github GET /pulls/*', 'github GET /app/hook/config', 'github GET ', 'github GET /contents/**', 'github GET /user']) {
      expect(names).toContain(name);
    }
  });

  it.each([
    ['GET /pulls/*', below('/pulls/7'), below('/pulls/7/files')],
    ['GET /commits/*', below('/commits/abc'), below('/commits/abc/check-runs')],
    ['GET ', below(''), below('/installation')],
    ['GET /contents/**', below('/contents/shop/release.plan.yaml'), below('/contents')],
    ['GET /git/ref/heads/**', below('/git/ref/heads/feat/cart'), below('/git/ref/tags/v1')],
  ])('%s is driven by %s and not by %s', (name, driving, other) => {
    const all = sentRoutes();
    expect(undriven(all, [sent('GET', driving)])).not.toContain(`github ${name}`);
    expect(undriven(all, [sent('GET', other), sent('POST', driving)])).toContain(`github ${name}`);
  });
});
