import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Absorbed } from '../../../shared/absorb/wanted.ts';
import { LockkeeperError } from '../../../shared/errors/error.ts';
import type { Surroundings } from '../surroundings.ts';
import { git, gitWith } from './git.ts';
import { openPullRequest } from './open-pull-request.ts';
import { pathInRepository } from './pushed.ts';
import { type Remote, remoteOf, remoteTip } from './remote.ts';

/** A plan file as it is to be, and what for. */
export interface ToCommit {
  readonly line: string;
  /** Relative to the folder of the caller. */
  readonly path: string;
  readonly body: Buffer;
  readonly absorbed: readonly Absorbed[];
}

export interface PushedBranch {
  readonly branch: string;
  /** The remote's name in git. */
  readonly remote: string;
  /** Its pull request; or, where there is none yet, the page on which a browser opens it. */
  readonly url: string;
  readonly opened: boolean;
}

const titleOf = ({ line }: ToCommit): string => `Make what is live the plan in line ${line}`;
const bodyOf = ({ absorbed }: ToCommit): string => absorbed.map(({ label, path }) => `- ${path} of ${label}`).join('\n');

/** One branch a line: absorbed once more, it is the same branch. An id that no branch can be called by has a digest behind it. */
function branchOf(line: string): string {
  const safe = line.replace(/[^A-Za-z0-9_-]/g, '-');
  return `lockkeeper/absorb-${safe === line ? safe : `${safe}-${createHash('sha256').update(line).digest('hex').slice(0, 6)}`}`;
}

/**
 * Commits a plan file on top of the commit at hand, as whoever git says the person is, and pushes it to the line's own branch: with the
 * person's own credentials, so that the commit is theirs and nobody approves what they wrote themselves. Neither the checkout nor its index is
 * touched. A branch whose newest commit is not, to the letter, one that absorb made is not written over.
 *
 * @throws LockkeeperError GIT_FAILED, CODE_HOST, CTX_NULL, USAGE.
 */
export async function onBranchOfItsOwn(change: ToCommit, { cwd, console }: Pick<Surroundings, 'cwd' | 'console'>): Promise<PushedBranch> {
  const remote = await remoteOf(cwd);
  const branch = branchOf(change.line);
  console.progress.show(`Pushing ${branch}`);
  const before = await remoteTip(remote, branch);
  if (before !== undefined) await judgeBranch(remote, branch, before);
  const commit = await commitOf(remote, pathInRepository(remote.root, cwd, change.path), change);
  const lease = `--force-with-lease=refs/heads/${branch}:${before ?? ''}`;
  await said(git(remote.root, 'push', '--quiet', lease, remote.remote, `${commit}:refs/heads/${branch}`));
  const { owner, name } = remote;
  const opened = await openPullRequest({ owner, name, branch, title: titleOf(change), body: bodyOf(change) });
  console.progress.clear();
  return { branch, remote: remote.remote, url: opened ?? `https://github.com/${owner}/${name}/pull/new/${branch}`, opened: opened !== undefined };
}

/** A branch that people have worked on since is theirs. @throws LockkeeperError USAGE. */
async function judgeBranch({ root, remote }: Remote, branch: string, tip: string): Promise<void> {
  await said(git(root, 'fetch', '--quiet', '--no-tags', '--no-write-fetch-head', remote, `refs/heads/${branch}`));
  const [tree = '', parents = '', message = ''] = (await said(git(root, 'log', '-1', '--format=%T%x00%P%x00%B', tip))).split('\0');
  if (isOurs(tree, parents, message)) return;
  throw notOurs(remote, branch);
}

/** A commit that absorb made and nobody has touched since: amended, rebased, merged into or made by hand with the same words, it is another one. */
function isOurs(tree: string, parents: string, message: string): boolean {
  const [words = '', sealed] = message.trim().split(`\n\n${trailer}: `);
  return sealed === sealOf(tree, parents, words);
}

/** Of what a commit is of absorb: its files, what they stand on, and what is said of them. */
const trailer = 'Lockkeeper-Absorbed';
const sealOf = (tree: string, parent: string, words: string): string =>
  createHash('sha256')
    .update(JSON.stringify([tree, parent, words]))
    .digest('hex');

function notOurs(remote: string, branch: string): LockkeeperError {
  const message = `Branch ${branch} at ${remote} has a commit that is not absorb’s: it is not written over.`;
  return new LockkeeperError({ code: 'USAGE', message, hint: 'Merge or close its pull request and delete the branch; then absorb again.' });
}

async function commitOf({ root }: Remote, path: string, change: ToCommit): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-'));
  try {
    const file = join(folder, 'plan');
    writeFileSync(file, change.body);
    const inIndex = gitWith({ GIT_INDEX_FILE: join(folder, 'index') });
    await said(inIndex(root, 'read-tree', 'HEAD'));
    const blob = await said(git(root, 'hash-object', '-w', '--no-filters', file));
    await said(inIndex(root, 'update-index', '--add', '--cacheinfo', `100644,${blob},${path}`));
    const tree = await said(inIndex(root, 'write-tree'));
    const parent = await said(git(root, 'rev-parse', '--verify', 'HEAD^{commit}'));
    const words = `${titleOf(change)}\n\n${bodyOf(change)}`;
    return await said(git(root, 'commit-tree', tree, '-p', parent, '-m', `${words}\n\n${trailer}: ${sealOf(tree, parent, words)}`));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function said(answer: ReturnType<typeof git>): Promise<string> {
  const given = await answer;
  if (given.ok) return given.text.trim();
  throw new LockkeeperError({
    code: 'GIT_FAILED',
    message: `git says: ${given.said}`,
    hint: 'Nothing at the provider was changed. See to it, and type the command again.',
  });
}
