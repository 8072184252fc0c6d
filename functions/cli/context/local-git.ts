import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { withoutCredentials } from '../../../shared/redact/credentials.ts';
import { type Facts, said } from './facts.ts';

const run = promisify(execFile);

/** The git repository around a folder. */
export interface LocalGit {
  /** Its top folder, as git names it. */
  readonly root: string;
  readonly facts: Facts;
  /** URL of `origin`, or of the only other remote there is. */
  readonly remote?: string;
}

/** Runs git; undefined where git is missing or says no. */
async function git(folder: string, ...args: string[]): Promise<string | undefined> {
  try {
    return (await run('git', ['-C', folder, ...args], { timeout: 10_000, encoding: 'utf8', env: withoutCredentials(process.env) })).stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Undefined: the folder lies in no repository. */
export async function localGit(folder: string): Promise<LocalGit | undefined> {
  const root = await git(folder, 'rev-parse', '--show-toplevel');
  if (root === undefined) return undefined;
  const [branch, sha, defaultBranch, remote] = await Promise.all([
    git(folder, 'symbolic-ref', '--short', '--quiet', 'HEAD'),
    git(folder, 'rev-parse', '--verify', '--quiet', 'HEAD'),
    defaultBranchOf(folder),
    remoteOf(folder),
  ]);
  return { root, facts: said({ branch, sha, defaultBranch }), ...(remote === undefined ? {} : { remote }) };
}

/** The full id of a commit that was named in short; undefined when the repository does not know it. */
export const fullSha = (folder: string, sha: string): Promise<string | undefined> => git(folder, 'rev-parse', '--verify', '--quiet', `${sha}^{commit}`);

/** What a commit holds of a file, without the blank around it; undefined where it has none. @param path from `folder` on. */
export const committedFile = (folder: string, sha: string, path: string): Promise<string | undefined> => git(folder, 'show', `${sha}:./${path}`);

/** What the remote calls its default; without that, `main` where there is one, else `master`: exactly one branch is the default. */
async function defaultBranchOf(folder: string): Promise<string> {
  const head = await git(folder, 'symbolic-ref', '--short', '--quiet', 'refs/remotes/origin/HEAD');
  if (head !== undefined) return head.replace(/^origin\//, '');
  const known = await git(folder, 'for-each-ref', '--format=%(refname:short)', 'refs/heads/main', 'refs/heads/master', 'refs/remotes/origin/main');
  const names = known?.split('\n') ?? [];
  return names.includes('master') && !names.some((name) => /(^|\/)main$/.test(name)) ? 'master' : 'main';
}

async function remoteOf(folder: string): Promise<string | undefined> {
  const remotes = (await git(folder, 'remote'))?.split('\n') ?? [];
  const name = remotes.includes('origin') ? 'origin' : remotes.length === 1 ? remotes[0] : undefined;
  return name === undefined ? undefined : git(folder, 'remote', 'get-url', name);
}
