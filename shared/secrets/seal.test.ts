import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sealingKey } from './keys.ts';
import { open, seal } from './seal.ts';

const golden = 'lk1.5d716bdc.BwcHBwcHBwcHBwcH._olUCyshvjVaMrexvq3dhpcYMcEB5A';
const key = sealingKey('a'.repeat(64), randomBytes);
const unreadable = expect.objectContaining({ code: 'SEAL_UNREADABLE' });

test('what was sealed opens again, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, place) => {
      expect(open(key, seal(key, text, place), place)).toBe(text);
    }),
  );
});

test('two seals of one text differ', () => {
  expect(seal(key, 'x', 'run')).not.toBe(seal(key, 'x', 'run'));
});

test('the format is frozen: a text sealed by the first version opens', () => {
  const fixed = sealingKey('a'.repeat(64), (count) => new Uint8Array(count).fill(7));
  expect(seal(fixed, 'golden', 'run-1')).toBe(golden);
  expect(open(key, golden, 'run-1')).toBe('golden');
});

test('it opens neither in another place nor under another key, and the message names both keys', () => {
  const sealed = seal(key, 'x', 'run-1');
  expect(() => open(key, sealed, 'run-2')).toThrow(unreadable);
  const other = sealingKey('b'.repeat(64), randomBytes);
  expect(() => open(other, sealed, 'run-1')).toThrow(new RegExp(`under key ${key.id}.*is ${other.id}`));
});

test('a sealed text that was changed anywhere does not open', () => {
  const sealed = seal(key, 'a longer text to be sealed', 'run-1');
  const [format, id, nonce, body] = sealed.split('.') as [string, string, string, string];
  const flipped = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
  const changed = [
    [format, id, flipped(nonce), body],
    [format, id, nonce, flipped(body)],
    [format, id, nonce, body.slice(0, -4)],
    [format, id, nonce, 'AAAA'],
    [format, id, 'AAAA', body],
    ['lk2', id, nonce, body],
    [format, id, nonce],
    [format, id, nonce, body, 'more'],
  ];
  for (const parts of changed) expect(() => open(key, parts.join('.'), 'run-1')).toThrow(unreadable);
});
