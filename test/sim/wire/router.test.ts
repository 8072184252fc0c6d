import { describe, expect, it } from 'vitest';
import { route } from './router.ts';

const routes = {
  'GET /pulls/:number': () => ({ status: 1 }),
  'GET /commits/:sha/pulls': () => ({ status: 2 }),
  'GET /commits/:ref+': () => ({ status: 3 }),
};

describe('routes', () => {
  it('decode the parts they name', () => {
    expect(route(routes, 'GET', '/pulls/a%2Fb')?.params).toEqual({ number: 'a/b' });
  });

  it('let the last part run over slashes', () => {
    expect(route(routes, 'GET', '/commits/feat/cart')?.params).toEqual({ ref: 'feat/cart' });
  });

  it('take the first pattern that fits', () => {
    expect(Object.keys(route(routes, 'GET', '/commits/abc/pulls')?.params ?? {})).toEqual(['sha']);
  });

  it('find nothing for another method or a longer path', () => {
    expect(route(routes, 'POST', '/pulls/1')).toBeUndefined();
    expect(route(routes, 'GET', '/pulls/1/files')).toBeUndefined();
  });
});
