import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesGlob } from './name-glob.ts';

describe('a pattern for names', () => {
  it.each([
    ['env://A', 'env://A', true],
    ['env://A', 'env://AB', false],
    ['env://A', 'xenv://A', false],
    ['env://STRIPE_*', 'env://STRIPE_KEY', true],
    ['env://STRIPE_*', 'env://STRIPE_', true],
    ['env://STRIPE_*', 'env://STRIPE', false],
    ['env://*_URL', 'env://A_URL_URL', true],
    ['env://*_URL', 'env://A_URLS', false],
    ['env://A*B*C', 'env://AxBBxC', true],
    ['env://A*B*C', 'env://AxCxB', false],
    ['env://**', 'env://X', true],
    ['env://a', 'env://A', false],
    ['env://A.', 'env://AB', false],
  ] as const)('%s and %s: %s', (pattern, name, matches) => {
    expect(matchesGlob(pattern, name)).toBe(matches);
  });

  it('matches as the regular expression does that `*` stands for', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 });
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
    fc.assert(
      fc.property(pattern, letters, (glob, name) => matchesGlob(glob, name) === new RegExp(`^${glob.replaceAll('*', '.*')}$`).test(name)),
      {
        numRuns: 2000,
      },
    );
  });

  it('is answered at once for a pattern of many stars and a long name that fits only nearly', () => {
    expect(matchesGlob('*a'.repeat(60), `${'a'.repeat(20_000)}b`)).toBe(false);
  });
});
