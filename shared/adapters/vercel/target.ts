import type { Params, ReleaseContext } from '../../plan/types.ts';
import { invalid } from '../param.ts';

export const targets = ['preview', 'production', 'development'] as const;
export type Target = (typeof targets)[number];

export const isTarget = (text: unknown): text is Target => targets.some((target) => target === text);

/** Where a run writes when the line does not say: production under `production`, else preview. */
export const usualTarget = (context: ReleaseContext): 'production' | 'preview' => (context.environment === 'production' ? 'production' : 'preview');

/** The scope of a variable that holds for every branch. */
export const everyBranch = '*';

/**
 * The target a line writes. It has to stand in the file: which environment a line writes is judged before any reference is resolved.
 *
 * @throws LockkeeperError PARAM_INVALID for a reference, or a name that is none of the three.
 */
export function targetOf(params: Params, context: ReleaseContext): Target {
  const written = params['target'] ?? usualTarget(context);
  if (isTarget(written)) return written;
  throw invalid(`\`target\` is one of ${targets.join(', ')}, written out: a reference or a secret cannot choose what a line writes.`);
}

/**
 * The branch default: the current one for previews. Only previews differ by branch.
 *
 * @throws LockkeeperError PARAM_INVALID for a branch with another target.
 */
export function branchDefault(params: Params, target: Target, context: ReleaseContext): Params[string] {
  const written = params['branch'];
  if (target === 'preview') return written === '' ? everyBranch : (written ?? context.branch);
  if (written === undefined || written === '' || written === everyBranch) return everyBranch;
  throw invalid(`\`branch\` goes with target preview only; target ${target} has no branches.`);
}
