import type { RowContent } from './change-row.ts';

/** Fields that are taken away are there, and undefined: the row is put whole. */
export type Ended = { readonly [Field in keyof RowContent]?: RowContent[Field] | undefined };

/** What was known of a row of which everything, or nobody knows what, has been removed or brought back. */
export const nothingKnown: Ended = {
  pending: undefined,
  drift: undefined,
  failed: undefined,
  check: undefined,
  lastFailed: undefined,
  applied: undefined,
  repaired: undefined,
  orphans: undefined,
  unsure: true,
};

export function withoutUndefined(content: Ended): RowContent {
  return Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined)) as RowContent;
}
