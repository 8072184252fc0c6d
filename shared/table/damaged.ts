import { LockkeeperError } from '../errors/error.ts';
import type { Item } from '../ports/table.ts';

/**
 * Refuses an item that is not what this version can read: never is it taken for nothing (R1.83).
 *
 * @param what the item, for a person. @param newest the newest format this version reads; an item without a format has the first.
 * @throws LockkeeperError RECEIPT_VERSION for a newer format; RECEIPT_CORRUPT for anything else that breaks `isWhole`.
 */
export function refuseDamaged(item: Item, what: string, newest: number, isWhole: (item: Item) => boolean): void {
  const format = item['format'] ?? 1;
  if (typeof format === 'number' && format > newest) {
    throw new LockkeeperError({ code: 'RECEIPT_VERSION', message: `${what} has format ${format}; this version reads format ${newest}.` });
  }
  if (typeof format !== 'number' || format < 1 || !isWhole(item)) {
    throw new LockkeeperError({ code: 'RECEIPT_CORRUPT', message: `${what} is damaged: it lacks what every such item has.` });
  }
}

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
export const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);
