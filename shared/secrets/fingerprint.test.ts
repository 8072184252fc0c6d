import { expect, test } from 'vitest';
import { compare, fingerprint } from './fingerprint.ts';
import { fingerprintKey } from './keys.ts';

const key = fingerprintKey('a'.repeat(64));
const other = fingerprintKey('b'.repeat(64));

test('the same text under the same key is the same, another text is different', () => {
  expect(compare(fingerprint(key, 'x'), fingerprint(key, 'x'))).toBe('same');
  expect(compare(fingerprint(key, 'x'), fingerprint(key, 'y'))).toBe('different');
});

test('under another key even the same text is not comparable, never different', () => {
  expect(compare(fingerprint(key, 'x'), fingerprint(other, 'x'))).toBe('not-comparable');
});

test('a fingerprint names its key and does not show the text', () => {
  const made = fingerprint(key, 'postgres://me:pw@db');
  expect(made).toEqual({ key: key.id, mac: expect.stringMatching(/^[0-9a-f]{64}$/) });
});
