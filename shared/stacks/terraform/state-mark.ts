import type { StateMark } from '../tool-work.ts';

/** Lineage and serial of what `state pull` prints; undefined when there is no state yet, which prints nothing, or when it is none. */
export function markOf(pulled: string): StateMark | undefined {
  try {
    const { lineage, serial } = JSON.parse(pulled) as { readonly lineage?: unknown; readonly serial?: unknown };
    return typeof lineage === 'string' && lineage !== '' && typeof serial === 'number' && Number.isSafeInteger(serial) ? { lineage, serial } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the plan's state is still the present one. A plan for no state yet is of one that has none. */
export const sameState = (one: StateMark | undefined, other: StateMark | undefined): boolean =>
  one?.lineage === other?.lineage && one?.serial === other?.serial;
