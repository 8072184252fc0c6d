import type { IndexName } from '../ports/table.ts';

/**
 * Which string attributes make the two sparse indexes (design 4). An item lies in an index exactly when it has both
 * attributes; the template, the platform's table and the tests' table all read this.
 */
export const indexes: Readonly<Record<IndexName, { readonly partition: string; readonly sort: string }>> = {
  due: { partition: 'status', sort: 'since' },
  repo: { partition: 'repo', sort: 'order' },
};
