import { z } from 'zod';
import { orAbsent } from '../../adapters/http/absent.ts';
import { LockkeeperError } from '../../errors/error.ts';
import type { OpenPullRequest, PullRequest, Repository } from '../../ports/code-host.ts';
import type { RepositoryApi } from './api.ts';

const repositoryId = z.object({ id: z.int() });

/** https://docs.github.com/en/rest/pulls/pulls#get-a-pull-request; `head.repo` is null when the fork was deleted. */
const pullAnswer = z.object({
  number: z.int().min(1),
  state: z.enum(['open', 'closed']),
  head: z.object({ sha: z.string().min(1), ref: z.string().min(1), repo: repositoryId.nullable() }),
  base: z.object({ ref: z.string().min(1), repo: repositoryId }),
  merged_at: z.string().nullish(),
  merge_commit_sha: z.string().nullish(),
});

export async function pullRequestAt(api: RepositoryApi, number: number): Promise<PullRequest | undefined> {
  const answer = await orAbsent(api.ask({ route: 'GET /pulls/{number}', parameters: { number } }, pullAnswer));
  return answer && pullRequestOf(answer);
}

/** As the list has them. `user` is null for an account that is gone. */
const listedAnswer = pullAnswer.extend({
  user: z.object({ login: z.string().min(1) }).nullable(),
  updated_at: z.string().refine((text) => !Number.isNaN(Date.parse(text))),
});

/** Open pull requests of that repository, by its id, that changed since a moment; the latest first. */
export async function openPullRequests(api: RepositoryApi, { id }: Repository, since: number): Promise<OpenPullRequest[]> {
  const found: OpenPullRequest[] = [];
  const parameters = { state: 'open', sort: 'updated', direction: 'desc' };
  for await (const answer of api.list({ route: 'GET /pulls', parameters }, z.array(listedAnswer), (page) => page)) {
    const updatedAt = Date.parse(answer.updated_at);
    if (updatedAt < since) break;
    if (String(answer.base.repo.id) === id) found.push({ ...pullRequestOf(answer), author: answer.user?.login ?? 'ghost', updatedAt });
  }
  return found;
}

/** Open pull requests whose head is the commit. */
export async function pullRequestsWithHead(api: RepositoryApi, commit: string): Promise<PullRequest[]> {
  const brought = await pullRequestsBringing(api, commit);
  return brought.filter(({ state, head }) => state === 'open' && head.sha === commit).map(pullRequestOf);
}

/**
 * The pull request that was merged into `branch` as this commit. GitHub names its merge commit, be it a merge, a squash or the last
 * commit of a rebase; else the one merged last is taken.
 */
export async function pullRequestMergedAs(api: RepositoryApi, commit: string, branch: string): Promise<number | undefined> {
  const merged = (await pullRequestsBringing(api, commit)).filter(({ merged_at, base }) => merged_at && base.ref === branch);
  const exact = merged.find(({ merge_commit_sha }) => merge_commit_sha === commit);
  return (exact ?? merged.toSorted((a, b) => String(a.merged_at).localeCompare(String(b.merged_at))).at(-1))?.number;
}

/** Every pull request that brings the commit, open or merged. */
async function pullRequestsBringing(api: RepositoryApi, commit: string): Promise<z.infer<typeof pullAnswer>[]> {
  const found: z.infer<typeof pullAnswer>[] = [];
  try {
    const listed = api.list({ route: 'GET /commits/{commit}/pulls', parameters: { commit } }, z.array(pullAnswer), (page) => page);
    for await (const answer of listed) found.push(answer);
  } catch (thrown) {
    if (!isUnknownCommit(thrown)) throw thrown;
  }
  return found;
}

function pullRequestOf({ number, state, head, base }: z.infer<typeof pullAnswer>): PullRequest {
  return {
    number,
    open: state === 'open',
    head: { sha: head.sha, branch: head.ref, fork: head.repo === null || head.repo.id !== base.repo.id },
    base: base.ref,
  };
}

/** 422 for a commit that is not in the repository (any more): no pull request brings it. */
const isUnknownCommit = (thrown: unknown): boolean =>
  thrown instanceof LockkeeperError &&
  (thrown.code === 'PROVIDER_NOT_FOUND' || (thrown.code === 'PROVIDER_INVALID' && /no commit found/i.test(thrown.problem.message)));
