import type { CodeHost, Repository } from '../../ports/code-host.ts';
import { repositoryApi } from './api.ts';
import { archiveOf } from './archive.ts';
import { checkUrl, repositoryUrl, upsertCheck } from './checks.ts';
import { commentOf, upsertComment } from './comments.ts';
import { fileAt } from './contents.ts';
import { appDeliveries } from './deliveries.ts';
import { ancestryOf, branchTip, defaultTip, mergeBaseOf } from './history.ts';
import { type GithubCredentials, githubIdentity } from './identity.ts';
import { githubIssues } from './issues.ts';
import { authorsOf, inTeam, isPerson, permissionOf } from './people.ts';
import { openPullRequests, pullRequestAt, pullRequestMergedAs, pullRequestsWithHead } from './pull-requests.ts';
import { repositoryAt } from './repository.ts';
import { type GithubTransport, githubSend } from './send.ts';

export interface GithubCodeHostOptions extends GithubTransport {
  readonly credentials: GithubCredentials;
}

/** GitHub's own address; GITHUB_API_URL names another one. */
export const GITHUB_API_URL = 'https://api.github.com';

/**
 * GitHub as the code host. Installation and tokens are kept as long as the object: make one per process.
 *
 * @throws LockkeeperError from every call: PROVIDER_* when GitHub cannot be asked (PROVIDER_AGAIN with `details.at`), CODE_HOST when
 * the app is not installed or the answer makes no sense.
 */
export function githubCodeHost(options: GithubCodeHostOptions): CodeHost {
  const send = githubSend(options);
  const identity = githubIdentity(options.credentials, send, options.clock);
  const of = (repository: Repository) => repositoryApi(repository, send, identity);
  return {
    repository: (repository) => repositoryAt(of(repository)),
    file: (repository, path, commit) => fileAt(of(repository), path, commit),
    archive: (repository, commit) => archiveOf(of, send, repository, commit),
    pullRequest: (repository, number) => pullRequestAt(of(repository), number),
    pullRequestsAt: (repository, commit) => pullRequestsWithHead(of(repository), commit),
    openPullRequests: (repository, since) => openPullRequests(of(repository), repository, since),
    mergedPullRequest: (repository, commit) => pullRequestMergedAs(of(repository), commit, repository.defaultBranch),
    branchTip: (repository, branch) => branchTip(of(repository), branch),
    defaultTip: (repository) => defaultTip(of(repository), repository),
    mergeBase: (repository, commit, base) => mergeBaseOf(of(repository), commit, base),
    ancestry: (repository, commit, base) => ancestryOf(of(repository), commit, base),
    comment: (repository, id) => commentOf(of(repository), id),
    permission: (repository, login) => permissionOf(of(repository), login),
    isPerson: (repository, login) => isPerson(of(repository), login),
    inTeam: (repository, team, login) => inTeam(of(repository), team, login),
    authorsOf: (repository, commit) => authorsOf(of(repository), commit),
    issues: githubIssues({ of, wrote: (repository, author) => identity.wrote(repository, author), apiUrl: options.baseUrl }),
    surfaces: {
      upsertComment: (repository, pullRequest, marker, body, known) =>
        upsertComment(of(repository), (author) => identity.wrote(repository, author), { pullRequest, marker, body }, known),
      upsertCheck: (repository, check, known) => upsertCheck(of(repository), check, known),
      checkUrl: (repository, id) => checkUrl(options.baseUrl, repository, id),
      repositoryUrl: (repository) => repositoryUrl(options.baseUrl, repository),
    },
    ...('token' in options.credentials ? {} : { deliveries: appDeliveries(options.credentials, send) }),
  };
}
