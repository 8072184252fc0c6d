import { LockkeeperError } from '../../../shared/errors/error.ts';
import { policyPath } from '../../../shared/policy/policy-file.ts';
import { policyFrom } from '../../../shared/policy/read.ts';
import type { Policy } from '../../../shared/policy/types.ts';
import { remoteAddress } from '../context/repository.ts';
import { git } from './git.ts';

/** The repository of a folder at its host. */
export interface Remote {
  /** Top folder of the checkout. */
  readonly root: string;
  /** The remote's name in git. */
  readonly remote: string;
  readonly owner: string;
  readonly name: string;
}

/**
 * The repository by the name its remote's address has: `origin`, or the only remote there is.
 *
 * @throws LockkeeperError CTX_NULL where there is none.
 */
export async function remoteOf(folder: string): Promise<Remote> {
  const root = await git(folder, 'rev-parse', '--show-toplevel');
  const remotes = await git(folder, 'remote');
  const names = remotes.ok ? remotes.text.split('\n').filter((line) => line !== '') : [];
  const remote = names.includes('origin') ? 'origin' : names.length === 1 ? names[0] : undefined;
  const url = remote === undefined ? undefined : await git(folder, 'remote', 'get-url', remote);
  const [owner, name] = url?.ok ? remoteAddress(url.text.trim()).split('/').slice(-2) : [];
  if (!root.ok || remote === undefined || !owner || !name) {
    const message = 'A stack knows repositories by their name at GitHub, and this folder has no remote that tells it.';
    throw new LockkeeperError({ code: 'CTX_NULL', message, hint: 'Run it in a clone of the repository.' });
  }
  return { root: root.text.trim(), remote, owner, name };
}

/**
 * The policy as it stands on the remote's default branch at this moment. It is fetched: what lies in the folder may be old, or changed.
 *
 * @throws LockkeeperError CODE_HOST when the remote cannot be asked; POLICY_INVALID.
 */
export async function remotePolicy({ root, remote }: Remote): Promise<Policy> {
  const head = await git(root, 'ls-remote', remote, 'HEAD');
  const fetched = head.ok ? await git(root, 'fetch', '--quiet', '--no-tags', '--no-write-fetch-head', remote, 'HEAD') : head;
  const tip = head.ok ? head.text.split(/\s/)[0] : undefined;
  if (!fetched.ok || !tip) throw unanswered(remote, fetched.ok ? 'it has no default branch' : fetched.said);
  return policyFrom(await fileAt(root, tip, policyPath));
}

/**
 * The policy as it stood when the remote's default branch was last fetched here; undefined where nothing tells which branch that is. For whoever
 * decides while the remote is silent: the stack judges them by the policy it stored when it asked.
 */
export async function fetchedPolicy({ root, remote }: Remote): Promise<Policy | undefined> {
  const tip = await git(root, 'rev-parse', '--verify', '--quiet', `refs/remotes/${remote}/HEAD`);
  return tip.ok ? policyFrom(await fileAt(root, tip.text.trim(), policyPath)) : undefined;
}

/** The commit a branch points to at the remote; undefined where there is no such branch. @throws LockkeeperError CODE_HOST. */
export async function remoteTip({ root, remote }: Remote, branch: string): Promise<string | undefined> {
  const listed = await git(root, 'ls-remote', remote, `refs/heads/${branch}`);
  if (!listed.ok) throw unanswered(remote, listed.said);
  return listed.text.split(/\s/)[0] || undefined;
}

/** A file's text at a commit; undefined where the commit has none. */
export async function fileAt(root: string, commit: string, path: string): Promise<string | undefined> {
  const shown = await git(root, 'show', `${commit}:${path}`);
  return shown.ok ? shown.text : undefined;
}

const unanswered = (remote: string, said: string): LockkeeperError =>
  new LockkeeperError({ code: 'CODE_HOST', message: `The remote ${remote} does not answer: ${said}`, hint: 'Check that `git fetch` works here.' });
