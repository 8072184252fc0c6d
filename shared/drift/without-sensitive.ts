import { holdsSensitive, isSensitiveKey } from './sensitive-key.ts';

/** What stands where a value with the name of a secret stood. */
export const withheld = '(sensitive)';

/** A copy without what has the name of a secret: text that holds such a thing goes as a whole. Deep values are JSON and not too deep. */
export function withoutSensitive(value: unknown): unknown {
  if (typeof value === 'string') return holdsSensitive(value) ? withheld : value;
  if (Array.isArray(value)) return value.map(withoutSensitive);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, isSensitiveKey(key) ? withheld : withoutSensitive(held)]));
}
