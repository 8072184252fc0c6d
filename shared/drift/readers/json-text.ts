import { ExactNumber, type Json } from './json.ts';
import { UnreadableError } from './unreadable.ts';

/** What is nested deeper is refused before anything recurses into it. No tool's document comes near. */
export const deepest = 256;

/**
 * Parses one JSON text. Stricter than `JSON.parse` where that would hide something: a key that stands twice is refused, text that is not
 * well formed is refused, and numbers keep every digit. Refusals name line and column, and nothing of the content.
 *
 * @throws UnreadableError
 */
export function parseJson(text: string): Json {
  const parser = { text, at: 0 };
  const value = valueAt(parser, 0);
  skipSpace(parser);
  if (parser.at < text.length) throw wrong(parser, 'something follows the end of the JSON value');
  return value;
}

interface Parser {
  readonly text: string;
  at: number;
}

function wrong({ text, at }: Parser, says: string): UnreadableError {
  const before = text.slice(0, at);
  const lastBreak = before.lastIndexOf('\n');
  let line = 1;
  for (let next = before.indexOf('\n'); next >= 0; next = before.indexOf('\n', next + 1)) line++;
  return new UnreadableError(says, { line, column: at - lastBreak });
}

function skipSpace(parser: Parser): void {
  for (;;) {
    const code = parser.text.charCodeAt(parser.at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    parser.at++;
  }
}

function valueAt(parser: Parser, depth: number): Json {
  if (depth > deepest) throw wrong(parser, `it is nested deeper than ${deepest} levels`);
  skipSpace(parser);
  const char = parser.text[parser.at];
  if (char === '{') return mapAt(parser, depth);
  if (char === '[') return listAt(parser, depth);
  if (char === '"') return stringAt(parser);
  if (char === undefined) throw wrong(parser, 'it ends in the middle of a JSON value');
  for (const [word, value] of words) {
    if (parser.text.startsWith(word, parser.at)) {
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
  if (closes(parser, '}')) return map;
  for (;;) {
    skipSpace(parser);
    if (parser.text[parser.at] !== '"') throw wrong(parser, missing(parser, 'a key'));
    const start = parser.at;
    const key = stringAt(parser);
    if (Object.hasOwn(map, key)) throw wrong({ ...parser, at: start }, 'a key stands twice in one map');
    skipSpace(parser);
    if (parser.text[parser.at] !== ':') throw wrong(parser, missing(parser, 'a colon'));
    parser.at++;
    const value = valueAt(parser, depth + 1);
    if (key === '__proto__') Object.defineProperty(map, key, { value, enumerable: true });
    else map[key] = value;
    if (closes(parser, '}')) return map;
    comma(parser);
  }
}

function listAt(parser: Parser, depth: number): Json {
  const list: Json[] = [];
  parser.at++;
  if (closes(parser, ']')) return list;
  for (;;) {
    list.push(valueAt(parser, depth + 1));
    if (closes(parser, ']')) return list;
    comma(parser);
  }
}

function closes(parser: Parser, end: string): boolean {
  skipSpace(parser);
  if (parser.text[parser.at] !== end) return false;
  parser.at++;
  return true;
}

function comma(parser: Parser): void {
  if (parser.text[parser.at] !== ',') throw wrong(parser, missing(parser, 'a comma or the end of the map or list'));
  parser.at++;
}

const missing = ({ text, at }: Parser, what: string): string => (at >= text.length ? 'it ends in the middle of a JSON value' : `${what} is missing`);

function stringAt(parser: Parser): string {
  const { text } = parser;
  const start = parser.at + 1;
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      parser.at = at + 1;
      return checked({ text, at: start - 1 }, text.slice(start, at));
    }
    if (code === 0x5c) return escapedString(parser, start);
    if (!(code >= 0x20)) throw wrong({ text, at }, at >= text.length ? 'it ends in the middle of a text' : 'a control character stands in a text');
  }
}

/** What may follow a backslash, with it; set to where it is to be looked for. */
const sequence = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y;

/** A text with a backslash in it: where it ends is found here, and what it says by the platform's own parser. */
function escapedString(parser: Parser, start: number): string {
  const { text } = parser;
  let at = start;
  for (; text.charCodeAt(at) !== 0x22; at++) {
    const code = text.charCodeAt(at);
    if (!(code >= 0x20)) throw wrong({ text, at }, at >= text.length ? 'it ends in the middle of a text' : 'a control character stands in a text');
    if (code !== 0x5c) continue;
    sequence.lastIndex = at;
    if (!sequence.test(text)) throw wrong({ text, at }, 'a backslash is followed by what JSON does not know');
    at = sequence.lastIndex - 1;
  }
  parser.at = at + 1;
  return checked({ text, at: start - 1 }, JSON.parse(text.slice(start - 1, at + 1)) as string);
}

function checked(parser: Parser, value: string): string {
  if (!value.isWellFormed()) throw wrong(parser, 'a text holds half a character');
  return value;
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Every double survives up to so many digits. */
const exactDigits = 15;

function numberAt(parser: Parser): Json {
  number.lastIndex = parser.at;
  const digits = number.exec(parser.text)?.[0];
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
