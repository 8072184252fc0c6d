import { describe, expect, it } from 'vitest';
import { covers, isRule } from './glob.ts';

describe('METHOD /glob', () => {
  it.each([
    ['POST /projects/*/branches', 'POST', '/projects/p-1/branches', true],
    ['POST /projects/*/branches', 'GET', '/projects/p-1/branches', false],
    ['POST /projects/*/branches', 'POST', '/projects/a/b/branches', false],
    ['* /projects/**', 'DELETE', '/projects/p-1/branches/b-1', true],
    ['get /redirect_urls', 'GET', '/redirect_urls', true],
    ['GET /a.c', 'GET', '/abc', false],
    ['GET /redirect_urls', 'GET', '/redirect_urls/ru_1', false],
  ])('%s covers %s %s: %s', (rule, method, path, expected) => {
    expect(covers(rule, method, path)).toBe(expected);
  });

  it('is refused without a method or a path', () => {
    expect(['/projects', 'POST', 'POST projects', 'POST /a b'].map(isRule)).toEqual([false, false, false, false]);
  });
});
