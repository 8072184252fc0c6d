import { z } from 'zod';

const values = z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** The part of EventBridge's patterns that runs here: lists of exact values, on top-level fields and inside `detail`. */
export const patternSchema: z.ZodType<Pattern> = z.lazy(() => z.record(z.string(), z.union([values, patternSchema])));
export interface Pattern {
  readonly [field: string]: readonly (string | number | boolean | null)[] | Pattern;
}

/** True when every field the pattern names holds one of the values it lists. */
export function matches(pattern: Pattern, event: unknown): boolean {
  return Object.entries(pattern).every(([field, wanted]) => {
    const found = typeof event === 'object' && event !== null ? (event as Record<string, unknown>)[field] : undefined;
    if (isValues(wanted)) return (Array.isArray(found) ? found : [found]).some((one) => wanted.includes(one));
    return matches(wanted, found);
  });
}

const isValues = (wanted: Pattern[string]): wanted is readonly (string | number | boolean | null)[] => Array.isArray(wanted);
