import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { registry } from '../../shared/adapters/registry.ts';
import { LockkeeperError, type Problem } from '../../shared/errors/error.ts';
import { activateLines } from '../../shared/plan/activate.ts';
import { readPlan } from '../../shared/plan/read.ts';
import type { ActiveLine, Plan, ReleaseContext } from '../../shared/plan/types.ts';

/** A plan file that has no mistake in it. */
export interface PlanFile {
  /** As it was named on the command line. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly plan: Plan;
  readonly warnings: readonly Problem[];
}

/**
 * @throws LockkeeperError PLAN_MISSING, PLAN_PARSE when it cannot be read.
 */
export function readPlanBytes(folder: string, path: string): Buffer {
  try {
    return readFileSync(resolve(folder, path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new LockkeeperError({ code: 'PLAN_MISSING', message: `There is no ${path}.` });
    throw new LockkeeperError({ code: 'PLAN_PARSE', message: `${path} cannot be read: ${(error as Error).message}`, hint: unreadable(error) });
  }
}

function unreadable(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM') return 'See to its permissions: whoever runs the command must be able to read it.';
  return code === 'EISDIR' ? 'It is a folder: name the file in it with --plan.' : 'Name another file with --plan.';
}

/**
 * The plan file before anything is started for it, so that a mistake costs no time.
 *
 * @throws LockkeeperError with its first mistake; `details.problems` holds them all when there are more.
 */
export function readPlanFile(folder: string, path: string): PlanFile {
  const bytes = readPlanBytes(folder, path);
  const { plan, problems, warnings } = readPlan(bytes, path, registry);
  const [first, ...more] = problems;
  if (first) throw new LockkeeperError(more.length === 0 ? first : { ...first, details: { ...first.details, problems } });
  return { path, bytes, plan: plan as Plan, warnings };
}

/** The lines of a release. @throws LockkeeperError as {@link activateLines} does. */
export const linesOf = ({ plan }: PlanFile, context: ReleaseContext): readonly ActiveLine[] => activateLines(plan, context, registry);
