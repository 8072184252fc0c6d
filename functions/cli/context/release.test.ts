import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Invocation } from '../invocation.ts';
import { placeOf, releaseOf } from './release.ts';

const invocation: Invocation = { command: 'apply', plan: 'p', json: false, stateDir: '.lockkeeper', sim: false, local: false, reconcile: false };
const sha = 'a'.repeat(40);

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'lockkeeper-release-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

const git = (...args: string[]): string =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@b.test', ...args], { encoding: 'utf8' }).trim();

function repository(branch = 'feat/x'): string {
  git('init', '--quiet', '--initial-branch', branch);
  git('commit', '--quiet', '--allow-empty', '--message', 'one');
  return git('rev-parse', 'HEAD');
}

const release = (flags: Partial<Invocation> = {}, environment: Record<string, string> = {}, from = folder) =>
  releaseOf({ ...invocation, ...flags }, environment, from);

describe('a release', () => {
  it('takes branch and commit from git, also from a folder inside, and is a preview unless said otherwise', async () => {
    const head = repository();
    mkdirSync(join(folder, 'apps'));
    const found = await release({}, {}, join(folder, 'apps'));
    expect(found).toMatchObject({ environment: 'preview', scope: 'branch-feat~2Fx', branch: 'feat/x', sha: head, folder });
    expect(found).not.toHaveProperty('pullRequest');
  });

  it('of each field takes the first that says something: flags, own variables, the CI host, git', async () => {
    repository();
    const ci = { GITHUB_ACTIONS: 'true', GITHUB_REF_NAME: 'ci', GITHUB_SHA: sha, GITHUB_REF: 'refs/pull/1/merge' };
    expect(await release({}, ci)).toMatchObject({ branch: 'ci', sha, pullRequest: 1, scope: 'pr-1' });
    const own = { ...ci, LOCKKEEPER_CTX_BRANCH: 'own', LOCKKEEPER_CTX_PR: '2', LOCKKEEPER_CTX_ENV: 'staging' };
    expect(await release({}, own)).toMatchObject({ branch: 'own', sha, pullRequest: 2, environment: 'staging' });
    expect(await release({ pr: 3, env: 'qa', branch: 'flag' }, own)).toMatchObject({ branch: 'flag', pullRequest: 3, environment: 'qa', scope: 'pr-3' });
  });

  it('outside of a pull request is told so by an empty variable', async () => {
    repository();
    const ci = { GITHUB_ACTIONS: 'true', GITHUB_REF_NAME: 'x', GITHUB_SHA: sha, GITHUB_REF: 'refs/pull/1/merge', LOCKKEEPER_CTX_PR: '' };
    expect(await release({}, ci)).toMatchObject({ scope: 'branch-x' });
  });

  it('takes a variable that is set to nothing for one that is not set', async () => {
    repository();
    expect(await release({}, { LOCKKEEPER_CTX_BRANCH: '', LOCKKEEPER_CTX_ENV: '' })).toMatchObject({ branch: 'feat/x', environment: 'preview' });
  });

  it.each([['main'], ['master']])('of the only default branch, %s, has the scope main', async (branch) => {
    repository(branch);
    expect(await release()).toMatchObject({ scope: 'main' });
  });

  it('of master beside main has a scope of its own', async () => {
    repository('master');
    git('branch', 'main');
    expect(await release()).toMatchObject({ scope: 'branch-master' });
  });

  it('follows the remote in what the default branch is', async () => {
    repository('trunk');
    git('remote', 'add', 'origin', 'git@github.com:acme/x.git');
    git('update-ref', 'refs/remotes/origin/trunk', 'HEAD');
    git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/trunk');
    expect(await release()).toMatchObject({ scope: 'main', repository: { owner: 'acme', name: 'x', defaultBranch: 'trunk' } });
  });

  it('makes a whole commit of one that is named in short', async () => {
    const head = repository();
    expect(await release({ sha: head.slice(0, 8) })).toMatchObject({ sha: head });
    await expect(release({ sha: 'deadbeef' })).rejects.toMatchObject({ code: 'USAGE' });
    await expect(release({ sha: '--help' })).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('without git names what to pass', async () => {
    await expect(release()).rejects.toMatchObject({ code: 'CTX_NULL', problem: { hint: expect.stringContaining('--branch or --pr') } });
    await expect(release({ branch: 'x' })).rejects.toMatchObject({ code: 'CTX_NULL', problem: { hint: expect.stringContaining('--sha') } });
    await expect(release({ pr: 1, sha })).rejects.toMatchObject({ code: 'CTX_NULL', problem: { hint: expect.stringContaining('--branch') } });
    expect(await release({ branch: 'x', sha })).toMatchObject({ scope: 'branch-x', sha, repository: { owner: 'local' } });
  });

  it('on a detached head wants to know the branch', async () => {
    const head = repository();
    git('checkout', '--quiet', '--detach', head);
    await expect(release()).rejects.toMatchObject({ code: 'CTX_NULL' });
  });

  it('refuses a pull request that is none', async () => {
    repository();
    await expect(release({}, { LOCKKEEPER_CTX_PR: 'seven' })).rejects.toMatchObject({
      code: 'CTX_NULL',
      message: expect.stringContaining('LOCKKEEPER_CTX_PR'),
    });
  });
});

it('a place to look at needs no commit', async () => {
  expect(await placeOf({ ...invocation, pr: 4 }, {}, folder)).toMatchObject({ scope: 'pr-4', environment: 'preview' });
});
