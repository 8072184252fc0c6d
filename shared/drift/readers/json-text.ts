import { ExactNumber, type Json } from './json.ts';
import { UnreadableError } from './unreadable.ts';

/** What is nested deeper is refused before anything recurses into it. No tool's document comes near. */
export const deepest = 256;

/**
 * Parses one JSON text, given as UTF-8 that was found to be UTF-8 (`inputBytes`). Stricter than `JSON.parse` where that would hide something: a key that
 * stands twice is refused, text that is not well formed is refused, and numbers keep every digit. Refusals name line and column, and nothing of
 * the content. Bytes, and no text: a large input lies in memory once, and short texts that stand often are kept once.
 *
 * @throws UnreadableError
 */
export function parseJson(bytes: Uint8Array): Json {
  const parser = { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), at: 0, kept: new Map<number, string>() };
  const value = valueAt(parser, 0);
  skipSpace(parser);
  if (parser.at < bytes.length) throw wrong(parser, 'something follows the end of the JSON value');
  return value;
}

interface Parser extends Place {
  at: number;
  /** Texts of ASCII that were read last, by their hash: keys, types, names of providers. One that stands there already takes no memory again. */
  readonly kept: Map<number, string>;
}

interface Place {
  readonly bytes: Buffer;
  readonly at: number;
}

const [quote, backslash, colonSign, commaSign, openMap, closeMap, openList, closeList] = [0x22, 0x5c, 0x3a, 0x2c, 0x7b, 0x7d, 0x5b, 0x5d] as const;

function wrong({ bytes, at }: Place, says: string): UnreadableError {
  const lastBreak = at === 0 ? -1 : bytes.lastIndexOf(0x0a, at - 1);
  let line = 1;
  for (let next = bytes.indexOf(0x0a); next >= 0 && next < at; next = bytes.indexOf(0x0a, next + 1)) line++;
  return new UnreadableError(says, { line, column: bytes.toString('utf8', lastBreak + 1, at).length + 1 });
}

function skipSpace(parser: Parser): void {
  for (;;) {
    const code = parser.bytes[parser.at];
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    parser.at++;
  }
}

function valueAt(parser: Parser, depth: number): Json {
  if (depth > deepest) throw wrong(parser, `it is nested deeper than ${deepest} levels`);
  skipSpace(parser);
  const code = parser.bytes[parser.at];
  if (code === openMap) return mapAt(parser, depth);
  if (code === openList) return listAt(parser, depth);
  if (code === quote) return stringAt(parser);
  if (code === undefined) throw wrong(parser, 'it ends in the middle of a JSON value');
  for (const [word, value] of words) {
    if (code === word.charCodeAt(0) && parser.bytes.toString('latin1', parser.at, parser.at + word.length) === word) {
      parser.at += word.length;
      return value;
    }
  }
  return numberAt(parser);
}

