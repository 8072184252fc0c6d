import { describe, expect, it } from 'vitest';
import { path } from './path.ts';

describe('a request path', () => {
  it('escapes its parts', () => {
    expect(path`/projects/${'a/b?c#d'}/env/${'ü 1'}`).toBe('/projects/a%2Fb%3Fc%23d/env/%C3%BC%201');
  });

  it.each(['', '.', '..'])('is not built with %j in it: a DELETE would reach something else', (part) => {
    expect(() => path`/projects/${'p'}/env/${part}`).toThrow(expect.objectContaining({ code: 'PROVIDER_INVALID' }));
  });
});
