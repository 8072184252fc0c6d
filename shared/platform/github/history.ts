import { z } from 'zod';
import { orAbsent } from '../../adapters/http/absent.ts';
import type { Ancestry } from '../../ports/code-host.ts';
import type { RepositoryApi } from './api.ts';

const refAnswer = z.object({ object: z.object({ sha: z.string().min(1) }) });
const compareAnswer = z.object({ status: z.enum(['identical', 'ahead', 'behind', 'diverged']) });

/** The commit at a branch's tip, by its ref: the branches endpoint would follow a renamed branch to another name. */
export async function branchTip(api: RepositoryApi, branch: string): Promise<string | undefined> {
  const encoded = branch.split('/').map(encodeURIComponent).join('/');
  const answer = await orAbsent(api.ask({ route: `GET /git/ref/heads/${encoded}` }, refAnswer));
  return answer?.object.sha;
}

/** How `commit` stands to `base`, by GitHub's compare; 404 when one is unknown or they share nothing. */
export async function ancestryOf(api: RepositoryApi, commit: string, base: string): Promise<Ancestry> {
  if (commit === base) return 'same';
  // One commit a page: only the status is looked at.
  const answer = await orAbsent(api.ask({ route: 'GET /compare/{base}...{commit}', parameters: { base, commit, per_page: 1 } }, compareAnswer));
  if (answer === undefined) return 'unknown';
  return answer.status === 'identical' ? 'same' : answer.status;
}
