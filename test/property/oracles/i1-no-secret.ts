import type { MemoryObjects } from '../../ports/memory-objects.ts';
import { secrets } from '../plan.ts';
import type { Seen } from '../stage.ts';

/** How a value may be written down. */
export const spellings = (value: string): string[] => [
  value,
  JSON.stringify(value).slice(1, -1),
  encodeURIComponent(value),
  Buffer.from(value).toString('base64').replace(/=+$/, ''),
  Buffer.from(value).toString('hex'),
];
/** The secrets of the plan, the provider's credential, and how every sensitive output of the example op begins. */
const planted = [...Object.values(secrets), 'token-of-the-example-provider', 'token-of-'];
const spelled = [...new Set(planted.flatMap(spellings))];
/** Where one is a part of another, whatever holds that one holds it, too. */
const wanted = spelled.filter((one) => !spelled.some((other) => other !== one && one.includes(other)));

/** Where in a text one of some values stands, in any spelling; -1: nowhere. */
export const placeOf = (text: string, values: readonly string[] = wanted): number => Math.max(...values.map((secret) => text.indexOf(secret)));
const asText = (value: unknown): string => JSON.stringify(value, (_key, field: unknown) => (field instanceof Set ? [...field] : field)) ?? '';

/** What was looked through and is clean: what was once written down does not change, and a house is judged at every rest. */
const clean = new WeakSet<object>();
const cleanBodies = new WeakMap<object, Set<string>>();

/** I1: no secret value in any item, object, message, log line, comment or check, however it was written down, overwritten ones included. */
export function secretSeen({ bench }: Seen): string[] {
  return [
    ...inRecords('item', bench.memory.writes),
    ...inBodies(bench.bucket),
    ...inRecords('message', bench.queues.sent),
    ...inRecords('log', bench.logged),
    ...[...bench.code.comments.values()].flatMap((body) => inText(`comment ${body}`)),
    ...[...bench.code.checks.values()].flatMap((check) => inText(`check ${asText(check)}`)),
  ];
}

function inText(text: string): string[] {
  const at = placeOf(text);
  return at < 0 ? [] : [`I1: a secret is in ${text.slice(0, 80)} … ${text.slice(Math.max(0, at - 120), at + 60)}`];
}

function inRecords(sink: string, records: readonly object[]): string[] {
  return records.flatMap((one) => {
    if (clean.has(one)) return [];
    const found = inText(`${sink} ${asText(one)}`);
    if (found.length === 0) clean.add(one);
    return found;
  });
}

function inBodies(bucket: Pick<MemoryObjects, 'keys' | 'bodies'>): string[] {
  const known = cleanBodies.get(bucket) ?? new Set();
  cleanBodies.set(bucket, known);
  return bucket.keys().flatMap((key) =>
    bucket.bodies(key).flatMap((body) => {
      const text = `object ${key}: ${body}`;
      if (known.has(text)) return [];
      const found = inText(text);
      if (found.length === 0) known.add(text);
      return found;
    }),
  );
}
