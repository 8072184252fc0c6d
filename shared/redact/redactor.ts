import { closedFields } from './closed-fields.ts';
import { credentialParts, isCredentialName } from './credentials.ts';
import { formsOf, shortest } from './forms.ts';
import type { Span } from './matcher.ts';
import { createScanner } from './scanner.ts';

/** What stands where a value stood. */
export const redacted = '[REDACTED]';

/** From so many digits on, a number that is a registered value is masked as well. */
const shortestNumber = 6;

/** Knows the secret values of one command or invocation and keeps them out of what it emits and stores (I1). */
export interface Redactor {
  /** From now on `value`, its credentials if it is a URL or connection string, and all their spellings are masked. */
  register(value: string, about?: string): void;
  /** Registers the variables that are named like credentials, and the credentials inside the others. */
  registerEnvironment(environment: Readonly<Record<string, string | undefined>>): void;
  mask(text: string): string;
  /**
   * A copy with every string leaf and object key masked, but for the values of closed fields. Arrays, maps, sets and plain
   * objects are walked; what is none of these stays. Serialised JSON is never edited: mask first, then serialise.
   */
  maskJson<T>(value: T): T;
  /** Whether `text` carries a registered value, or a fragment of one: such keys, ids and diff sides are refused or hidden. */
  contains(text: string): boolean;
  /** How many different values were too short to be masked; a warning says so. */
  short(): number;
  /** What those values were registered as (`about`), for that warning. */
  shortNames(): readonly string[];
  /** Masks the part of `text` that no later text can change, and gives back the rest unmasked: for streams. */
  maskReady(text: string): { readonly masked: string; readonly rest: string };
}

/** @param exempt names of fields whose string values are left alone. */
export function createRedactor(exempt: ReadonlySet<string> = closedFields): Redactor {
  const scanner = createScanner();
  const registered = new Set<string>();
  const tooShort = new Map<string, string>();
  /** Values that somebody may write as a number: without its sign and leading zeros, and with the digits a JSON reader keeps. */
  const numbers = new Set<number>();

  function register(value: string, about = 'a value'): void {
    if (value === '' || registered.has(value)) return;
    if ([...value].length < shortest) {
      tooShort.set(value, about);
      return;
    }
    registered.add(value);
    if (value.length >= shortestNumber && /^-?\d+$/.test(value)) numbers.add(Math.abs(Number(value)));
    const { forms, hex } = formsOf(value);
    scanner.add(forms, hex);
    for (const part of credentialParts(value)) register(part, about);
  }

  function registerEnvironment(environment: Readonly<Record<string, string | undefined>>): void {
    for (const [name, value] of Object.entries(environment)) {
      if (value === undefined) continue;
      if (isCredentialName(name)) register(value, name);
      else for (const part of credentialParts(value)) register(part, name);
    }
  }

  const mask = (text: string): string => replaced(text, scanner.spans(text));

  function maskLeaf(value: unknown, key: string | undefined): unknown {
    if (typeof value === 'string') return key !== undefined && exempt.has(key) ? value : mask(value);
    if (typeof value === 'number' || typeof value === 'bigint') return isSecretNumber(value) ? redacted : value;
    if (Array.isArray(value)) return value.map((one) => maskLeaf(one, key));
    if (value instanceof Set) return new Set([...value].map((one) => maskLeaf(one, key)));
    if (value instanceof Map) return new Map(maskedEntries([...value]));
    if (isPlainObject(value)) return Object.fromEntries(maskedEntries(Object.entries(value)));
    return value;
  }

  /** Two keys that both carry a secret stay two keys. */
  function maskedEntries<K>(entries: readonly (readonly [K, unknown])[]): [K | string, unknown][] {
    const taken = new Set<unknown>();
    return entries.map(([key, value]) => {
      const plain = typeof key === 'string' ? mask(key) : key;
      let name = plain;
      for (let count = 2; taken.has(name); count++) name = `${String(plain)} (${count})`;
      taken.add(name);
      return [name, maskLeaf(value, typeof key === 'string' ? key : undefined)];
    });
  }

  const isSecretNumber = (value: number | bigint): boolean => numbers.size > 0 && numbers.has(Number(value < 0 ? -value : value));

  function maskReady(text: string): { masked: string; rest: string } {
    const spans = scanner.spans(text);
    const open = scanner.settled(text);
    const cut = spans.find((span) => span.start < open && open < span.end)?.start ?? open;
    return {
      masked: replaced(
        text.slice(0, cut),
        spans.filter((span) => span.end <= cut),
      ),
      rest: text.slice(cut),
    };
  }

  return {
    register,
    registerEnvironment,
    mask,
    // The walk keeps the shape: only strings, keys and secret numbers change.
    maskJson: <T>(value: T): T => maskLeaf(value, undefined) as T,
    contains: (text) => scanner.spans(text).length > 0,
    short: () => tooShort.size,
    shortNames: () => [...new Set(tooShort.values())],
    maskReady,
  };
}

function replaced(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (const span of spans) {
    parts.push(text.slice(at, span.start), redacted);
    at = span.end;
  }
  return parts.join('') + text.slice(at);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
