import { expect, test } from 'vitest';
import { environmentSource } from './environment-source.ts';

test('a variable that is set and not empty is the secret; what is missing is said', async () => {
  const source = environmentSource({ A: 'value', EMPTY: '' });
  expect(await source.resolve('preview', { scheme: 'env', name: 'A' })).toEqual({ found: true, value: 'value' });
  expect(await source.resolve('preview', { scheme: 'env', name: 'EMPTY' })).toEqual({ found: false, why: 'the variable EMPTY is empty' });
  expect(await source.resolve('preview', { scheme: 'env', name: 'B' })).toEqual({ found: false, why: 'the variable B is not set' });
});
