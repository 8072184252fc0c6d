import { expect, test } from 'vitest';
import { parseReference, resolveReference } from './reference.ts';
import type { SecretSource } from './source.ts';

const source: SecretSource = { resolve: async (environment, name) => ({ found: true, value: `${environment}:${name}` }) };

test('env:// names a variable', () => {
  expect(parseReference('env://STRIPE_KEY')).toEqual({ scheme: 'env', name: 'STRIPE_KEY' });
});

test.each(['doppler://project/config/NAME', 'op://vault/an item/field', 'aws-sm://app/key#field', 'gcp-sm://project/secret', 'ssm:///app/key'])(
  '%s has its shape',
  (reference) => {
    expect(parseReference(reference)).toMatchObject({ scheme: reference.split(':')[0] });
  },
);

test.each([
  'STRIPE_KEY',
  'env://',
  'env://1ST',
  'env://A B',
  'env://A/B',
  'vault://a/b',
  'doppler://only/two',
  'op://--help/item/field',
  'gcp-sm://a/b/c/d',
  'toString://x',
])('%s is no reference', (text) => {
  expect(parseReference(text)).toBeUndefined();
});

test('a reference is resolved in the environment of the run', async () => {
  expect(await resolveReference(source, 'preview', 'env://A')).toEqual({ found: true, value: 'preview:A' });
});

test('a scheme that is not served yet is not found, and says so', async () => {
  expect(await resolveReference(source, 'preview', 'op://v/i/f')).toEqual({
    found: false,
    why: expect.stringContaining('op:// is not available in this version yet'),
  });
});

test('what is no reference is not found, and the forms are named', async () => {
  expect(await resolveReference(source, 'preview', 'A')).toEqual({ found: false, why: expect.stringContaining('env://NAME') });
});
