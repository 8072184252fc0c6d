import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostile } from '../../test/reports/hostile.ts';
import { asciiJson, code, htmlCode, jsonBlock, message, plain, prose } from './escape.ts';

describe('text of others inside Markdown', () => {
  it.each([
    ['mentions nobody', 'ask @acme/owners', 'ask @&#8203;acme/owners'],
    ['names no issue', 'fixes #12 and GH-7', 'fixes #&#8203;12 and GH-&#8203;7'],
    ['links nothing', 'see https://evil.example and www.evil.example', 'see https&#8203;://evil.example and www&#8203;.evil.example'],
    ['is no Markdown link or image', '![x](y)', '!&#91;x&#93;(y)'],
    ['is no HTML and no comment', '<!-- lockkeeper: a/b -->', '&lt;!-- lockkeeper: a/b --&gt;'],
    ['makes no entity', '&lt;b&gt;', '&amp;lt;b&amp;gt;'],
    ['ends no table cell', 'a | b', 'a &#124; b'],
    ['stays on its line', 'a\r\n\n# b', 'a # b'],
    ['starts no list, heading or numbering', '- a', '&#45; a'],
    ['starts no numbered list', '12. a', '12&#46; a'],
    ['opens no code', 'a `b', 'a &#96;b'],
    ['shows no emoji', ':white_check_mark:', ':&#8203;white_check_mark:'],
    ['keeps a name readable', 'snake_case stays, _this_ is not italic', 'snake_case stays, &#95;this&#95; is not italic'],
    ['is never empty', ' \n', '(no text)'],
    ['shows what cannot be seen', 'a\u202Eb\u0000c\u200Dd', 'a\u{FFFD}b\u{FFFD}c\u{FFFD}d'],
  ])('%s', (_, text, shown) => {
    expect(prose(text)).toBe(shown);
  });

  it('never holds a raw bracket, tag, bar, backtick, line end, or a mention', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(prose(text)).not.toMatch(/[<>|`[\]\r\n\u2028]|@(?!&#8203;)|:\/\/(?<!&#8203;:\/\/)/);
      }),
    );
  });

  it('is cut between characters, and says that it was cut', () => {
    expect(plain('😀'.repeat(10), 5)).toBe('😀😀…');
    expect(prose('x'.repeat(2000))).toHaveLength(1001);
  });
});

describe('names and values as code', () => {
  it.each([
    ['a plain key', 'env:preview:feat/x:DATABASE_URL', '`env:preview:feat/x:DATABASE_URL`'],
    ['a mention, which code does not send', '@acme', '`@acme`'],
    ['an empty value', '', '`""`'],
    ['a backtick', 'a`b', '<code>a&#96;b</code>'],
    ['a table bar', 'a|b', '<code>a&#124;b</code>'],
    ['a comment', '<!-- x -->', '<code>&lt;&#33;-- x --&gt;</code>'],
    ['a line end', 'a\nb', '`a b`'],
  ])('%s', (_, text, shown) => {
    expect(code(text)).toBe(shown);
  });

  it('is one balanced span, whatever goes in', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(code(text)).toMatch(/^(?:`[^`|<>\r\n]+`|<code>[^`|<>@:*_[\]\r\n]+<\/code>)$/u);
      }),
    );
  });

  it('in a line of HTML holds no tag but its own', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(htmlCode(text).slice('<code>'.length, -'</code>'.length)).not.toMatch(/[<>@\r\n]/);
      }),
    );
  });
});

describe('JSON for programs', () => {
  it('says the same in ASCII, without anything that could end its fence', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.jsonValue()), (value) => {
        const json = asciiJson(value);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(json).toMatch(/^[ -~]*$/);
        expect(json).not.toMatch(/[`<>&@]/);
        expect(jsonBlock(json).split('\n')).toHaveLength(3);
      }),
    );
  });
});

describe('a message', () => {
  it.each([
    ['shows what stands between backticks as code', 'type `lockkeeper plan --pr 4` #1', 'type `lockkeeper plan --pr 4` #&#8203;1'],
    ['escapes a backtick without its other half', 'a ` b', 'a &#96; b'],
    ['keeps codes apart that touch', '`a``b`', '`a` `b`'],
    ['says a time to the minute', 'at 2026-11-30T17:05:14.249Z', 'at 2026-11-30 17:05 UTC'],
    ['shows its code as it is', '`2026-11-30T17:05:14.249Z`', '`2026-11-30T17:05:14.249Z`'],
  ])('%s', (_, text, shown) => {
    expect(message(text)).toBe(shown);
  });

  it('opens no code that it does not end, and is prose outside of it, whatever text goes in', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const outside = message(text)
          .replace(/`[^`\n]*`/g, '')
          .replace(/<code>[^<>]*<\/code>/g, '');
        expect(outside).not.toMatch(/[`<>\n]|@(?!&#8203;)|!\[/);
      }),
    );
  });
});
