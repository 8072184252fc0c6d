import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gitCodeHost } from './code-host.ts';

const repository = { id: 'r', owner: 'acme', name: 'storefront', defaultBranch: 'main' };
const identity = ['-c', 'user.name=A', '-c', 'user.email=a@b.example', '-c', 'commit.gpgsign=false'];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-archive-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const git = (...args: string[]): string => execFileSync('git', ['-C', folder, ...identity, ...args], { encoding: 'utf8' }).trim();

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function commit(files: Readonly<Record<string, string>>): string {
  write(files);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'more');
  return git('rev-parse', 'HEAD');
}

/** Path and text of each file in the archive, without the one folder at its top. */
async function filesAt(sha: string): Promise<Record<string, string>> {
  const packed = await gitCodeHost(folder).archive(repository, sha);
  const names = execFileSync('tar', ['-tz'], { input: packed, encoding: 'utf8' });
  const files = names.split('\n').filter((name) => name !== '' && !name.endsWith('/'));
  return Object.fromEntries(files.map((name) => [name.replace(/^[^/]+\//, ''), execFileSync('tar', ['-xzO', name], { input: packed, encoding: 'utf8' })]));
}

describe('the files of a commit, from git', () => {
  it('are as they were made where something else is checked out', async () => {
    git('init', '--quiet', '--initial-branch', 'main');
    const first = commit({ 'infra/main.tf': 'a = 1\n' });
    commit({ 'infra/main.tf': 'a = 2\n' });
    expect(await filesAt(first)).toEqual({ 'infra/main.tf': 'a = 1\n' });
  });

  it('are what lies in the folder where it is checked out: edits and new files, but nothing that git ignores or that is not source', async () => {
    git('init', '--quiet', '--initial-branch', 'main');
    const head = commit({ '.gitignore': '*.tfstate\n', 'main.tf': 'a = 1\n', 'gone.tf': 'b = 1\n', 'ä b.tf': '' });
    write({ 'main.tf': 'a = 2\n', 'new.tf': 'c = 1\n', 'terraform.tfstate': '{}', '.lockkeeper/keys.json': '{}', 'x/.terraform/providers/p': 'p' });
    rmSync(join(folder, 'gone.tf'));
    symlinkSync('main.tf', join(folder, 'linked.tf'));
    expect(await filesAt(head)).toEqual({ '.gitignore': '*.tfstate\n', 'main.tf': 'a = 2\n', 'new.tf': 'c = 1\n', 'ä b.tf': '', 'linked.tf': '' });
  });

  it('are all files of a folder that lies in no repository', async () => {
    write({ 'infra/main.tf': 'a = 1\n', '.lockkeeper/keys.json': '{}', 'node_modules/x/index.js': '', 'state/.gitignore': '*\n', 'state/keys.json': '{}' });
    expect(await filesAt('f'.repeat(40))).toEqual({ 'infra/main.tf': 'a = 1\n' });
  });

  it('are refused for a commit that git does not know, and for what reads as an option', async () => {
    git('init', '--quiet', '--initial-branch', 'main');
    commit({ 'main.tf': '' });
    const host = gitCodeHost(folder);
    await expect(host.archive(repository, 'f'.repeat(40))).rejects.toMatchObject({ code: 'GIT_FAILED' });
    await expect(host.archive(repository, '--output=x')).rejects.toMatchObject({ code: 'GIT_FAILED' });
  });
});
