import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ManualClock, manualClock } from '../../../test/ports/manual-clock.ts';
import { demo } from '../../../test/sim/seed.ts';
import { type Sim, startSim } from '../../../test/sim/sim.ts';
import type { LockkeeperError } from '../../errors/error.ts';
import type { CheckRun, CodeHost, HostSurfaces, Repository } from '../../ports/code-host.ts';
import { loadPolicy } from '../../run/load-policy.ts';
import { githubCodeHost } from './code-host.ts';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const repository: Repository = { id: String(demo.repositoryId), owner: demo.owner, name: demo.repository, defaultBranch: 'main' };
const marker = '<!-- lockkeeper: main/preview -->';

let sim: Sim;
let clock: ManualClock;
let host: CodeHost;

beforeAll(async () => {
  sim = await startSim();
});
afterAll(() => sim.stop());
beforeEach(() => {
  clock = manualClock(Date.now());
  host = hostWith();
});
afterEach(() => {
  sim.control.clear();
  sim.control.reset();
});

const hostWith = (more: Partial<Parameters<typeof githubCodeHost>[0]> = {}) =>
  githubCodeHost({ baseUrl: sim.urls.github, clock, credentials: { appId: 1_204_512, privateKey }, ...more });

function surfaces(of: CodeHost = host): HostSurfaces {
  if (!of.surfaces) throw new Error('GitHub has surfaces');
  return of.surfaces;
}

async function problemOf(asked: Promise<unknown>): Promise<LockkeeperError['problem']> {
  const thrown: unknown = await asked.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown === undefined) throw new Error('it should have failed');
  return (thrown as LockkeeperError).problem;
}

const base = `/repos/${demo.owner}/${demo.repository}`;

function openPullRequest(files: Record<string, string> = { 'release.plan.yaml': 'version: 1\n' }): { number: number; sha: string } {
  sim.control.edit('github.push', { branch: 'feat/checkout', files });
  return sim.control.edit('github.open', { branch: 'feat/checkout' });
}

