import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isSignedBy } from './signature.ts';

// The example of GitHub's own documentation.
const documented = {
  secret: "It's a Secret to Everybody",
  body: 'Hello, World!',
  header: 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
};

describe('the signature of a delivery', () => {
  it('accepts the documented example', () => {
    expect(isSignedBy(documented.secret, Buffer.from(documented.body), documented.header)).toBe(true);
  });

  it('is over the raw bytes, not over text: bytes that are no UTF-8 verify', () => {
    const bytes = Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);
    const header = `sha256=${createHmac('sha256', 'k').update(bytes).digest('hex')}`;
    expect(isSignedBy('k', bytes, header)).toBe(true);
    expect(isSignedBy('k', Buffer.from(bytes.toString('utf8')), header)).toBe(false);
  });

  it.each([
    undefined,
    '',
    'sha256=',
    'sha1=757107ea0eb2509fc211221cce984b8a37570b6d',
    documented.header.slice(0, -1),
    `${documented.header}0`,
    documented.header.replace('7', '8'),
  ])('refuses the header %s', (header) => {
    expect(isSignedBy(documented.secret, Buffer.from(documented.body), header)).toBe(false);
  });

  it('refuses to work with an empty secret, with which anybody could sign', () => {
    const forged = `sha256=${createHmac('sha256', '').update('x').digest('hex')}`;
    expect(() => isSignedBy('', Buffer.from('x'), forged)).toThrow('empty');
  });
});
