import type { CommandIntake } from '../../events/command-intake.ts';
import { LockkeeperError } from '../errors/error.ts';
import { personBehind } from '../policy/policy.ts';
import type { Policy } from '../policy/types.ts';
import type { Repository } from '../ports/code-host.ts';
import type { ControlWorld } from '../run/world.ts';
import { startScan } from '../scans/start-scan.ts';
import { planAt } from './command-run.ts';

/**
 * The scan that a person's command asks for: of what the default branch releases, whatever the person has checked out (R2.3). The command's id is
 * its slot: the same command never starts two.
 *
 * @throws LockkeeperError PLAN_MISSING, NOT_FOUND.
 */
export async function scanOfCommand(
  world: ControlWorld,
  repository: Repository,
  policy: Policy,
  { id, path, environment, only, person }: CommandIntake,
): Promise<string> {
  const plan = planAt(policy, path);
  const commit = await world.codeHost.defaultTip(repository);
  if (commit === undefined) throw new LockkeeperError({ code: 'NOT_FOUND', message: `The host knows no branch ${repository.defaultBranch}.` });
  // Whoever only reads need not be anybody: then nobody is named.
  const name = personBehind(policy, person.principal);
  return startScan(world, {
    repository,
    plan: { name: plan.name, path: plan.path },
    environment,
    commit,
    scan: { by: 'person', slot: id, ...(only === undefined ? {} : { lines: [only] }), ...(name === undefined ? {} : { person: name }) },
  });
}
