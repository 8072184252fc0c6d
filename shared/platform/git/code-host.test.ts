import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LockkeeperError } from '../../errors/error.ts';
import { loadPolicy } from '../../run/load-policy.ts';
import { gitCodeHost } from './code-host.ts';

const repository = { id: 'r', owner: 'acme', name: 'storefront', defaultBranch: 'main' };
const strict = 'version: 1\nenvironments: { preview: { protected: true } }\n';

let top: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'lockkeeper-git-'));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const identity = ['-c', 'user.name=A', '-c', 'user.email=a@b.example', '-c', 'commit.gpgsign=false', '-c', 'protocol.file.allow=always'];

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', ['-C', folder, ...identity, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

function made(name: string, branch = 'main'): string {
  const folder = join(top, name);
  mkdirSync(folder);
  git(folder, 'init', '--quiet', '--initial-branch', branch);
  return folder;
}

function commit(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'more');
  return git(folder, 'rev-parse', 'HEAD');
}

const policyIn = (folder: string, defaultBranch = 'main') => loadPolicy({ codeHost: gitCodeHost(folder) }, { ...repository, defaultBranch });
const isStrict = async (asked: ReturnType<typeof policyIn>): Promise<boolean> => (await asked).environments['preview']?.protected === true;

async function problemOf(asked: Promise<unknown>): Promise<LockkeeperError['problem']> {
  const thrown: unknown = await asked.then(
    (answer) => new Error(`it should have failed, and said ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  );
  if (!(thrown instanceof Error && 'problem' in thrown)) throw thrown;
  return (thrown as LockkeeperError).problem;
}

describe('the policy of a folder', () => {
  it('is that of the default branch, whatever it is called and whatever is checked out', async () => {
    const folder = made('repository', 'master');
    commit(folder, { 'lockkeeper.yaml': strict });
    git(folder, 'checkout', '--quiet', '-b', 'feat');
    commit(folder, { 'lockkeeper.yaml': 'version: 1\n' });
    expect(await isStrict(policyIn(folder, 'master'))).toBe(true);
  });

  it('is found in a checkout that has the branch of the remote alone, and no branch of its own', async () => {
    const origin = made('origin');
    commit(origin, { 'lockkeeper.yaml': strict });
    git(top, 'clone', '--quiet', origin, 'clone');
    const clone = join(top, 'clone');
    git(clone, 'checkout', '--quiet', '--detach');
    git(clone, 'branch', '--quiet', '-D', 'main');
    expect(await isStrict(policyIn(clone))).toBe(true);
  });

  it('is the one everybody agreed on: a commit that lies on this machine alone does not loosen it, and an old branch does not hide it', async () => {
    const origin = made('origin');
    commit(origin, { 'lockkeeper.yaml': strict });
    git(top, 'clone', '--quiet', origin, 'clone');
    const clone = join(top, 'clone');
    commit(clone, { 'lockkeeper.yaml': 'version: 1\n' });
    expect(await isStrict(policyIn(clone))).toBe(true);
  });

  it('is asked of the only remote there is, whatever it is called', async () => {
    const origin = made('origin');
    commit(origin, { 'lockkeeper.yaml': strict });
    git(top, 'clone', '--quiet', '--origin', 'upstream', origin, 'clone');
    const clone = join(top, 'clone');
    git(clone, 'checkout', '--quiet', '--detach');
    git(clone, 'branch', '--quiet', '-D', 'main');
    expect(await isStrict(policyIn(clone))).toBe(true);
  });

  it('cannot be read where the default branch was not fetched: nothing runs, and it says what to do', async () => {
    const origin = made('origin');
    commit(origin, { 'lockkeeper.yaml': strict });
    git(origin, 'checkout', '--quiet', '-b', 'feat');
    git(top, 'clone', '--quiet', '--single-branch', '--branch', 'feat', origin, 'clone');
    const problem = await problemOf(policyIn(join(top, 'clone')));
    expect(problem.code).toBe('GIT_FAILED');
    expect(problem.message).toContain('git fetch origin main:refs/remotes/origin/main');
  });

  it('cannot be read where a commit is checked out with no branch and no remote: what it holds may be anybody’s', async () => {
    const folder = made('repository');
    commit(folder, { 'lockkeeper.yaml': 'version: 1\n' });
    git(folder, 'checkout', '--quiet', '--detach');
    git(folder, 'branch', '--quiet', '-D', 'main');
    expect((await problemOf(policyIn(folder))).code).toBe('GIT_FAILED');
  });

  it('is what is checked out where there is neither such a branch nor a remote: nobody else has a say there', async () => {
    const folder = made('repository', 'trunk');
    commit(folder, { 'lockkeeper.yaml': strict });
    expect(await isStrict(policyIn(folder))).toBe(true);
  });

  it('is the default one in a repository without a commit, and where there is no repository', async () => {
    expect(await isStrict(policyIn(made('new')))).toBe(false);
    mkdirSync(join(top, 'plain'));
    expect(await isStrict(policyIn(join(top, 'plain')))).toBe(false);
  });

  it('is never the default one because git fails', async () => {
    const folder = made('repository');
    commit(folder, { 'lockkeeper.yaml': strict });
    rmSync(join(folder, '.git', 'objects'), { recursive: true });
    expect((await problemOf(policyIn(folder))).code).toBe('GIT_FAILED');
    writeFileSync(join(folder, '.git', 'config'), 'no configuration [');
    expect((await problemOf(policyIn(folder))).code).toBe('GIT_FAILED');
  });

  it.each([
    ['a folder', { 'lockkeeper.yaml/inside': strict }, 'is no file'],
    ['lockkeeper.yml', { 'lockkeeper.yml': strict }, 'lockkeeper.yml'],
  ])('is invalid, not absent, where %s stands in its place', async (_, files, says) => {
    const folder = made('repository');
    commit(folder, files);
    const problem = await problemOf(policyIn(folder));
    expect(problem.code).toBe('POLICY_INVALID');
    expect(problem.message).toContain(says);
  });

  it('is invalid where a repository of its own stands in its place', async () => {
    const inner = made('inner');
    commit(inner, { a: '' });
    const folder = made('repository');
    git(folder, 'submodule', '--quiet', 'add', inner, 'lockkeeper.yaml');
    commit(folder, {});
    expect((await problemOf(policyIn(folder))).code).toBe('POLICY_INVALID');
  });

  it('is that of lockkeeper.yaml where both names are there', async () => {
    const folder = made('repository');
    commit(folder, { 'lockkeeper.yaml': strict, 'lockkeeper.yml': 'version: 1\n' });
    expect(await isStrict(policyIn(folder))).toBe(true);
  });
});

describe('a file in git', () => {
  it('is given byte for byte, from wherever in the repository it is asked', async () => {
    const folder = made('repository');
    const sha = commit(folder, { 'a/ü :(top)*.bin': '\u0000\uD83D\uDE00\r\n' });
    const bytes = Buffer.from('\u0000\uD83D\uDE00\r\n');
    expect(await gitCodeHost(folder).file(repository, 'a/ü :(top)*.bin', sha)).toEqual(bytes);
    expect(await gitCodeHost(join(folder, 'a')).file(repository, 'a/ü :(top)*.bin', sha)).toEqual(bytes);
    expect(await gitCodeHost(folder).file(repository, 'a', sha)).toBe('not-a-file');
    expect(await gitCodeHost(folder).file(repository, 'b', sha)).toBeUndefined();
  });

  it('is not said to be absent at a commit that git does not know, and a commit is never an option', async () => {
    const folder = made('repository');
    commit(folder, {});
    expect((await problemOf(gitCodeHost(folder).file(repository, 'a', '0'.repeat(40)))).code).toBe('GIT_FAILED');
    expect((await problemOf(gitCodeHost(folder).file(repository, 'a', '--help'))).code).toBe('GIT_FAILED');
  });
});

describe('branches and history in git', () => {
  it('tell the tip of a branch of this machine, and nothing of one that is gone', async () => {
    const folder = made('repository');
    const sha = commit(folder, {});
    expect(await gitCodeHost(folder).branchTip(repository, 'main')).toBe(sha);
    expect(await gitCodeHost(folder).branchTip(repository, 'gone')).toBeUndefined();
  });

  it('tell how commits follow each other, and nothing of those that git does not know', async () => {
    const folder = made('repository');
    const first = commit(folder, { a: '1' });
    const second = commit(folder, { a: '2' });
    git(folder, 'checkout', '--quiet', '-b', 'other', first);
    const other = commit(folder, { a: '3' });
    const { ancestry } = gitCodeHost(folder);
    const ask = (commitId: string, base: string) => ancestry(repository, commitId, base);
    expect(await Promise.all([ask(first, first), ask(second, first), ask(first, second), ask(second, other)])).toEqual(['same', 'ahead', 'behind', 'diverged']);
    expect(await ask(first, '0'.repeat(40))).toBe('unknown');
  });
});
