import { realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { LockkeeperError } from '../../../shared/errors/error.ts';
import { git } from './git.ts';
import { type Remote, remoteTip } from './remote.ts';

/** The plan file's path from the root of the repository, with `/`. @throws LockkeeperError USAGE when it lies outside. */
export function pathInRepository(root: string, cwd: string, plan: string): string {
  const path = relative(realpathSync(root), resolve(realpathSync(cwd), plan)).replaceAll('\\', '/');
  if (!path.startsWith('../') && !path.startsWith('/')) return path;
  throw new LockkeeperError({ code: 'USAGE', message: `${plan} lies outside of the repository.`, hint: 'Name a plan file of this repository with --plan.' });
}

/** What is to be run: a commit of a branch, and the plan file in it. */
export interface Wanted {
  readonly commit: string;
  readonly branch: string;
  readonly path: string;
  /** In a pull request the controller asks for its branch: the terminal may know it by another name. */
  readonly pullRequest?: number;
}

/**
 * That what a person sees is what will be run: the plan file here is the one of the commit, and the commit is on the remote's branch. It
 * saves a round trip and nothing depends on it: the controller asks GitHub.
 *
 * @throws LockkeeperError COMMIT_NOT_PUSHED; CODE_HOST when the remote cannot be asked.
 */
export async function judgePushed(remote: Remote, { commit, branch, path, pullRequest }: Wanted): Promise<void> {
  const head = await git(remote.root, 'rev-parse', '--verify', '--quiet', 'HEAD');
  if (head.ok && head.text.trim() === commit) await judgeClean(remote.root, path);
  if (pullRequest !== undefined) return;
  const tip = await remoteTip(remote, branch);
  if (tip === commit) return;
  if (tip === undefined) throw notPushed(`The branch ${branch} is not at ${remote.remote}.`, `Push it: \`git push ${remote.remote} ${branch}\`.`);
  await git(remote.root, 'fetch', '--quiet', '--no-tags', '--no-write-fetch-head', remote.remote, `refs/heads/${branch}`);
  const behind = await git(remote.root, 'merge-base', '--is-ancestor', commit, tip);
  // Status 1 says no; any other that git cannot tell, as in a shallow clone.
  if (!behind.ok && behind.status === 1) {
    throw notPushed(`Commit ${commit.slice(0, 7)} is not on ${branch} at ${remote.remote}.`, `Push it: \`git push ${remote.remote} ${branch}\`.`);
  }
}

async function judgeClean(root: string, path: string): Promise<void> {
  const status = await git(root, 'status', '--porcelain', '--', path);
  if (!status.ok || status.text.trim() === '') return;
  throw notPushed(`${path} has changes that are not committed, and a stack runs commits.`, 'Commit and push them, or name a pushed commit with --sha.');
}

const notPushed = (message: string, hint: string): LockkeeperError => new LockkeeperError({ code: 'COMMIT_NOT_PUSHED', message, hint });
