import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Ancestry, CodeHost } from '../../ports/code-host.ts';

const run = promisify(execFile);

/** Git in a folder as the code host of a person's machine: ancestry and branches; no accounts, pull requests, comments or checks. */
export function gitCodeHost(folder: string): CodeHost {
  const git = async (...args: string[]): Promise<string | undefined> => {
    try {
      return (await run('git', ['-C', folder, ...args], { timeout: 10_000, encoding: 'utf8', maxBuffer: 8 * 1024 * 1024 })).stdout;
    } catch {
      return undefined; // git is missing, or says no: both mean that it cannot tell
    }
  };
  return {
    repository: async (repository) => repository,
    file: async (_repository, path, commit) => {
      const text = await git('show', `${commit}:${path}`);
      return text === undefined ? undefined : Buffer.from(text, 'utf8');
    },
    pullRequest: async () => undefined,
    pullRequestsAt: async () => [],
    openPullRequests: async () => [],
    mergedPullRequest: async () => undefined,
    branchTip: async (_repository, branch) => (await git('rev-parse', '--verify', '--quiet', `refs/heads/${branch}`))?.trim(),
    permission: async () => 'none',
    authorsOf: async () => [],
    ancestry: async (_repository, commit, base) => ancestryOf(git, commit, base),
  };
}

async function ancestryOf(git: (...args: string[]) => Promise<string | undefined>, commit: string, base: string): Promise<Ancestry> {
  if (commit === base) return 'same';
  const counted = await git('rev-list', '--left-right', '--count', `${commit}...${base}`);
  const [ahead, behind] = (counted ?? '').trim().split(/\s+/).map(Number);
  if (ahead === undefined || behind === undefined || Number.isNaN(ahead) || Number.isNaN(behind)) return 'unknown';
  if (ahead > 0 && behind > 0) return 'diverged';
  return ahead > 0 ? 'ahead' : 'behind';
}
