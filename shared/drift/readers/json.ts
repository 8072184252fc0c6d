/** JSON as a reader sees it: what `JSON.parse` gives, but a number that a double cannot hold keeps its digits. */
export type Json = null | boolean | number | string | ExactNumber | readonly Json[] | JsonMap;
export interface JsonMap {
  readonly [key: string]: Json;
}

/** A number as it was written. Two of them are the same number only if they are written alike. */
export class ExactNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toJSON(): string {
    return this.digits;
  }
}

export const isMap = (value: Json | undefined): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** A member of a map that stands in the map itself. */
export const memberOf = (map: JsonMap, key: string): Json | undefined => (Object.hasOwn(map, key) ? map[key] : undefined);

/** Whether two values are the same, whatever the order of their keys. */
export function same(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (a instanceof ExactNumber || b instanceof ExactNumber) return a instanceof ExactNumber && b instanceof ExactNumber && a.digits === b.digits;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, index) => same(item, b[index]));
  if (!isMap(a) || !isMap(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}
