import { isList, isMap, type Json } from '../../drift/readers/json.ts';
import { markAt } from '../../drift/readers/marks.ts';
import type { Way } from '../../drift/readers/paths.ts';

/** The parts of a plan's `after_unknown` that are unknown, without the many that it says are not: what the provider decides when it is applied. */
export function unknownIn(marks: Json | undefined): Json | undefined {
  if (marks === true) return true;
  if (isList(marks)) {
    const parts = marks.map((mark) => unknownIn(mark) ?? false);
    return parts.some((part) => part !== false) ? parts : undefined;
  }
  if (!isMap(marks)) return undefined;
  const parts = Object.entries(marks).flatMap(([key, mark]) => {
    const part = unknownIn(mark);
    return part === undefined ? [] : [[key, part] as const];
  });
  return parts.length === 0 ? undefined : Object.fromEntries(parts);
}

/** Whether what lies at this way is left to the provider. */
export const isUnknown = (marks: Json | undefined, way: Way): boolean => markAt(marks, way) === true;