const words: readonly (readonly [string, Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

function mapAt(parser: Parser, depth: number): Json {
  const map: Record<string, Json> = {};
  parser.at++;
  if (closes(parser, closeMap)) return map;
  for (;;) {
    skipSpace(parser);
    if (parser.bytes[parser.at] !== quote) throw wrong(parser, missing(parser, 'a key'));
    const start = parser.at;
    const key = stringAt(parser);
    if (Object.hasOwn(map, key)) throw wrong({ ...parser, at: start }, 'a key stands twice in one map');
    skipSpace(parser);
    if (parser.bytes[parser.at] !== colonSign) throw wrong(parser, missing(parser, 'a colon'));
    parser.at++;
    const value = valueAt(parser, depth + 1);
    if (key === '__proto__') Object.defineProperty(map, key, { value, enumerable: true });
    else map[key] = value;
    if (closes(parser, closeMap)) return map;
    comma(parser);
  }
}

function listAt(parser: Parser, depth: number): Json {
  const list: Json[] = [];
  parser.at++;
  if (closes(parser, closeList)) return list;
  for (;;) {
    list.push(valueAt(parser, depth + 1));
    if (closes(parser, closeList)) return list;
    comma(parser);
  }
}

function closes(parser: Parser, end: number): boolean {
  skipSpace(parser);
  if (parser.bytes[parser.at] !== end) return false;
  parser.at++;
  return true;
}

function comma(parser: Parser): void {
  if (parser.bytes[parser.at] !== commaSign) throw wrong(parser, missing(parser, 'a comma or the end of the map or list'));
  parser.at++;
}

const missing = ({ bytes, at }: Place, what: string): string => (at >= bytes.length ? 'it ends in the middle of a JSON value' : `${what} is missing`);

function stringAt(parser: Parser): string {
  const { bytes } = parser;
  const start = parser.at + 1;
  let [hash, all] = [0, 0];
  for (let at = start; ; at++) {
    const code = bytes[at] ?? 0;
    if (code === quote) {
      parser.at = at + 1;
      if (all >= 0x80) return bytes.toString('utf8', start, at);
      return at - start > longestKept ? bytes.toString('latin1', start, at) : kept(parser, start, at, hash);
    }
    if (code === backslash) return escapedString(parser, start);
    if (code < 0x20) throw unfinished(bytes, at);
    all |= code;
    hash = (hash * 31 + code) | 0;
  }
}

const unfinished = (bytes: Buffer, at: number): UnreadableError =>
  wrong({ bytes, at }, at >= bytes.length ? 'it ends in the middle of a text' : 'a control character stands in a text');

/** How many are kept, and how long they are at most. */
const mostKept = 4096;
const longestKept = 64;

function kept({ bytes, kept: texts }: Parser, start: number, end: number, hash: number): string {
  const slot = (hash ^ (hash >>> 12)) & (mostKept - 1);
  const known = texts.get(slot) ?? '';
  if (isSame(known, bytes, start, end)) return known;
  const text = bytes.toString('latin1', start, end);
  texts.set(slot, text);
  return text;
}

function isSame(text: string, bytes: Buffer, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let at = start; at < end; at++) if (text.charCodeAt(at - start) !== bytes[at]) return false;
  return true;
}

/** What may follow a backslash, with it. */
const sequence = /^\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/;
const longestSequence = 6;

/** A text with a backslash in it: where it ends is found here, and what it says by the platform's own parser. */
function escapedString(parser: Parser, start: number): string {
  const { bytes } = parser;
  let at = start;
  for (; bytes[at] !== quote; at++) {
    const code = bytes[at] ?? 0;
    if (code < 0x20) throw unfinished(bytes, at);
    if (code !== backslash) continue;
    const found = sequence.exec(bytes.toString('latin1', at, at + longestSequence))?.[0];
    if (found === undefined) throw wrong({ bytes, at }, 'a backslash is followed by what JSON does not know');
    at += found.length - 1;
  }
  parser.at = at + 1;
  const text = JSON.parse(bytes.toString('utf8', start - 1, at + 1)) as string;
  if (!text.isWellFormed()) throw wrong({ bytes, at: start - 1 }, 'a text holds half a character');
  return text;
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Every double survives up to so many digits. */
const exactDigits = 15;

/** Digits, signs, the point and the letter of an exponent. */
const isNumberSign = (code: number | undefined): boolean =>
  code !== undefined && ((code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d || code === 0x2e || code === 0x45 || code === 0x65);

function numberAt(parser: Parser): Json {
  let end = parser.at;
  while (isNumberSign(parser.bytes[end])) end++;
  number.lastIndex = 0;
  const digits = number.exec(parser.bytes.toString('latin1', parser.at, end))?.[0];
  if (digits === undefined) throw wrong(parser, 'this is no JSON value');
  parser.at += digits.length;
  const value = Number(digits);
  const mantissa = digits
    .replace(/[eE].*$/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+/, '');
  const fits = Number.isFinite(value) && (mantissa.length <= exactDigits || String(value) === digits) && (value !== 0 || mantissa === '');
  return fits ? value : new ExactNumber(digits);
}
