import { createHash } from 'node:crypto';

/** Where identifiers and times come from. Kept in the world, so that a saved cloud goes on where it stopped. */
export interface Source {
  /** Makes the identifiers of one cloud differ from those of another. */
  readonly salt: string;
  counter: number;
  /** The last moment handed out, in milliseconds since the epoch. */
  moment: number;
}

/** `length` lower-case letters and digits, never the same twice in one cloud. */
export function alphanumeric(source: Source, length: number): string {
  source.counter += 1;
  return spell(`${source.salt}:${source.counter}`, 'abcdefghijklmnopqrstuvwxyz0123456789', length);
}

/** `length` letters of both cases and digits, never the same twice in one cloud. */
export function mixed(source: Source, length: number): string {
  source.counter += 1;
  return spell(`${source.salt}:${source.counter}`, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', length);
}

/** The next whole number above `base`. */
export function numeric(source: Source, base: number): number {
  source.counter += 1;
  return base + source.counter;
}

const adjectives = ['calm', 'broad', 'still', 'quiet', 'wispy', 'round', 'young', 'royal'] as const;
const nouns = ['sun', 'river', 'dew', 'meadow', 'paper', 'cloud', 'bird', 'lake'] as const;

/** Two words and eight characters, as Neon names branches and endpoints: `calm-river-a1b2c3d4`. */
export function wordy(source: Source): string {
  const tail = alphanumeric(source, 8);
  const pick = source.counter;
  return `${adjectives[pick % adjectives.length]}-${nouns[Math.floor(pick / adjectives.length) % nouns.length]}-${tail}`;
}

/** A UUID of version 4's form. */
export function uuid(source: Source): string {
  source.counter += 1;
  const hex = createHash('sha256').update(`${source.salt}:${source.counter}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function spell(seed: string, alphabet: string, length: number): string {
  let bytes = Buffer.alloc(0);
  for (let block = 0; bytes.length < length; block += 1) {
    bytes = Buffer.concat([bytes, createHash('sha256').update(`${seed}:${block}`).digest()]);
  }
  return Array.from(bytes.subarray(0, length), (byte) => alphabet[byte % alphabet.length]).join('');
}
