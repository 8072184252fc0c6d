import { expect, test } from 'vitest';
import { fingerprintKey, sealingKey } from './keys.ts';

const secret = '0123456789abcdef'.repeat(4);
const zeros = (count: number) => new Uint8Array(count);

test('a key is 32 bytes and its id eight hex digits that the key does not contain', () => {
  const key = fingerprintKey(secret);
  expect(key.key).toHaveLength(32);
  expect(key.id).toMatch(/^[0-9a-f]{8}$/);
  expect(Buffer.from(key.key).toString('hex')).not.toContain(key.id);
});

test('one secret gives unrelated keys for the two uses', () => {
  expect(Buffer.from(fingerprintKey(secret).key)).not.toEqual(Buffer.from(sealingKey(secret, zeros).key));
  expect(fingerprintKey(secret).id).not.toBe(sealingKey(secret, zeros).id);
});

test('the key counts, not how the secret is wrapped nor what id is written beside it', () => {
  const plain = fingerprintKey(secret);
  expect(fingerprintKey(`${secret}\n`)).toEqual(plain);
  expect(fingerprintKey(JSON.stringify({ id: '1', key: secret }))).toEqual(plain);
  expect(fingerprintKey(JSON.stringify({ id: '1', key: secret.replace('0', '1') })).id).not.toBe(plain.id);
});

test('a key that somebody typed is refused', () => {
  expect(() => fingerprintKey('hunter2')).toThrow(expect.objectContaining({ code: 'KEY_INVALID' }));
  expect(() => sealingKey('{"id":"1","key":""}', zeros)).toThrow(expect.objectContaining({ code: 'KEY_INVALID' }));
});
