import { isStack } from '../engine/line-call.ts';
import { problemOf } from '../errors/error.ts';
import type { ActiveLine } from '../plan/types.ts';
import { isPlannedBefore, mergeRuns, whyDeferred } from '../policy/after-merge.ts';
import { judgeLines } from '../policy/judge-lines.ts';
import type { Policy } from '../policy/types.ts';
import type { Repository } from '../ports/code-host.ts';
import { createRun, type NewRun } from '../run/create-run.ts';
import { readLines } from '../run/load-plan.ts';
import { variablesOf } from '../run/seal-secrets.ts';
import type { ControlWorld } from '../run/world.ts';
import { type LaterLine, renderPlannedLater } from '../surfaces/after-merge.ts';
import type { Cause } from './cause.ts';
import { runOfDefaultBranch } from './default-branch.ts';
import { passes } from './passes.ts';

const externalId = (commit: string): string => `after-merge-${commit}`;
/** Whether a check is one that names lines which are planned after the merge, on that commit. */
export const isPlannedLaterCheck = (id: string, commit: string): boolean => id === externalId(commit);

/**
 * Shows what merging the head of a pull request would do, in each environment that a push touches and the pull request does not. Where policy lets
 * anything of it be looked at, that takes a run: one of the default branch's scope, as the merge's will be, and only ever a plan. Else it takes none:
 * the check names the lines.
 */
export async function planMerge(world: ControlWorld, cause: Cause, repository: Repository, policy: Policy, commit: string): Promise<void> {
  for (const each of mergeRuns(policy, repository.defaultBranch)) {
    const run: NewRun = { ...runOfDefaultBranch(cause, repository, each, commit), intent: 'plan', options: { busy: 'wait', afterMerge: true } };
    if (!isPlannedBefore(policy, each.environment)) await showPlannedLater(world, run, policy);
    else if (await world.codeHost.file(repository, each.path, commit)) await createRun(world, `${cause.start}#after-merge`, run);
  }
}

async function showPlannedLater(world: ControlWorld, run: NewRun, policy: Policy): Promise<void> {
  const { repository, plan, environment, commit } = run;
  const lines = await linesIfAny(world, run);
  if (lines.length === 0) return;
  const variables = (line: ActiveLine) => variablesOf(world, [line]);
  const denied = new Map(
    judgeLines(policy, environment, lines, variables, (line) => isStack(world, line)).map(({ message, details }) => [details?.['line'], message]),
  );
  const later = lines.map((line): LaterLine => {
    const refused = denied.get(line.id);
    const why = refused ?? whyDeferred(policy, environment, line, variables(line), isStack(world, line)) ?? 'policy lets nothing be looked at before';
    return { id: world.redactor.mask(line.id), why: world.redactor.mask(why), refused: refused !== undefined };
  });
  const check = renderPlannedLater(plan.name, environment, commit, later);
  await world.codeHost.surfaces?.upsertCheck(repository, { ...check, commit, externalId: externalId(commit), status: 'completed' });
}

/** None without a plan file, either; and of one with a mistake in it the pull request's own check speaks. */
async function linesIfAny(world: ControlWorld, run: NewRun): Promise<readonly ActiveLine[]> {
  try {
    return (await readLines(world, run)).lines;
  } catch (error) {
    if (passes(problemOf(error))) throw error;
    return [];
  }
}
