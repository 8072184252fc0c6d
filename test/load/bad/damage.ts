/** Documents as bugs, strangers and bad luck leave them: one thing of a good one replaced, taken away, added, or its bytes broken. */
import type { Random } from '../../weave/random.ts';

const huge = 'x'.repeat(20_000);
const deep = (levels: number): unknown => Array.from({ length: levels }).reduce<unknown>((inner) => ({ in: inner }), 1);

/** What nobody expects in the place of anything. */
const odd: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => -1,
  () => 1.5,
  () => Number.MAX_SAFE_INTEGER,
  () => 1e308,
  () => '',
  () => '0',
  () => ' ',
  () => '\u0000',
  () => '\ud800',
  () => '../../etc/passwd',
  () => '${ctx.scope}',
  () => '__proto__',
  () => huge,
  () => [],
  () => [[[]]],
  () => ({}),
  () => ({ constructor: { prototype: { polluted: true } } }),
  () => JSON.parse('{"__proto__":{"polluted":true}}') as unknown,
  () => deep(200),
];

/** A copy with one to three of its places damaged. */
export function damagedValue(value: unknown, random: Random): unknown {
  let damaged = structuredClone(value);
  for (let times = 1 + random.below(3); times > 0; times -= 1) damaged = once(damaged, random);
  return damaged;
}

function once(value: unknown, random: Random): unknown {
  const places = placesIn(value);
  if (places.length === 0 || random.chance(0.03)) return random.one(odd)();
  const { holder, key } = random.one(places);
  const how = random.below(10);
  if (how < 6) holder[key] = random.one(odd)();
  else if (how < 8) {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  } else if (how === 8 && Array.isArray(holder)) holder.splice(Number(key), 0, structuredClone(holder[Number(key)]));
  else if (how === 8) holder[`${key} `] = structuredClone(holder[key]);
  else holder[key] = [holder[key], structuredClone(holder[key])];
  return value;
}

type Holder = Record<string, unknown>;

function placesIn(value: unknown): { readonly holder: Holder; readonly key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Holder;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])]);
}

/** Texts that are texts, and that nobody would choose. */
export const oddTexts: readonly string[] = [
  ' ',
  'A',
  '\u0000',
  '\ud800',
  '\u202eetad',
  '\u2028',
  '../../etc/passwd',
  '#',
  '%2F%',
  '"',
  '`<!-- x -->`',
  '@everyone [x](javascript:1)',
  '${ctx.scope}',
  '__proto__',
  'constructor',
  'RUN#1',
  'e\u0301'.repeat(200),
  'x'.repeat(512),
];
const oddNumbers: readonly number[] = [1, 2, 7, 2 ** 31, Number.MAX_SAFE_INTEGER];

/** A copy with one or two of its leaves odd, each of the kind that it was: what a reader of shapes lets pass. */
export function oddValue<T>(value: T, random: Random): T {
  const odd = structuredClone(value);
  const leaves = placesIn(odd).filter(({ holder, key }) => ['string', 'number', 'boolean'].includes(typeof holder[key]));
  for (let times = 1 + random.below(2); times > 0; times -= 1) {
    const { holder, key } = random.one(leaves);
    const was = holder[key];
    if (typeof was === 'string') holder[key] = random.chance(0.25) ? `${was}${random.one(oddTexts)}` : random.one(oddTexts);
    else holder[key] = typeof was === 'number' ? random.one(oddNumbers) : !was;
  }
  return odd;
}

/** Text with one part cut off, repeated, or replaced by what a text should not hold. */
export function damagedText(text: string, random: Random): Buffer {
  const bytes = Buffer.from(text);
  const at = random.below(bytes.length + 1);
  const to = Math.min(bytes.length, at + random.below(40));
  const patches = ['\u0000', '\t', '\r\n', '\ufeff', '*a', '&a ', '<<: ', '!!js/function ', '{', ']', '---\n', '"', '#', ': ', '- ', '  ', huge];
  const how = random.below(6);
  if (how === 0) return bytes.subarray(0, at);
  if (how === 1) return Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff, 0xfe, 0xc3, 0x28]), bytes.subarray(at)]);
  if (how === 2) return Buffer.concat([bytes.subarray(0, to), bytes.subarray(at)]);
  if (how === 3) return Buffer.concat([bytes.subarray(0, at), bytes.subarray(to)]);
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(random.one(patches)), bytes.subarray(random.chance(0.5) ? at : to)]);
}
