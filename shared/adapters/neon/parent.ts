import { invalid } from '../param.ts';
import type { BranchRecord } from './answers.ts';

/**
 * The branch a new one grows from: the one named or with that id; without a name the one called `main`, else the project's
 * default branch, else its root.
 *
 * @throws LockkeeperError PARAM_INVALID when no branch fits.
 */
export function parentOf(branches: readonly BranchRecord[], wanted: string | undefined): BranchRecord {
  const parent =
    wanted === undefined
      ? (branches.find((found) => found.name === 'main') ?? branches.find(isDefault) ?? branches.find(isRoot))
      : (branches.find((found) => found.name === wanted) ?? branches.find((found) => found.id === wanted));
  if (parent !== undefined) return parent;
  throw invalid(
    wanted === undefined ? 'The Neon project has no branch to grow one from.' : `\`parent\`: no branch of the Neon project has the name or id \`${wanted}\`.`,
  );
}

export const isDefault = (found: BranchRecord): boolean => found.default === true || found.primary === true;
export const isRoot = (found: BranchRecord): boolean => found.parent_id === undefined;
