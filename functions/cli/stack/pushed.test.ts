import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Clone, cloned } from './clone.fixture.ts';
import { judgePushed, pathInRepository } from './pushed.ts';
import { fetchedPolicy, type Remote, remoteOf, remotePolicy } from './remote.ts';

const path = 'release.plan.yaml';
let clone: Clone;
let remote: Remote;
beforeEach(async () => {
  clone = cloned({ [path]: 'version: 1\nchanges: []\n' });
  remote = await remoteOf(clone.folder);
});
afterEach(() => clone.remove());

const head = () => clone.git('rev-parse', 'HEAD');
const judge = (change: Partial<Parameters<typeof judgePushed>[1]> = {}) => judgePushed(remote, { commit: head(), branch: 'main', path, ...change });

describe('what a stack may be asked to run', () => {
  it('is a commit of the remote’s branch, the newest or an older one', async () => {
    const first = head();
    await judge();
    clone.commit({ 'notes.md': 'more' });
    clone.git('push', '--quiet');
    await judge();
    await judge({ commit: first });
  });

  it('is not a plan file that was changed since: it says what to do', async () => {
    clone.write({ [path]: 'version: 1\nchanges: [ ]\n' });
    await expect(judge()).rejects.toMatchObject({ code: 'COMMIT_NOT_PUSHED', message: expect.stringContaining(`${path} has changes`) });
    clone.write({ 'beside.md': 'another file may be dirty' });
    clone.git('checkout', '--quiet', '--', path);
    await judge();
  });

  it('is not a plan file that git does not know', async () => {
    clone.write({ 'billing/release.plan.yaml': 'version: 1\nchanges: []\n' });
    await expect(judge({ path: 'billing/release.plan.yaml' })).rejects.toMatchObject({ code: 'COMMIT_NOT_PUSHED' });
  });

  it('is not a commit that only this clone has', async () => {
    const mine = clone.commit({ 'notes.md': 'mine' });
    await expect(judge()).rejects.toMatchObject({
      code: 'COMMIT_NOT_PUSHED',
      message: `Commit ${mine.slice(0, 7)} is not on main at origin.`,
      problem: { hint: 'Push it: `git push origin main`.' },
    });
  });

  it('is not a commit of a branch that the remote does not have', async () => {
    clone.git('checkout', '--quiet', '-b', 'feature');
    await expect(judge({ branch: 'feature' })).rejects.toMatchObject({ code: 'COMMIT_NOT_PUSHED', message: 'The branch feature is not at origin.' });
  });

  it('is left to the controller where git cannot tell, and in a pull request, whose branch it asks GitHub for', async () => {
    await judge({ commit: 'f'.repeat(40) });
    await judge({ branch: 'unknown here', pullRequest: 7 });
  });

  it('is told apart from a remote that does not answer', async () => {
    clone.git('remote', 'set-url', 'origin', join(clone.folder, 'nowhere'));
    await expect(judge()).rejects.toMatchObject({ code: 'CODE_HOST' });
    await expect(remotePolicy(remote)).rejects.toMatchObject({ code: 'CODE_HOST' });
  });
});

describe('the repository of a folder, for a stack', () => {
  it('is what the remote’s address says', () => {
    expect(remote).toMatchObject({ remote: 'origin', owner: 'acme', name: 'storefront' });
  });

  it('is unknown without a remote', async () => {
    clone.git('remote', 'remove', 'origin');
    await expect(remoteOf(clone.folder)).rejects.toMatchObject({ code: 'CTX_NULL' });
  });

  it('has its plan files by their path from its root, wherever the command was started', () => {
    mkdirSync(join(clone.folder, 'billing'));
    expect(pathInRepository(clone.folder, join(clone.folder, 'billing'), path)).toBe('billing/release.plan.yaml');
    expect(pathInRepository(clone.folder, join(clone.folder, 'billing'), '../release.plan.yaml')).toBe(path);
    expect(() => pathInRepository(clone.folder, clone.folder, '../elsewhere.yaml')).toThrow('lies outside');
  });
});

describe('the policy a command through a stack keeps to', () => {
  it('is that of the remote’s default branch, not of the folder, and not of when it was last fetched', async () => {
    expect((await remotePolicy(remote)).stack).toBeUndefined();
    const other = clone.commit({ 'lockkeeper.yaml': 'version: 1\nstack: Lockkeeper\n' });
    expect((await remotePolicy(remote)).stack).toBeUndefined();
    clone.git('push', '--quiet', 'origin', `${other}:refs/heads/main`);
    clone.git('reset', '--quiet', '--hard', 'HEAD~1');
    clone.git('update-ref', '-d', 'refs/remotes/origin/main');
    expect((await remotePolicy(remote)).stack).toBe('Lockkeeper');
  });
});

describe('the policy, while the remote is silent', () => {
  it('is what was last fetched here, for whoever decides and for nobody else', async () => {
    clone.commit({ 'lockkeeper.yaml': 'version: 1\nstack: lockkeeper\n' });
    clone.git('push', '--quiet');
    rmSync(clone.origin, { recursive: true });
    await expect(remotePolicy(remote)).rejects.toMatchObject({ code: 'CODE_HOST' });
    expect(await fetchedPolicy(remote)).toMatchObject({ stack: 'lockkeeper' });
  });

  it('is unknown where nothing tells which branch is the default one', async () => {
    clone.git('remote', 'set-head', 'origin', '--delete');
    expect(await fetchedPolicy(remote)).toBeUndefined();
  });
});
