import { LockkeeperError } from '../../../shared/errors/error.ts';
import { scopeName } from '../../../shared/plan/scope.ts';
import type { Repository } from '../../../shared/ports/code-host.ts';
import { knownRepository } from '../../../shared/run/known-repository.ts';
import { type Place, placeOf } from '../context/release.ts';
import type { Store } from '../folder/store.ts';
import type { Invocation } from '../invocation.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Remote } from './remote.ts';

/** The repository by its number at the host. @throws LockkeeperError NOT_FOUND where the stack has never heard of it. */
export async function repositoryInStack({ table }: Pick<Store, 'table'>, { owner, name }: Pick<Remote, 'owner' | 'name'>): Promise<Repository> {
  const repository = await knownRepository(table, owner, name);
  if (repository) return repository;
  const message = `The stack has never heard of ${owner}/${name}: no event and no command has come from it.`;
  throw new LockkeeperError({ code: 'NOT_FOUND', message, hint: 'Check that the GitHub App is installed there, and that this is the right stack.' });
}

/** The place a command line names, in that repository: the scope by the default branch the host told of. @throws LockkeeperError CTX_NULL. */
export async function placeInStack(
  repository: Repository,
  invocation: Invocation,
  { environment, cwd }: Pick<Surroundings, 'environment' | 'cwd'>,
): Promise<Place> {
  const place = await placeOf(invocation, environment, cwd);
  const { pullRequest, branch = '' } = place;
  return { ...place, repository, scope: scopeName({ pullRequest, branch, defaultBranch: repository.defaultBranch }) };
}
