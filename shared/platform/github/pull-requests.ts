import { z } from 'zod';
import { orAbsent } from '../../adapters/http/absent.ts';
import { LockkeeperError } from '../../errors/error.ts';
import type { PullRequest } from '../../ports/code-host.ts';
import type { RepositoryApi } from './api.ts';

const repositoryId = z.object({ id: z.int() });

/** https://docs.github.com/en/rest/pulls/pulls#get-a-pull-request; `head.repo` is null when the fork was deleted. */
const pullAnswer = z.object({
  number: z.int().min(1),
  state: z.enum(['open', 'closed']),
  head: z.object({ sha: z.string().min(1), ref: z.string().min(1), repo: repositoryId.nullable() }),
  base: z.object({ repo: repositoryId }),
});

export async function pullRequestAt(api: RepositoryApi, number: number): Promise<PullRequest | undefined> {
  const answer = await orAbsent(api.ask({ route: 'GET /pulls/{number}', parameters: { number } }, pullAnswer));
  return answer && pullRequestOf(answer);
}

/** Open pull requests whose head is the commit. GitHub lists every one that brings it, merged ones included. */
export async function pullRequestsWithHead(api: RepositoryApi, commit: string): Promise<PullRequest[]> {
  const found: PullRequest[] = [];
  try {
    const listed = api.list({ route: 'GET /commits/{commit}/pulls', parameters: { commit } }, z.array(pullAnswer), (page) => page);
    for await (const answer of listed) {
      if (answer.state === 'open' && answer.head.sha === commit) found.push(pullRequestOf(answer));
    }
  } catch (thrown) {
    if (!isUnknownCommit(thrown)) throw thrown;
  }
  return found;
}

function pullRequestOf({ number, state, head, base }: z.infer<typeof pullAnswer>): PullRequest {
  return { number, open: state === 'open', head: { sha: head.sha, branch: head.ref, fork: head.repo === null || head.repo.id !== base.repo.id } };
}

/** 422 for a commit that is not in the repository (any more): no pull request brings it. */
const isUnknownCommit = (thrown: unknown): boolean =>
  thrown instanceof LockkeeperError &&
  (thrown.code === 'PROVIDER_NOT_FOUND' || (thrown.code === 'PROVIDER_INVALID' && /no commit found/i.test(thrown.problem.message)));
