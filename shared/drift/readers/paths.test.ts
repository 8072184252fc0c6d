import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathText, type Way, wayOf } from './paths.ts';
import { mayShow, shownOf, shownText } from './show.ts';

const key = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('a.b', '"', '\\', '[0]', '0', '__proto__', 'constructor', 'ünï'));
const way: fc.Arbitrary<Way> = fc.array(fc.oneof(key, fc.nat(99)), { minLength: 1, maxLength: 6 });

describe('a path', () => {
  it('is written so that the way can be read from it, whatever its keys hold', () => {
    fc.assert(
      fc.property(way, (steps) => {
        expect(wayOf(pathText(steps))).toEqual(steps);
      }),
    );
  });

  it.each(['', '.', 'a.', '.a', 'a..b', 'a[', 'a[x]', 'a["b]', 'a["\\x"]', 'a]'])('is none: %s', (text) => {
    expect(wayOf(text)).toBeUndefined();
  });
});

describe('a list of what may be shown', () => {
  it('names a type and a path in it', () => {
    for (const text of ['aws_instance#tags.Name', 'aws:s3/bucket:Bucket#versioning[0]["a.b"]', 'kubernetes:networking.k8s.io/v1:Ingress#spec']) {
      const shown = shownOf(text);
      expect(shown && shownText(shown)).toBe(text);
    }
    for (const text of ['tags.Name', '#tags', 'aws_instance#', 'aws_instance#a#b', 'aws instance#a', 'aws_instance#a[']) expect(shownOf(text)).toBeUndefined();
  });

  it('covers what lies below a path of that type, and nothing above it, beside it, or of another type', () => {
    const list = [{ type: 'aws_instance', way: ['tags', 'a'] }];
    expect(
      [
        ['tags', 'a'],
        ['tags', 'a', 'b', 0],
      ].map((one) => mayShow(list, 'aws_instance', one)),
    ).toEqual([true, true]);
    expect([['tags'], ['tags', 'ab'], ['tags', 'b', 'a']].map((one) => mayShow(list, 'aws_instance', one))).toEqual([false, false, false]);
    expect([mayShow(list, 'aws_vpc', ['tags', 'a']), mayShow(list, undefined, ['tags', 'a'])]).toEqual([false, false]);
  });
});
