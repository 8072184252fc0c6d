/**
 * Canonical JSON (RFC 8785): the same data gives the same bytes. Keys are ordered by UTF-16 code units, there is no white
 * space, numbers and strings are written as ECMAScript writes them. The bytes are frozen by golden tests: changing them is a
 * new document format.
 *
 * @throws RangeError for what JSON cannot hold: NaN, infinity, a lone surrogate, undefined, a function, a bigint.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return canonicalNumber(value);
  if (typeof value === 'string') return canonicalString(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object') throw new RangeError(`canonical JSON has no ${typeof value}`);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${members.map(([key, member]) => `${canonicalString(key)}:${canonicalJson(member)}`).join(',')}}`;
}

function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError('canonical JSON has finite numbers only');
  return JSON.stringify(value);
}

function canonicalString(value: string): string {
  if (!value.isWellFormed()) throw new RangeError('canonical JSON has well-formed text only');
  return JSON.stringify(value);
}
