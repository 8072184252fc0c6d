/**
 * Conditions of a write, as data: the same tree is turned into a DynamoDB expression by the platform and judged
 * in memory by the tests' table.
 */
export type Condition =
  | { readonly is: 'always' }
  | { readonly is: 'present' }
  | { readonly is: 'absent' }
  | { readonly is: 'attributePresent'; readonly attribute: string }
  | { readonly is: 'attributeAbsent'; readonly attribute: string }
  | { readonly is: 'equal'; readonly attribute: string; readonly value: string | number | boolean }
  | { readonly is: 'atMost'; readonly attribute: string; readonly value: number }
  | { readonly is: 'below'; readonly attribute: string; readonly value: number | string }
  | { readonly is: 'all'; readonly of: readonly Condition[] }
  | { readonly is: 'any'; readonly of: readonly Condition[] };

/** Holds whatever is there. */
export const always: Condition = { is: 'always' };
/** The item exists. An update under it never creates an item. */
export const present: Condition = { is: 'present' };
/** No item is there. */
export const absent: Condition = { is: 'absent' };
export const has = (attribute: string): Condition => ({ is: 'attributePresent', attribute });
export const lacks = (attribute: string): Condition => ({ is: 'attributeAbsent', attribute });
export const equal = (attribute: string, value: string | number | boolean): Condition => ({ is: 'equal', attribute, value });
/** The attribute exists and is not above `value`. */
export const atMost = (attribute: string, value: number): Condition => ({ is: 'atMost', attribute, value });
/** The attribute exists and is below `value`. */
export const below = (attribute: string, value: number | string): Condition => ({ is: 'below', attribute, value });
export const all = (...of: Condition[]): Condition => ({ is: 'all', of });
export const any = (...of: Condition[]): Condition => ({ is: 'any', of });
