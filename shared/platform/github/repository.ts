import { z } from 'zod';
import { orAbsent } from '../../adapters/http/absent.ts';
import type { Repository } from '../../ports/code-host.ts';
import type { RepositoryApi } from './api.ts';

/** https://docs.github.com/en/rest/repos/repos#get-a-repository */
const repositoryAnswer = z.object({
  id: z.int(),
  name: z.string().min(1),
  owner: z.object({ login: z.string().min(1) }),
  default_branch: z.string().min(1),
});

export async function repositoryAt(api: RepositoryApi): Promise<Repository | undefined> {
  const answer = await orAbsent(api.ask({ route: 'GET ' }, repositoryAnswer));
  return answer && { id: String(answer.id), owner: answer.owner.login, name: answer.name, defaultBranch: answer.default_branch };
}
