/**
 * How a value may be spelt by whoever writes it down. Made with Node's and the platform's own encoders, and with nothing of the
 * product: what the redactor forgets must not be forgotten here as well.
 */

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const inAscii = (text: string): string => inJson(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const lowerPercent = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (triple) => triple.toLowerCase());
const everyCharacter = (text: string, write: (point: number) => string): string => [...text].map((char) => write(char.codePointAt(0) ?? 0)).join('');
const inHtml = (text: string, apostrophe: string): string =>
  text.replace(/[&<>"']/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char] ?? apostrophe);

/** Base64 with some bytes before it that nobody knows: what is left out at both ends holds bits of a neighbour. */
function inBase64(value: string, encoding: 'base64' | 'base64url'): string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]).toString(encoding);
    return text.slice(before === 0 ? 0 : before + 1, Math.floor(((before + Buffer.byteLength(value)) * 4) / 3));
  });
}

/** Of everything else at least this long is looked for: a shorter text stands anywhere by chance. */
const shortest = 5;
const shortestCode = 6;

const known = new Map<string, readonly string[]>();

/** Every spelling of a value, its credential and each of its lines, that stands nowhere by chance. Found out once: hundreds of scenarios plant the same. */
export function spellingsOf(value: string): readonly string[] {
  const spellings = known.get(value) ?? spelt(value);
  known.set(value, spellings);
  return spellings;
}

function spelt(value: string): readonly string[] {
  const password = /^[a-z]+:\/\/[^:/]+:([^@]+)@/.exec(value)?.[1];
  const lines = value.split('\n').filter((line) => line.length >= shortestCode);
  const parts = [value, value.trim(), ...lines, ...(password === undefined ? [] : [password, decodeURIComponent(password)])];
  return [...new Set(parts.flatMap(written))];
}

function written(value: string): string[] {
  const hex = Buffer.from(value).toString('hex');
  const codes = [...inBase64(value, 'base64'), ...inBase64(value, 'base64url'), hex, hex.toUpperCase()];
  const form = new URLSearchParams([['', value]]).toString().slice(1);
  const texts = [
    ...[value, inJson(value), inJson(inJson(value)), inAscii(value)],
    ...[encodeURIComponent(value), lowerPercent(encodeURIComponent(value)), encodeURI(value), form],
    ...[inHtml(value, "'"), inHtml(value, '&#39;'), inHtml(value, '&#x27;')],
    ...[everyCharacter(value, (point) => `&#${point};`), everyCharacter(value, (point) => `&#x${point.toString(16)};`)],
    value.replace(/\s+/g, ' '),
  ];
  return [...texts.filter(({ length }) => length >= shortest), ...codes.filter(({ length }) => length >= shortestCode)];
}
