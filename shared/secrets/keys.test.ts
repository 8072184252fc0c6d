import { expect, test } from 'vitest';
import { fingerprintKey, freshSalt, keyOfRun, sealingKey } from './keys.ts';

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

test('a run has a key of its own, made of the stack key and a salt of 24 bytes: neither alone gives it', () => {
  let count = 0;
  const stack = sealingKey(secret, (length) => new Uint8Array(length).fill(++count));
  const salts = [freshSalt(stack), freshSalt(stack)] as const;
  expect(Buffer.from(salts[0], 'base64url')).toHaveLength(24);
  const ids = [stack, ...salts.map((salt) => keyOfRun(stack, salt)), keyOfRun(sealingKey(secret.replace('0', '1'), zeros), salts[0])];
  expect(new Set(ids.map(({ key }) => Buffer.from(key).toString('hex'))).size).toBe(4);
  expect(keyOfRun(stack, salts[0]).key).toEqual(keyOfRun(stack, salts[0]).key);
  expect(keyOfRun(stack, salts[0]).id).not.toBe(keyOfRun(stack, salts[1]).id);
});