describe('logging in as an app', () => {
  it('looks the installation up once per repository and keeps its token', async () => {
    await host.branchTip(repository, 'main');
    await host.branchTip(repository, 'main');
    const login = sim.requests({ provider: 'github' }).filter(({ path }) => /installation/.test(path));
    expect(login.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET ${base}/installation`,
      `POST /app/installations/${demo.installationId}/access_tokens`,
    ]);
  });

  it('asks for a new token in the last minute of the old one', async () => {
    await host.branchTip(repository, 'main');
    clock.advance(3_600_000 - 59_000);
    await host.branchTip(repository, 'main');
    expect(sim.requests({ provider: 'github' }).filter(({ path }) => path.endsWith('/access_tokens'))).toHaveLength(2);
  });

  it('asks for a new token once when the kept one is refused', async () => {
    await host.branchTip(repository, 'main');
    sim.control.rule({ provider: 'github', on: 'GET /repos/*/*/git/**', fail: { status: 401, message: 'Bad credentials' } });
    expect(await host.branchTip(repository, 'main')).toBe(demo.mainCommit);
  });

  it('says that the app is not installed, and finds it once it is', async () => {
    sim.control.edit('github.install', { installed: false });
    expect(await problemOf(host.branchTip(repository, 'main'))).toMatchObject({
      code: 'CODE_HOST',
      message: 'The GitHub App is not installed in acme/storefront.',
    });
    sim.control.edit('github.install', { installed: true });
    expect(await host.branchTip(repository, 'main')).toBe(demo.mainCommit);
  });

  it('says that the private key cannot be used, and does not quote it', async () => {
    const problem = await problemOf(hostWith({ credentials: { appId: 1, privateKey: 'not a key' } }).branchTip(repository, 'main'));
    expect(problem.code).toBe('CODE_HOST');
    expect(problem.message).not.toContain('not a key');
  });
});

describe('reading a repository', () => {
  it('tells its id, its names and its default branch, and nothing of one that is not there', async () => {
    expect(await host.repository({ ...repository, defaultBranch: 'told-otherwise' })).toEqual(repository);
    sim.control.rule({ provider: 'github', on: 'GET /repos/acme/storefront', fail: { status: 404 } });
    expect(await host.repository(repository)).toBeUndefined();
  });

  it('gives the bytes of a file at a commit, in folders with odd names too', async () => {
    const { sha } = openPullRequest({ 'release.plan.yaml': 'ä: 1\n', 'a b/#1?.yaml': '{}' });
    expect(await host.file(repository, 'release.plan.yaml', sha)).toEqual(Buffer.from('ä: 1\n'));
    expect(await host.file(repository, 'a b/#1?.yaml', sha)).toEqual(Buffer.from('{}'));
  });

  it('gives files larger than one MiB whole', async () => {
    const text = 'x'.repeat(4 * 1024 * 1024);
    const { sha } = openPullRequest({ 'release.plan.yaml': text });
    expect(await host.file(repository, 'release.plan.yaml', sha)).toHaveLength(text.length);
  });

  it('gives nothing for a file that is not there, tells a folder from that, and refuses a commit that GitHub does not know', async () => {
    const { sha } = openPullRequest({ 'folder/file': '' });
    expect(await host.file(repository, 'release.plan.yaml', sha)).toBeUndefined();
    expect(await host.file(repository, 'folder', sha)).toBe('not-a-file');
    expect(await problemOf(host.file(repository, 'release.plan.yaml', '0'.repeat(40)))).toMatchObject({ code: 'PROVIDER_NOT_FOUND' });
  });

  it('tells an open pull request, a closed one, and none', async () => {
    const { number, sha } = openPullRequest();
    expect(await host.pullRequest(repository, number)).toEqual({ number, open: true, head: { sha, branch: 'feat/checkout', fork: false }, base: 'main' });
    sim.control.edit('github.close', { number });
    expect((await host.pullRequest(repository, number))?.open).toBe(false);
    expect(await host.pullRequest(repository, 999)).toBeUndefined();
  });

  it('tells a fork', async () => {
    const fork = { owner: 'stranger', name: 'storefront' };
    const { sha } = sim.control.edit('github.forkPush', { fork, branch: 'feat/x', files: { a: '' } });
    const { number } = sim.control.edit('github.open', { branch: 'feat/x', fork, sha });
    expect((await host.pullRequest(repository, number))?.head.fork).toBe(true);
  });

  it('lists the open pull requests whose head is a commit, and no others that bring it', async () => {
    const { number, sha } = openPullRequest();
    expect((await host.pullRequestsAt(repository, sha)).map((pull) => pull.number)).toEqual([number]);
    sim.control.edit('github.push', { branch: 'feat/checkout', files: { more: '' } });
    expect(await host.pullRequestsAt(repository, sha)).toEqual([]);
    expect(await host.pullRequestsAt(repository, '0'.repeat(40))).toEqual([]);
  });

  it('finds a renamed repository by its former name, to read and to write', async () => {
    const { number, sha } = openPullRequest();
    sim.control.edit('github.rename', { name: 'shop' });
    expect(await host.repository(repository)).toEqual({ ...repository, name: 'shop' });
    expect(await host.pullRequest(repository, number)).toMatchObject({ open: true, head: { sha } });
    expect(await surfaces().upsertComment(repository, number, marker, `${marker} hello`)).toBeGreaterThan(0);
    expect(sim.state().github.repositories[0]?.comments.map(({ body }) => body)).toEqual([`${marker} hello`]);
  });

  it('knows the pull request that was merged as a commit, and that a commit came by itself', async () => {
    const { number, sha } = openPullRequest();
    expect(await host.mergedPullRequest(repository, sha)).toBeUndefined();
    const merge = sim.control.edit('github.merge', { number }).sha;
    expect(await host.mergedPullRequest(repository, merge)).toBe(number);
    const direct = sim.control.edit('github.push', { branch: 'main', files: { 'hotfix.md': '' } }).sha;
    expect(await host.mergedPullRequest(repository, direct)).toBeUndefined();
    expect(await host.mergedPullRequest({ ...repository, defaultBranch: 'trunk' }, merge)).toBeUndefined();
    expect(await host.mergedPullRequest(repository, '0'.repeat(40))).toBeUndefined();
  });

  it('lists the open pull requests that changed since a moment, the latest first', async () => {
    const first = openPullRequest();
    sim.control.edit('github.push', { branch: 'other', files: { b: '' } });
    const second = sim.control.edit('github.open', { branch: 'other' });
    sim.control.edit('github.age', { pull: first.number, minutes: 30 });
    sim.control.edit('github.age', { pull: second.number, minutes: 90 });
    const since = (minutes: number) => host.openPullRequests(repository, Date.now() - minutes * 60_000);
    expect((await since(120)).map(({ number, author }) => [number, author])).toEqual([
      [first.number, 'kim'],
      [second.number, 'kim'],
    ]);
    expect((await since(60)).map(({ number, head }) => [number, head.sha])).toEqual([[first.number, first.sha]]);
    sim.control.edit('github.close', { number: first.number });
    expect(await since(60)).toEqual([]);
    expect(await host.openPullRequests({ ...repository, id: '4711' }, 0)).toEqual([]);
  });

  it('knows the tip of a branch, one with a slash too, and that a branch is gone', async () => {
    const { sha } = openPullRequest();
    expect(await host.branchTip(repository, 'feat/checkout')).toBe(sha);
    sim.control.edit('github.deleteBranch', { branch: 'feat/checkout' });
    expect(await host.branchTip(repository, 'feat/checkout')).toBeUndefined();
  });

  it('knows the tip of the default branch, under its new name too, and never takes one it cannot see for a branch without a policy', async () => {
    expect(await host.defaultTip(repository)).toBe(demo.mainCommit);
    expect(await host.defaultTip({ ...repository, defaultBranch: 'as-it-was-called' })).toBe(demo.mainCommit);
    sim.control.edit('github.deleteBranch', { branch: 'main' });
    expect(await problemOf(host.defaultTip(repository))).toMatchObject({ code: 'CODE_HOST', message: expect.stringContaining('no default branch main') });
    sim.control.rule({ provider: 'github', on: 'GET /repos/acme/storefront', fail: { status: 404 } });
    expect(await problemOf(host.defaultTip(repository))).toMatchObject({
      code: 'CODE_HOST',
      message: expect.stringContaining('no repository acme/storefront'),
    });
  });

  it.each([
    ['a folder', { 'lockkeeper.yaml/inside': '' }, 'is no file'],
    ['the other ending', { 'lockkeeper.yml': 'version: 1\n' }, 'rename it to lockkeeper.yaml'],
  ])('refuses a policy in %s, which no default stands in for', async (_, files, says) => {
    sim.control.edit('github.push', { branch: 'main', files });
    expect(await problemOf(loadPolicy({ codeHost: host }, repository))).toMatchObject({ code: 'POLICY_INVALID', message: expect.stringContaining(says) });
  });

  it('knows how a commit stands to another', async () => {
    const { sha } = openPullRequest();
    const other = sim.control.edit('github.push', { branch: 'other', files: { b: '' } }).sha;
    expect(await host.ancestry(repository, sha, sha)).toBe('same');
    expect(await host.ancestry(repository, sha, demo.mainCommit)).toBe('ahead');
    expect(await host.ancestry(repository, demo.mainCommit, sha)).toBe('behind');
    expect(await host.ancestry(repository, sha, other)).toBe('diverged');
    expect(await host.ancestry(repository, '0'.repeat(40), sha)).toBe('unknown');
  });
});

describe('people of a repository', () => {
  it('may do what their role says now, whatever the case of their name', async () => {
    expect(await Promise.all(['kim', 'Robin', 'alex'].map((login) => host.permission(repository, login)))).toEqual(['write', 'maintain', 'admin']);
    sim.control.edit('github.role', { login: 'robin', role: 'triage' });
    expect(await host.permission(repository, 'robin')).toBe('triage');
    sim.control.edit('github.role', { login: 'robin', role: null });
    expect(await host.permission(repository, 'robin')).toBe('none');
  });

  it('of a role that an organization made may do what GitHub says it is worth', async () => {
    sim.control.edit('github.role', { login: 'robin', role: 'release captain' });
    expect(await host.permission(repository, 'robin')).toBe('write');
  });

  it('whom GitHub does not know may do nothing; where GitHub fails, nothing is said', async () => {
    expect(await host.permission(repository, 'nobody')).toBe('none');
    expect(await host.permission(repository, 'a/../b')).toBe('none');
    sim.control.rule({ provider: 'github', on: 'GET /repos/*/*/collaborators/**', fail: { status: 403, message: 'Resource not accessible by integration' } });
    expect(await problemOf(host.permission(repository, 'alex'))).toMatchObject({ code: 'PROVIDER_AUTH' });
  });

  it('are in a team, or in one below it, once they have accepted; nobody is in a team there is not', async () => {
    sim.control.edit('github.team', { team: 'releases', login: 'Robin', state: 'active' });
    sim.control.edit('github.team', { team: 'releases', login: 'kim', state: 'pending' });
    sim.control.edit('github.team', { team: 'on-call', parent: 'releases', login: 'alex', state: 'active' });
    const inReleases = (login: string, team = 'acme/releases') => host.inTeam(repository, team, login);
    expect(await Promise.all(['robin', 'ALEX', 'kim', 'nobody'].map((login) => inReleases(login)))).toEqual([true, true, false, false]);
    expect(await Promise.all([inReleases('robin', 'acme/on-call'), inReleases('robin', 'acme/none'), inReleases('robin', 'beta/releases')])).toEqual([
      false,
      false,
      false,
    ]);
    sim.control.edit('github.team', { team: 'releases', login: 'robin', state: null });
    expect(await inReleases('robin')).toBe(false);
  });

  it('are in a team nobody is let see where the app may not read members; a GitHub that does not answer says nothing of them', async () => {
    const [forbidden, down] = [{ status: 403, message: 'Resource not accessible by integration' }, { status: 503 }];
    sim.control.rule({ provider: 'github', on: 'GET /orgs/**', fail: forbidden });
    expect(await host.inTeam(repository, 'acme/releases', 'robin')).toBe('hidden');
    sim.control.rule({ provider: 'github', on: 'GET /orgs/**', times: 20, fail: down });
    expect((await problemOf(host.inTeam(repository, 'acme/releases', 'robin'))).code).toMatch(/^PROVIDER_/);
  });

  it('wrote and committed a commit, but for GitHub itself and addresses that are nobody’s', async () => {
    const by = (author: string | null, committer: string | null) => sim.control.edit('github.push', { branch: 'x', author, committer }).sha;
    expect(await host.authorsOf(repository, by('kim', 'robin'))).toEqual(['kim', 'robin']);
    expect(await host.authorsOf(repository, by('kim', 'kim'))).toEqual(['kim']);
    expect(await host.authorsOf(repository, by('kim', 'web-flow'))).toEqual(['kim']);
    expect(await host.authorsOf(repository, by(null, null))).toEqual([]);
    expect(await problemOf(host.authorsOf(repository, '0'.repeat(40)))).toMatchObject({ code: 'PROVIDER_INVALID' });
  });
});

describe('the comment', () => {
  const bodies = () => sim.state().github.repositories[0]?.comments.map(({ id, author, body }) => ({ id, author, body }));
  const body = (text: string) => `${marker}\n${text}`;

  it('is created, updated by its id, and found by its marker when the id was lost', async () => {
    const { number } = openPullRequest();
    const id = await surfaces().upsertComment(repository, number, marker, body('one'));
    expect(await surfaces().upsertComment(repository, number, marker, body('two'), id)).toBe(id);
    expect(await surfaces().upsertComment(repository, number, marker, body('three'))).toBe(id);
    expect(bodies()).toEqual([{ id, author: 'lockkeeper[bot]', body: body('three') }]);
  });

  it('is found across pages', async () => {
    const { number } = openPullRequest();
    for (let at = 0; at < 5; at += 1) sim.control.edit('github.comment', { number, body: `comment ${at}` });
    const id = await surfaces().upsertComment(repository, number, marker, body('one'));
    sim.control.set({ github: { pageSize: 2 } });
    expect(await surfaces().upsertComment(repository, number, marker, body('two'))).toBe(id);
  });

  it('of somebody who quotes ours is left alone', async () => {
    const { number } = openPullRequest();
    sim.control.edit('github.comment', { number, body: `> ${body('quoted')}`, author: 'kim' });
    sim.control.edit('github.comment', { number, body: body('another app'), author: 'other[bot]' });
    await surfaces().upsertComment(repository, number, marker, body('one'));
    expect(bodies()?.map((comment) => comment.author)).toEqual(['kim', 'other[bot]', 'lockkeeper[bot]']);
  });

  it('that somebody deleted is written again', async () => {
    const { number } = openPullRequest();
    const id = await surfaces().upsertComment(repository, number, marker, body('one'));
    sim.control.edit('github.deleteComment', { id });
    const next = await surfaces().upsertComment(repository, number, marker, body('two'), id);
    expect(bodies()).toEqual([{ id: next, author: 'lockkeeper[bot]', body: body('two') }]);
  });

  it('whose create got no answer is found, not made twice', async () => {
    const { number } = openPullRequest();
    sim.control.rule({ provider: 'github', on: 'POST /repos/*/*/issues/*/comments', drop: true });
    const id = await surfaces().upsertComment(repository, number, marker, body('one'));
    expect(bodies()).toEqual([{ id, author: 'lockkeeper[bot]', body: body('one') }]);
  });

  it('whose create never arrived fails as it failed', async () => {
    const { number } = openPullRequest();
    sim.control.rule({ provider: 'github', on: 'POST /repos/*/*/issues/*/comments', reset: true });
    expect(await problemOf(surfaces().upsertComment(repository, number, marker, body('one')))).toMatchObject({ code: 'PROVIDER_TRANSIENT' });
    expect(bodies()).toEqual([]);
  });

  it('under a token that may not say whose it is, is looked for among those of bots', async () => {
    const withToken = hostWith({ credentials: { token: 'ghs_of_a_workflow' } });
    const { number } = openPullRequest();
    sim.control.edit('github.comment', { number, body: `> ${body('quoted')}`, author: 'kim' });
    const id = await surfaces(withToken).upsertComment(repository, number, marker, body('one'));
    expect(await surfaces(withToken).upsertComment(repository, number, marker, body('two'))).toBe(id);
  });
});

describe('the check run', () => {
  const checks = () => sim.state().github.repositories[0]?.checks.map(({ id, status, conclusion, title }) => ({ id, status, conclusion, title }));
  const open = (commit: string): CheckRun => ({
    name: 'lockkeeper / preview',
    commit,
    externalId: 'run-1',
    status: 'in_progress',
    title: 'Applying…',
    summary: 'Applying.',
  });
  const done = (commit: string): CheckRun => ({ ...open(commit), status: 'completed', conclusion: 'success', title: '1 line applied', text: 'text' });

  it('is created, then completed by its id', async () => {
    const { sha } = openPullRequest();
    const id = await surfaces().upsertCheck(repository, open(sha));
    expect(checks()).toEqual([{ id, status: 'in_progress', conclusion: null, title: 'Applying…' }]);
    expect(await surfaces().upsertCheck(repository, done(sha), id)).toBe(id);
    expect(checks()).toEqual([{ id, status: 'completed', conclusion: 'success', title: '1 line applied' }]);
  });

  it('lost between create and record is found by name, commit and run, among others of its name', async () => {
    const { sha } = openPullRequest();
    const id = await surfaces().upsertCheck(repository, open(sha));
    const other = await surfaces().upsertCheck(repository, { ...open(sha), externalId: 'run-2' });
    expect(other).not.toBe(id);
    expect(await surfaces().upsertCheck(repository, done(sha))).toBe(id);
  });

  it('whose known id is gone is made again', async () => {
    const { sha } = openPullRequest();
    const id = await surfaces().upsertCheck(repository, open(sha), 12345);
    expect(checks()?.map((check) => check.id)).toEqual([id]);
  });

  it('whose create got no answer is found, not made twice', async () => {
    const { sha } = openPullRequest();
    sim.control.rule({ provider: 'github', on: 'POST /repos/*/*/check-runs', drop: true });
    const id = await surfaces().upsertCheck(repository, open(sha));
    expect(checks()?.map((check) => check.id)).toEqual([id]);
  });
});

describe('when GitHub is not at its best', () => {
  const tip = 'GET /repos/*/*/git/ref/**';

  it('repeats a read after 503 and after a broken connection', async () => {
    sim.control.rule({ provider: 'github', on: tip, fail: { status: 503 } });
    sim.control.rule({ provider: 'github', on: tip, reset: true });
    expect(await host.branchTip(repository, 'main')).toBe(demo.mainCommit);
    expect(clock.slept).toHaveLength(2);
  });

  it('waits two seconds in place, a write too, since a limited request did nothing', async () => {
    const { number } = openPullRequest();
    sim.control.rule({
      provider: 'github',
      on: 'POST /repos/*/*/issues/*/comments',
      fail: { status: 403, retryAfter: 2, message: 'You have exceeded a secondary rate limit.' },
    });
    await surfaces().upsertComment(repository, number, marker, marker);
    expect(clock.slept).toEqual([2_000]);
  });

  it('hands a longer wait back with the instant to come back', async () => {
    sim.control.rule({ provider: 'github', on: tip, fail: { status: 429, retryAfter: 30 } });
    const now = clock.now();
    expect(await problemOf(host.branchTip(repository, 'main'))).toMatchObject({ code: 'PROVIDER_AGAIN', details: { at: now + 30_000, status: 429 } });
    expect(clock.slept).toEqual([]);
  });

  it('waits a minute for a secondary limit that names no time', async () => {
    sim.control.rule({ provider: 'github', on: tip, fail: { status: 403, message: 'You have exceeded a secondary rate limit.' } });
    const now = clock.now();
    expect(await problemOf(host.branchTip(repository, 'main'))).toMatchObject({ code: 'PROVIDER_AGAIN', details: { at: now + 60_000 } });
  });

  it('waits for the reset of an exhausted quota', async () => {
    const now = Math.floor(clock.now() / 1000) * 1000;
    clock.set(now);
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(now / 1000 + 90) };
    const limited = hostWith({
      credentials: { token: 't' },
      fetch: async () => Response.json({ message: 'API rate limit exceeded' }, { status: 403, headers }),
    });
    expect(await problemOf(limited.branchTip(repository, 'main'))).toMatchObject({ code: 'PROVIDER_AGAIN', details: { at: now + 90_000 } });
  });

  it('takes any other 403 for what it is', async () => {
    sim.control.rule({ provider: 'github', on: tip, fail: { status: 403, message: 'Resource not accessible by integration' } });
    expect(await problemOf(host.branchTip(repository, 'main'))).toMatchObject({
      code: 'PROVIDER_AUTH',
      message: expect.stringContaining('Resource not accessible by integration'),
    });
  });

  it.each(['html', 'truncated', 'empty', 'shape', 'null'] as const)('calls %s nonsense', async (nonsense) => {
    sim.control.rule({ provider: 'github', on: tip, nonsense });
    expect(await problemOf(host.branchTip(repository, 'main'))).toMatchObject({ code: 'CODE_HOST' });
  });

  it('gives up on a request that hangs, and does not repeat it', async () => {
    const { sha } = openPullRequest();
    await host.branchTip(repository, 'main');
    const aborts: AbortController[] = [];
    const deadline = () => {
      const abort = new AbortController();
      aborts.push(abort);
      return abort.signal;
    };
    const hanging = hostWith({ credentials: { token: 't' }, deadline });
    sim.control.rule({ provider: 'github', on: 'GET /repos/*/*/contents/**', hold: true });
    const problem = problemOf(hanging.file(repository, 'a', sha));
    await sim.control.untilHeld();
    aborts.at(-1)?.abort(new DOMException('too long', 'TimeoutError'));
    expect(await problem).toMatchObject({ code: 'PROVIDER_TIMEOUT' });
    expect(aborts).toHaveLength(1);
    sim.control.release();
  });

  it('masks what GitHub says', async () => {
    const masked = hostWith({ credentials: { token: 't' }, redact: (text) => text.replaceAll('s3cret', '[REDACTED]') });
    sim.control.rule({ provider: 'github', on: tip, fail: { status: 422, message: 'no s3cret here' } });
    expect((await problemOf(masked.branchTip(repository, 'main'))).message).toContain('no [REDACTED] here');
  });
});

describe('the files of a commit', () => {
  const namesIn = (packed: Uint8Array): string[] =>
    execFileSync('tar', ['-tz'], { input: packed, encoding: 'utf8' })
      .split('\n')
      .filter((name) => name !== '')
      .map((name) => name.replace(/^[^/]+\//, ''));

  it('come from another host, to which the token of the App is not shown', async () => {
    const { sha } = openPullRequest({ 'release.plan.yaml': 'version: 1\n', 'infra/main.tf': '' });
    expect(namesIn(await host.archive(repository, sha))).toEqual(expect.arrayContaining(['infra/main.tf', 'release.plan.yaml']));
    const [asked, had] = sim.requests({ provider: 'github' }).slice(-2);
    expect([asked?.path, had?.path]).toEqual([`${base}/tarball/${sha}`, `/codeload/acme/storefront/legacy.tar.gz/${sha}`]);
  });

  it('are found where the repository has another name by now', async () => {
    const { sha } = openPullRequest({ 'infra/main.tf': '' });
    sim.control.edit('github.rename', { name: 'shop' });
    expect(namesIn(await host.archive(repository, sha))).toContain('infra/main.tf');
  });

  it('are refused when there is more than can be held, and the address with its token is in no error', async () => {
    const more = Buffer.alloc(1024 * 1024);
    const answers = (body: () => Response) =>
      (async (url: string | URL | Request, init?: RequestInit) => (String(url).includes('codeload') ? body() : fetch(url, init))) as typeof fetch;
    const endless = () => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(more) }));
    expect(await problemOf(hostWith({ fetch: answers(endless) }).archive(repository, demo.mainCommit))).toMatchObject({ code: 'SOURCE_TOO_LARGE' });
    const failed: unknown = await hostWith({ fetch: answers(() => new Response('no', { status: 500 })) })
      .archive(repository, demo.mainCommit)
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'PROVIDER_TRANSIENT', message: expect.stringContaining('the files of acme/storefront') as string });
    expect(inspect(failed, { depth: 9, showHidden: true })).not.toContain('once-');
  });

  it('are not asked for at a place that is not encrypted', async () => {
    const leads = (async (url: string | URL | Request, init?: RequestInit) =>
      String(url).includes('/tarball/')
        ? new Response(null, { status: 302, headers: { location: 'http://files.example/x' } })
        : fetch(url, init)) as typeof fetch;
    expect(await problemOf(hostWith({ fetch: leads }).archive(repository, demo.mainCommit))).toMatchObject({ code: 'CODE_HOST' });
  });

  it('are not there for a commit that GitHub does not know', async () => {
    expect(await problemOf(host.archive(repository, 'f'.repeat(40)))).toMatchObject({ code: 'PROVIDER_NOT_FOUND' });
  });
});
