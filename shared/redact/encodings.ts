/**
 * The ways a value may be written down by somebody else: a provider that echoes a request, a library that logs a URL,
 * a page that escapes its text. Each function returns whole spellings of `value`; none of them is the value's meaning.
 */

/** Escaped inside JSON once and twice, also by writers that escape `/` or everything beyond ASCII. */
export function jsonForms(value: string): string[] {
  const once = [...new Set(jsonEscapes(value))];
  return [...once, ...once.flatMap(jsonEscapes)];
}

function jsonEscapes(value: string): string[] {
  const plain = JSON.stringify(value).slice(1, -1);
  const unicode = (text: string, write: (hex: string) => string) =>
    text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${write(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`);
  return [plain, plain.replaceAll('/', '\\/'), unicode(plain, (hex) => hex), unicode(plain, (hex) => hex.toUpperCase())];
}

/** Percent-encoded: as a component, as a whole URL, strictly, as a form with `+`, every byte; with upper-case and lower-case hex. */
export function percentForms(value: string): string[] {
  const wellFormed = value.toWellFormed();
  const component = encodeURIComponent(wellFormed);
  const strict = component.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams({ v: wellFormed }).toString().slice(2);
  const everyByte = hexForm(value).toUpperCase().replace(/../g, '%$&');
  const upper = [component, encodeURI(wellFormed), strict, form, component.replaceAll('%20', '+'), everyByte];
  return upper.flatMap((text) => [text, text.replace(/%[0-9A-F]{2}/g, (triple) => triple.toLowerCase())]);
}

/**
 * Base64 and base64url, padded and not, wherever the value's first byte falls in a group of three. Characters that also
 * carry bits of a neighbour are left out of the spelling where the neighbour is unknown.
 */
export function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value);
  const forms: string[] = [];
  for (const before of [0, 1, 2]) {
    const padded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(Math.ceil((before * 8) / 6));
    const lastWhole = Math.floor(((before + bytes.length) * 8) / 6) - Math.ceil((before * 8) / 6);
    forms.push(padded, padded.replace(/=+$/, ''), padded.slice(0, lastWhole));
  }
  return forms.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
}

/** The bytes as hex, in lower case: the other case, and both mixed, are looked for by folding the text. */
export const hexForm = (value: string): string => Buffer.from(value).toString('hex');

/** Escaped for HTML: the characters that must be, in the spellings in use, or every character by number. */
export function htmlForms(value: string): string[] {
  const text = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = text.replaceAll('"', '&quot;');
  const apostrophes = ['&#39;', '&#x27;', '&apos;'].map((entity) => quoted.replaceAll("'", entity));
  const slashed = quoted.replaceAll("'", '&#x27;').replaceAll('/', '&#x2F;');
  const points = Array.from(value, (char) => char.codePointAt(0) ?? 0);
  const byNumber = (mark: string, written: readonly string[]) => written.map((number) => `&#${mark}${number};`).join('');
  const hex = points.map((point) => point.toString(16));
  const numbered = [
    byNumber('', points.map(String)),
    byNumber('x', hex),
    byNumber(
      'x',
      hex.map((number) => number.toUpperCase()),
    ),
  ];
  return [text, quoted, ...apostrophes, slashed, ...numbered];
}

/** White space taken out of the edges, joined to single spaces, or taken out altogether. */
export function flattenedForms(value: string): string[] {
  const trimmed = value.trim();
  return [trimmed, trimmed.replace(/\s+/g, ' '), trimmed.replace(/\s+/g, '')];
}
