import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

describe('canonical JSON (RFC 8785)', () => {
  test('orders members, writes numbers and strings, and leaves out white space: the example of section 3.2.2', () => {
    const data = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`);
    expect(canonicalJson(data)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  test('orders members by UTF-16 code units, not by code points: the example of section 3.2.3', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    const data = Object.fromEntries(names.map((name) => [name, 0]));
    expect(canonicalJson(data)).toBe('{"\\r":0,"1":0,"\u0080":0,"\u00f6":0,"\u20ac":0,"\ud83d\ude00":0,"\ufb33":0}');
  });

  test.each<[string, string]>([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the number with the bits %s as %s (appendix B)', (bits, text) => {
    expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text);
  });

  test.each<[string, string]>([
    ['\b\t\n\f\r', String.raw`"\b\t\n\f\r"`],
    ['\u0000\u001f', String.raw`"\u0000\u001f"`],
    ['"\\/', String.raw`"\"\\/"`],
    ['\u007f\u2028\u2029\ufeff<>&', '"\u007f\u2028\u2029\ufeff<>&"'],
    ['\u00e9 and e\u0301', '"\u00e9 and e\u0301"'],
  ])('escapes in %j what has to be, as shortly as it can, and nothing else (section 3.2.2.2)', (text, written) => {
    expect(canonicalJson(text)).toBe(written);
  });

  test('writes the same data alike whatever order it was told in, and loses nothing of it', () => {
    const shuffled = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shuffled);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .map(([name, member]) => [name, shuffled(member)] as const)
          .reverse(),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (data) => {
        const written = canonicalJson(data);
        expect(canonicalJson(shuffled(data))).toBe(written);
        expect(canonicalJson(JSON.parse(written))).toBe(written);
      }),
      { seed: 8785, numRuns: 300 },
    );
  });

  test.each<[string, unknown]>([
    ['no number', Number.NaN],
    ['an infinite number', Number.POSITIVE_INFINITY],
    ['half a surrogate pair', '\ud83d'],
    ['half a surrogate pair in a name', { '\udead': 1 }],
    ['nothing', undefined],
    ['nothing in a list', [undefined]],
    ['a big integer', 1n],
    ['a function', () => 1],
  ])('refuses %s', (_what, value) => expect(() => canonicalJson(value)).toThrow(RangeError));

  test('nests, keeps the order of lists, and leaves out members that are not there', () => {
    expect(canonicalJson({ b: [{ z: 1, a: [] }, 'x'], a: { d: undefined, c: {} } })).toBe('{"a":{"c":{}},"b":[{"a":[],"z":1},"x"]}');
  });
});
