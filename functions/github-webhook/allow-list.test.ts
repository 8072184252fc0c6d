import { describe, expect, it } from 'vitest';
import { allowList } from './allow-list.ts';

const storefront = { id: '1296269', owner: 'acme', name: 'storefront' };

describe('the allow-list', () => {
  it.each([
    ['acme/storefront', true],
    ['ACME/Storefront', true],
    ['acme/*', true],
    ['1296269', true],
    ['*', true],
    ['other/thing, acme/storefront', true],
    ['', false],
    [' , ', false],
    ['acme/store', false],
    ['acme', false],
    ['acme/storefront2', false],
    ['*/storefront', false],
    ['129626', false],
  ])('%j lets acme/storefront in: %s', (text, allowed) => {
    expect(allowList(text)(storefront)).toBe(allowed);
  });
});
