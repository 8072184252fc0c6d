import { isPlainMap } from '../errors/quoted.ts';

/** Whether a value is what is asked for: a map holds every key asked for, at any depth, and may hold more; a list is the same list; the rest is equal. */
export function blockHolds(value: unknown, asked: unknown): boolean {
  if (Array.isArray(asked)) return Array.isArray(value) && value.length === asked.length && asked.every((item, index) => blockHolds(value[index], item));
  if (!isPlainMap(asked)) return Object.is(value, asked);
  return isPlainMap(value) && Object.entries(asked).every(([key, inside]) => Object.hasOwn(value, key) && blockHolds(value[key], inside));
}
