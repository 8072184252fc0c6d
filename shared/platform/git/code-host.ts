import type { Ancestry, CodeHost } from '../../ports/code-host.ts';
import { archiveOf } from './archive.ts';
import { defaultTip, tipOf } from './default-tip.ts';
import { fileAt } from './file.ts';
import { type Git, gitIn } from './git.ts';

/**
 * Git in a folder as the code host of a person's machine: ancestry and branches; no accounts, pull requests, comments or checks.
 *
 * @throws LockkeeperError GIT_FAILED when git cannot tell what a run needs to know.
 */
export function gitCodeHost(folder: string): CodeHost {
  const git = gitIn(folder);
  return {
    repository: async (repository) => repository,
    file: (_repository, path, commit) => fileAt(git, path, commit),
    archive: (_repository, commit) => archiveOf(git, folder, commit),
    pullRequest: async () => undefined,
    pullRequestsAt: async () => [],
    openPullRequests: async () => [],
    mergedPullRequest: async () => undefined,
    branchTip: async (_repository, branch) => (git.inRepository() ? tipOf(git, `refs/heads/${branch}`) : undefined),
    defaultTip: (repository) => defaultTip(git, repository.defaultBranch),
    comment: async () => undefined,
    permission: async () => 'none',
    isPerson: async () => false,
    inTeam: async () => false,
    authorsOf: async () => [],
    mergeBase: async (_repository, commit, base) => git.line('merge-base', commit, base).catch(() => undefined),
    ancestry: (_repository, commit, base) => ancestryOf(git, commit, base),
  };
}

/** Commits that git does not have, and a git that cannot be asked, tell nothing. */
async function ancestryOf(git: Git, commit: string, base: string): Promise<Ancestry> {
  if (commit === base) return 'same';
  const counted = await git.line('rev-list', '--left-right', '--count', `${commit}...${base}`).catch(() => undefined);
  const [ahead, behind] = (counted ?? '').split(/\s+/).map(Number);
  if (ahead === undefined || behind === undefined || Number.isNaN(ahead) || Number.isNaN(behind)) return 'unknown';
  if (ahead > 0 && behind > 0) return 'diverged';
  return ahead > 0 ? 'ahead' : 'behind';
}
