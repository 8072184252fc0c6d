import type { IntakeOf } from '../../events/intake.ts';
import { markTurnedOff } from '../dashboard/mark.ts';
import { hasDashboard, runsFor } from '../policy/policy.ts';
import type { Repository } from '../ports/code-host.ts';
import { createRun } from '../run/create-run.ts';
import type { ControlWorld } from '../run/world.ts';
import { noteScans } from '../scans/note-scans.ts';
import { rereadDrifted } from '../scans/reread-drifted.ts';
import { type Cause, causeOf } from './cause.ts';
import { runOfDefaultBranch } from './default-branch.ts';
import { findPolicy, showBrokenPolicy } from './policy.ts';
import { showNothingToDo, showStillManaged } from './still-managed.ts';

/** A branch points to another commit, or so the event says: which branch is the default one, the host tells. */
export async function pushHappened(world: ControlWorld, intake: IntakeOf<'push'>, repository: Repository): Promise<void> {
  const { branch, sha } = intake.push;
  if (branch !== repository.defaultBranch) return world.log.info('a push to another branch than the default one starts nothing', { intake: intake.id });
  await pushedDefaultBranch(world, causeOf(intake), repository, sha);
}

/**
 * One run per plan and environment of policy, for a commit that is, or was, the default branch's tip; which of the two, each run asks
 * under its lease (P6). Such a run has no pull request: closing the one its commit came from must not make a destroy of it.
 */
export async function pushedDefaultBranch(world: ControlWorld, cause: Cause, repository: Repository, commit: string): Promise<void> {
  const branch = repository.defaultBranch;
  const { policy, broken } = await findPolicy(world, repository);
  if (broken) return showBrokenPolicy(world, repository, commit, broken);
  await noteScans(world, repository, policy);
  if (!hasDashboard(policy)) await markTurnedOff(world, repository);
  const runs = runsFor(policy, { kind: 'push', branch, defaultBranch: branch });
  if (runs.length === 0) await showNothingToDo(world, repository, policy, commit);
  for (const each of runs) {
    const run = runOfDefaultBranch(cause, repository, each, commit);
    await ((await world.codeHost.file(repository, each.path, commit)) ? createRun(world, cause.start, run) : showStillManaged(world, run, policy));
  }
  await rereadDrifted(world, repository, policy, commit);
}
