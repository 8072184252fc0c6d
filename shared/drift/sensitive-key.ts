import { credentialParts, isCredentialName } from '../redact/credentials.ts';

/** Words that tell a secret wherever they stand in a key, once its separators are gone and its letters small. */
const words = /pass(?:word|wd|phrase|code)|secret|credential|token|api_?key|private_?key|authorization|connection_?string|(?:^|_)(?:pwd|pass|auth|dsn)(?:_|$)/;

/** Whether a key has the name of a secret: `db_password`, `api_token`, `clientSecret`, `ACCESS-KEY`, `password2`. */
export function isSensitiveKey(key: string): boolean {
  const snake = key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/_?\d+$/, '')
    .toLowerCase();
  return words.test(snake) || isCredentialName(snake);
}

/** The keys of an attribute's path: `tags["api.token"].list[0]` has `tags`, `api.token`, `list` and `0`. */
export function keysOf(path: string): string[] {
  return [...path.matchAll(/\[\s*"((?:[^"\\]|\\.)*)"\s*\]|\[\s*'((?:[^'\\]|\\.)*)'\s*\]|([^.[\]/]+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
}

/** Whether any key of a path has the name of a secret (R3.11). */
export const isSensitivePath = (path: string): boolean => keysOf(path).some(isSensitiveKey);

/** Nobody nests deeper on purpose; what does is taken to be a secret. */
const deepest = 64;

/**
 * Whether something in a value says that it is a secret: a key with such a name that holds something, at any depth and in JSON text
 * inside a string too, or a URL or a connection string with a password in it.
 */
export function holdsSensitive(value: unknown, depth = 0): boolean {
  if (depth > deepest) return true;
  if (typeof value === 'string') {
    const inside = jsonInside(value);
    return inside === undefined ? credentialParts(value).length > 0 : holdsSensitive(inside, depth + 1);
  }
  if (Array.isArray(value)) return value.some((item) => holdsSensitive(item, depth + 1));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, held]) => (isSensitiveKey(key) && !isEmpty(held)) || holdsSensitive(held, depth + 1));
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '' || typeof value === 'boolean';

/** What a text holds as JSON, when that is a list, a map or a text again; undefined for every other text. */
export function jsonInside(text: string): unknown {
  if (!/^\s*[[{"]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
