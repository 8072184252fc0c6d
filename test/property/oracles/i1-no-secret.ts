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
const wanted = [...new Set(planted.flatMap(spellings))];

/** Where in a text one of some values stands, in any spelling; -1: nowhere. */
export const placeOf = (text: string, values: readonly string[] = wanted): number => Math.max(...values.map((secret) => text.indexOf(secret)));
export const asText = (value: unknown): string => JSON.stringify(value, (_key, field: unknown) => (field instanceof Set ? [...field] : field)) ?? '';

/** I1: no secret value in any item, object, message, log line, comment or check, however it was written down, overwritten ones included. */
export function secretSeen({ bench }: Seen): string[] {
  const objects = bench.bucket.keys().flatMap((key) => bench.bucket.bodies(key).map((body) => `object ${key}: ${body}`));
  const sinks = [
    ...bench.memory.writes.map((write) => `item ${asText(write)}`),
    ...objects,
    ...bench.queues.sent.map((one) => `message ${asText(one)}`),
    ...bench.logged.map((line) => `log ${asText(line)}`),
    ...[...bench.code.comments.values()].map((body) => `comment ${body}`),
    ...[...bench.code.checks.values()].map((check) => `check ${asText(check)}`),
  ];
  return sinks.flatMap((text) => {
    const at = placeOf(text);
    return at < 0 ? [] : [`I1: a secret is in ${text.slice(0, 80)} … ${text.slice(Math.max(0, at - 120), at + 60)}`];
  });
}
