import type { CommandIntake } from '../../events/command-intake.ts';
import { LockkeeperError } from '../errors/error.ts';
import { notAPerson } from '../policy/not-a-person.ts';
import { personBehind } from '../policy/policy.ts';
import type { Policy } from '../policy/types.ts';
import type { Repository } from '../ports/code-host.ts';
import { noteRepository } from '../run/known-repository.ts';
import type { ControlWorld } from '../run/world.ts';

/**
 * The repository of a command, as the host tells it: a terminal knows it by name alone.
 *
 * @throws LockkeeperError NOT_FOUND; POLICY_DENIED when this stack serves others; CODE_HOST, PROVIDER_* when the host does not tell.
 */
export async function repositoryOfCommand(world: ControlWorld, { repository: asked }: CommandIntake): Promise<Repository> {
  const repository = await world.codeHost.repository({ ...asked, defaultBranch: '' });
  const called = `${asked.owner}/${asked.name}`;
  if (!repository) throw new LockkeeperError({ code: 'NOT_FOUND', message: `GitHub has no repository ${called}.`, hint: 'Check the remote of this folder.' });
  if (!world.serves(repository)) {
    const hint = 'Add it to the parameter `Repositories` and deploy again.';
    throw new LockkeeperError({ code: 'POLICY_DENIED', message: `This stack does not serve ${called}.`, hint });
  }
  await noteRepository(world, repository);
  return repository;
}

/** Whoever has something written is somebody, whom a later decision can be held against. A plan and a scan write nothing. */
export function judgeCaller(policy: Policy, { intent, person }: CommandIntake): void {
  if (intent === 'plan' || intent === 'drift') return;
  const behind = personBehind(policy, person.principal);
  if (behind === undefined || behind.toLowerCase() !== person.name?.toLowerCase()) throw notAPerson(person.principal);
}
