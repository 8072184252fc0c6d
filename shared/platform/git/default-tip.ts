import { type Git, gitFailed } from './git.ts';

/**
 * The commit whose policy rules in a folder: the default branch as the remote had it when it was last fetched, before the branch of
 * that name on this machine. What everybody agreed on is at the remote: a commit that nobody else has seen cannot loosen it, and a
 * branch that was not pulled for weeks cannot hide what was added to it.
 *
 * Without a remote and a branch of that name, what is checked out rules, as nobody else has a say there. Undefined where nothing can
 * rule: no repository, or one without a commit and without a remote.
 *
 * @throws LockkeeperError GIT_FAILED when the branch must be somewhere and is not here.
 */
export async function defaultTip(git: Git, branch: string): Promise<string | undefined> {
  if (!git.inRepository()) return undefined;
  const remotes = ((await git.line('remote')) ?? '').split('\n').filter((name) => name !== '');
  const remote = remotes.includes('origin') ? 'origin' : remotes.length === 1 ? remotes[0] : undefined;
  const shared = remote === undefined ? undefined : await tipOf(git, `refs/remotes/${remote}/${branch}`);
  const tip = shared ?? (await tipOf(git, `refs/heads/${branch}`));
  if (tip !== undefined) return tip;
  if (remotes.length > 0) throw unread(branch, fetching(remote ?? '<remote>', branch));
  if ((await git.line('symbolic-ref', '--quiet', 'HEAD')) === undefined)
    throw unread(branch, `check out a branch, or make one: \`git branch ${branch} <commit>\``);
  return tipOf(git, 'HEAD');
}

/** The commit a ref points to; undefined where there is no such ref, or where nothing was committed on it yet. */
export const tipOf = (git: Git, ref: string): Promise<string | undefined> => git.line('rev-parse', '--verify', '--quiet', ref);

const unread = (branch: string, remedy: string): Error =>
  gitFailed(`The default branch ${branch} is not in this checkout, so nobody knows what its lockkeeper.yaml says: ${remedy}`);

const fetching = (remote: string, branch: string): string => `\`git fetch ${remote} ${branch}:refs/remotes/${remote}/${branch}\``;
