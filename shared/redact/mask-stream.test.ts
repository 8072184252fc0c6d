import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskStream } from './mask-stream.ts';
import { createRedactor } from './redactor.ts';

function streamed(values: readonly string[], chunks: readonly (string | Uint8Array)[]): string[] {
  const redactor = createRedactor();
  for (const value of values) redactor.register(value);
  const out: string[] = [];
  const stream = maskStream(redactor, (text) => out.push(text));
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  return out;
}

test('a value split over two writes is masked', () => {
  expect(streamed(['s3cret-value'], ['it is s3cr', 'et-value.']).join('')).toBe('it is [REDACTED].');
});

test('text that begins no value leaves at once', () => {
  expect(streamed(['s3cret-value'], ['planning…\n', 'done\n'])).toEqual(['planning…\n', 'done\n']);
});

test('what was held back and turned out to be harmless is written', () => {
  expect(streamed(['s3cret-value'], ['s3cr', 'apes']).join('')).toBe('s3crapes');
  expect(streamed(['s3cret-value'], ['s3cr']).join('')).toBe('s3cr');
});

test('a character split over two writes arrives whole', () => {
  const bytes = Buffer.from('naïve ✓');
  expect(streamed([], [bytes.subarray(0, 3), bytes.subarray(3, 8), bytes.subarray(8)]).join('')).toBe('naïve ✓');
});

test('however a text with values in it is cut, the stream masks as if it came whole', () => {
  const value = fc.stringMatching(/^[a-c]{4,15}$/);
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 3 }),
      fc.array(fc.stringMatching(/^[a-d]{0,6}$/), { maxLength: 12 }),
      fc.nat(20),
      (values, around, at) => {
        const chunks = around.flatMap((text, index) => (index === at % around.length ? [text, ...(values[0] ?? '')] : [text]));
        const whole = createRedactor();
        for (const one of values) whole.register(one);
        expect(streamed(values, chunks).join('')).toBe(whole.mask(chunks.join('')));
      },
    ),
  );
});

test('a value whose escapes, or whose line, are cut apart is masked as if it came whole', () => {
  const value = 'aA%&"zé-key_0123';
  const written = [
    JSON.stringify(value).slice(1, -1),
    [...value].map((char) => `&#${char.codePointAt(0)};`).join(''),
    [...Buffer.from(value)].map((byte) => `%${byte.toString(16)}`).join(''),
    Buffer.from(value).toString('hex').toUpperCase(),
    [...Buffer.from(value)].map((byte) => byte.toString(16)).join(':'),
    Buffer.from(value)
      .toString('base64')
      .replace(/(.{7})/g, '$1\n  '),
    `${value.slice(0, 6)}\r\n${value.slice(6)}`,
  ];
  fc.assert(
    fc.property(fc.constantFrom(...written), fc.array(fc.nat(90), { maxLength: 6 }), (text, cuts) => {
      const places = [0, ...cuts.map((cut) => cut % text.length).sort((a, b) => a - b), text.length];
      const chunks = places.slice(1).map((place, index) => text.slice(places[index], place));
      expect(streamed([value], ['<', ...chunks, '>']).join('')).toBe('<[REDACTED]>');
    }),
    { numRuns: 400 },
  );
});

test('a line that only might begin a value over its end leaves at once', () => {
  expect(streamed(['s3cret-value', 'planned-thing'], ['it has s\n', 'done pl\n'])).toEqual(['it has s\n', 'done pl\n']);
});
