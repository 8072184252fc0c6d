import { expect, test } from 'vitest';
import { playCase } from './case.ts';
import { cases } from './cases.ts';

test('cases have names of their own', () => {
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
});

test.each(cases)('$name ($source)', async (one) => {
  expect(await playCase(one)).toEqual([]);
});
