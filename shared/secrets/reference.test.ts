import { describe, expect, test } from 'vitest';
import { brokenReference, parseReference } from './reference.ts';

test.each([
  ['env://STRIPE_KEY', { scheme: 'env', name: 'STRIPE_KEY' }],
  ['aws-sm://app/key', { scheme: 'aws-sm', id: 'app/key' }],
  ['aws-sm://app/key#field', { scheme: 'aws-sm', id: 'app/key', key: 'field' }],
  ['aws-sm://arn:aws:secretsmanager:eu-west-1:111122223333:secret:app/key-AbCdEf', { scheme: 'aws-sm', id: expect.stringContaining('app/key-AbCdEf') }],
  ['ssm:///app/key', { scheme: 'ssm', name: '/app/key' }],
  ['doppler://project/config/NAME', { scheme: 'doppler', project: 'project', config: 'config', name: 'NAME' }],
  ['op://vault/an item/section/field', { scheme: 'op', address: 'op://vault/an item/section/field' }],
])('%s is a reference', (text, reference) => {
  expect(parseReference(text)).toEqual(reference);
});

describe('what is no reference', () => {
  test.each([
    'STRIPE_KEY',
    'env://',
    'env://1ST',
    'env://A B',
    'env://A/B',
    'vault://a/b',
    'gcp-sm://project/secret',
    'doppler://only/two',
    'doppler://a/b/c/d',
    'doppler://a/--config/c',
    'op://--help/item/field',
    'op://vault/item/-field',
    'op://vault/item\n/field',
    'aws-sm://-x',
    'aws-sm://a#-k',
    'ssm://a b',
    'toString://x',
  ])('%j is refused', (text) => {
    expect(parseReference(text)).toBeUndefined();
  });

  test('names the sources that exist and where each works, and tells nothing of the text but its scheme', () => {
    const told = brokenReference('vault://hush/hush');
    expect(told).toMatch(
      /no secret source `vault:\/\/`.*env:\/\/NAME.*aws-sm:\/\/id#KEY.*ssm:\/\/name.*on a terminal also `doppler:\/\/project\/config\/NAME` and `op:\/\/vault\/item\/field`/,
    );
    expect([told, brokenReference('hush'), brokenReference('doppler://hush')].join()).not.toContain('hush');
  });

  test('of a known scheme is told the form of that scheme', () => {
    expect(brokenReference('doppler://a/b')).toContain('`doppler://project/config/NAME`');
  });
});
