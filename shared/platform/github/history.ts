import { z } from 'zod';
import { orAbsent } from '../../adapters/http/absent.ts';
import { LockkeeperError } from '../../errors/error.ts';
import type { Ancestry, Repository } from '../../ports/code-host.ts';
import type { RepositoryApi } from './api.ts';
import { repositoryAt } from './repository.ts';

const refAnswer = z.object({ object: z.object({ sha: z.string().min(1) }) });
const compareAnswer = z.object({ status: z.enum(['identical', 'ahead', 'behind', 'diverged']), merge_base_commit: z.object({ sha: z.string().min(1) }) });

/** The commit at a branch's tip, by its ref: the branches endpoint would follow a renamed branch to another name. */
export async function branchTip(api: RepositoryApi, branch: string): Promise<string | undefined> {
  const encoded = branch.split('/').map(encodeURIComponent).join('/');
  const answer = await orAbsent(api.ask({ route: `GET /git/ref/heads/${encoded}` }, refAnswer));
  return answer?.object.sha;
}

/**
 * The commit at the tip of the default branch. Where the branch is gone, GitHub is asked what the default is now: it may have been
 * renamed since the event.
 *
 * @throws LockkeeperError CODE_HOST where there is none all the same: it is tried again, since no policy stands in for one nobody can read.
 */
export async function defaultTip(api: RepositoryApi, { owner, name, defaultBranch }: Repository): Promise<string> {
  const tip = await branchTip(api, defaultBranch);
  if (tip !== undefined) return tip;
  const now = (await repositoryAt(api))?.defaultBranch;
  const renamed = now === undefined || now === defaultBranch ? undefined : await branchTip(api, now);
  if (renamed !== undefined) return renamed;
  const message = `GitHub shows ${now === undefined ? 'no repository' : `no default branch ${now} in`} ${owner}/${name}, so nobody knows what its lockkeeper.yaml says.`;
  throw new LockkeeperError({ code: 'CODE_HOST', message });
}

/** How `commit` stands to `base`, by GitHub's compare; 404 when one is unknown or they share nothing. */
export async function ancestryOf(api: RepositoryApi, commit: string, base: string): Promise<Ancestry> {
  if (commit === base) return 'same';
  const answer = await compared(api, commit, base);
  if (answer === undefined) return 'unknown';
  return answer.status === 'identical' ? 'same' : answer.status;
}

/** Where `commit` left the history of `base`. */
export async function mergeBaseOf(api: RepositoryApi, commit: string, base: string): Promise<string | undefined> {
  return (await compared(api, commit, base))?.merge_base_commit.sha;
}

/** One commit a page: how the two stand to each other is all that is looked at. */
const compared = (api: RepositoryApi, commit: string, base: string) =>
  orAbsent(api.ask({ route: 'GET /compare/{base}...{commit}', parameters: { base, commit, per_page: 1 } }, compareAnswer));
