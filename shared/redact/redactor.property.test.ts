import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor, redacted } from './redactor.ts';

/** Independent of the encodings under test: written from the formats, with Node's and the platform's own encoders. */
const encodings: Record<string, (value: string, before: string, after: string) => { text: string; secretPart: string }> = {
  raw: whole((value) => value),
  'JSON once': whole((value) => JSON.stringify(value).slice(1, -1)),
  'JSON twice': whole((value) => JSON.stringify(JSON.stringify(value)).slice(3, -3)),
  'percent-encoded': whole((value) => encodeURIComponent(value)),
  'percent-encoded in lower case': whole((value) => encodeURIComponent(value).replace(/%../g, (triple) => triple.toLowerCase())),
  'form-encoded': whole((value) => new URLSearchParams([['', value]]).toString().slice(1)),
  base64: whole((value) => btoa(String.fromCharCode(...new TextEncoder().encode(value)))),
  'base64 without padding': whole((value) => Buffer.from(value).toString('base64').replaceAll('=', '')),
  'base64 inside other bytes': within('base64'),
  'base64url inside other bytes': within('base64url'),
  hex: whole((value) => [...new TextEncoder().encode(value)].map((byte) => byte.toString(16).padStart(2, '0')).join('')),
  'upper-case hex': whole((value) => Buffer.from(value).toString('hex').toUpperCase()),
  HTML: whole((value) => value.replace(/[&<>"']/g, (char) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }[char] ?? '#39'};`)),
  'HTML by number': whole((value) => [...value].map((char) => `&#${char.codePointAt(0)};`).join('')),
  'mixed-case hex': whole((value) => perCharacter(Buffer.from(value).toString('hex'), (char, index) => (index % 3 === 0 ? char.toUpperCase() : char))),
  'hex with bytes apart': whole((value) => [...Buffer.from(value)].map((byte) => byte.toString(16).padStart(2, '0')).join(':')),
  'HTML, each character in another way': whole((value) => perCharacter(value, inHtml)),
  'JSON, each character in another way': whole((value) => perCharacter(value, inJson)),
  'percent-encoded here and there': whole((value) => perCharacter(value, (char, index) => (index % 2 === 0 || char === '%' ? percent(char) : char))),
  'HTML inside JSON': whole((value) => perCharacter(perCharacter(value, inHtml), inJson)),
  'JSON inside a URL': whole((value) =>
    perCharacter(perCharacter(value, inJson), (char, index) => (/[%\\]/.test(char) || index % 4 === 0 ? percent(char) : char)),
  ),
  'base64 in lines': whole((value) => inLines(Buffer.from(value).toString('base64'), 5, '\r\n')),
  'base64 in lines, inside JSON': whole((value) => JSON.stringify(inLines(Buffer.from(value).toString('base64'), 7, '\n')).slice(1, -1)),
  'hex in indented lines': whole((value) => inLines(Buffer.from(value).toString('hex'), 6, '\n    ')),
  'flattened to single spaces': whole((value) => value.trim().replace(/\s+/g, ' ')),
};

function perCharacter(value: string, write: (char: string, index: number) => string): string {
  return [...value].map(write).join('');
}

function inHtml(char: string, index: number): string {
  const point = char.codePointAt(0) ?? 0;
  const named = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '/': '&sol;', '=': '&equals;' }[char];
  const ways = [named ?? `&#${point};`, `&#x${point.toString(16)};`, `&#X${point.toString(16).toUpperCase()};`, char === '&' ? '&#38;' : char];
  return ways[index % ways.length] as string;
}

/** Characters beyond the first plane are two units there. */
function inJson(char: string, index: number): string {
  const units = char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
  const ways = [JSON.stringify(char).slice(1, -1), units, units.toUpperCase().replaceAll('\\U', '\\u')];
  return ways[index % ways.length] as string;
}

const percent = (char: string): string => [...Buffer.from(char)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

const inLines = (text: string, width: number, end: string): string => (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join(end);

function whole(encode: (value: string) => string) {
  return (value: string) => ({ text: encode(value), secretPart: encode(value) });
}

/** Six bits a character: those that are made of the value's bits alone are the secret part. */
function within(encoding: 'base64' | 'base64url') {
  return (value: string, before: string, after: string) => {
    const text = Buffer.from(before + value + after).toString(encoding);
    const firstBit = Buffer.byteLength(before) * 8;
    const endBit = firstBit + Buffer.byteLength(value) * 8;
    return { text, secretPart: text.slice(Math.ceil(firstBit / 6), Math.floor(endBit / 6)) };
  };
}

const character = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...'abcdefghkmnpqrsuvwxyzABCFGHIJKLMNOPQSUVWXYZ0123456789') },
  { weight: 2, arbitrary: fc.constantFrom(...'!"#$%&\'()*+,-./:;<=>?@^_`{|}~') },
  { weight: 1, arbitrary: fc.constantFrom(' ', '\n', '\t', 'ä', '€', '𝄞', '\u0001') },
);
const value = fc
  .array(character, { minLength: 4, maxLength: 60 })
  .map((characters) => characters.join(''))
  .filter((text) => text.trim().replace(/\s+/g, '').length >= 4);
const around = fc.string({ unit: fc.constantFrom(...'xyz 019-"\n{}:,/'), maxLength: 40 });

describe.each(Object.entries(encodings))('a registered value, %s, in any text', (_name, encode) => {
  test('does not survive', () => {
    fc.assert(
      fc.property(value, fc.array(value, { maxLength: 3 }), around, around, (secret, others, before, after) => {
        const redactor = createRedactor();
        for (const one of [secret, ...others]) redactor.register(one);
        const { text, secretPart } = encode(secret, before, after);
        fc.pre(!redacted.includes(secretPart));
        expect(redactor.mask(`${before}|${text}|${after}`)).not.toContain(secretPart);
        expect(redactor.contains(text)).toBe(true);
      }),
    );
  });
});

test('registering is idempotent: masking again changes nothing', () => {
  fc.assert(
    fc.property(value, around, (secret, text) => {
      const redactor = createRedactor();
      redactor.register(secret);
      fc.pre(!redactor.contains(redacted));
      const once = redactor.mask(`${text}${secret}${text}`);
      redactor.register(secret);
      expect(redactor.mask(once)).toBe(once);
    }),
  );
});
