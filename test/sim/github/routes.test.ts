import { generateKeyPairSync } from 'node:crypto';
import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, at } from '../ask.ts';
import { departures, description } from '../published/conform.ts';
import { demo } from '../seed.ts';
import { type Sim, startSim } from '../sim.ts';

const published = description('github');
const repo = '/repos/{owner}/{repo}';
let sim: Sim;
let base: string;
beforeEach(async () => {
  sim = await startSim();
  base = `${sim.urls.github}/repos/acme/storefront`;
});
afterEach(() => sim.stop());

const get = (path: string, headers = {}) => ask('GET', `${base}${path}`, undefined, headers);
const push = (branch: string, files: Record<string, string | null> = { 'release.plan.yaml': `# ${branch}\n` }) =>
  sim.control.edit('github.push', { branch, files });
/** A pull request of a fresh branch. */
function opened(branch = 'feat/cart'): { number: number; sha: string } {
  push(branch);
  return sim.control.edit('github.open', { branch });
}

describe('GitHub’s answers', () => {
  it('are what the description publishes', async () => {
    const { number, sha } = opened();
    const comment = await ask('POST', `${base}/issues/${number}/comments`, { body: 'hello' });
    const check = await ask('POST', `${base}/check-runs`, { name: 'lockkeeper', head_sha: sha, status: 'in_progress', output: { title: 't', summary: 's' } });
    sim.control.lose('http://127.0.0.1:1/', sim.control.webhook('pull_request.opened', { number }), 'secret');
    const deliveries = await ask('GET', `${sim.urls.github}/app/hook/deliveries`, undefined, { authorization: `Bearer ${webToken()}` });
    const again = `${sim.urls.github}/app/hook/deliveries/${at(deliveries.json, 0, 'id')}/attempts`;
    const answers: [string, Awaited<ReturnType<typeof ask>>][] = [
      [`GET ${repo}`, await get('')],
      [`GET ${repo}/contents/{path}`, await get('/contents/release.plan.yaml?ref=feat%2Fcart')],
      [`GET ${repo}/pulls`, await get('/pulls')],
      [`GET ${repo}/pulls/{pull_number}`, await get(`/pulls/${number}`)],
      [`GET ${repo}/commits/{ref}`, await get(`/commits/${sha}`)],
      [`GET ${repo}/commits/{commit_sha}/pulls`, await get(`/commits/${sha}/pulls`)],
      [`GET ${repo}/branches/{branch}`, await get('/branches/feat/cart')],
      [`GET ${repo}/git/ref/{ref}`, await get('/git/ref/heads/feat/cart')],
      ['GET /app/hook/deliveries', deliveries],
      ['POST /app/hook/deliveries/{delivery_id}/attempts', await ask('POST', again, {}, { authorization: `Bearer ${webToken()}` })],
      [`GET ${repo}/pulls`, await get('/pulls?state=open&sort=updated&direction=desc')],
      [`GET ${repo}/collaborators/{username}/permission`, await get('/collaborators/robin/permission')],
      [`GET ${repo}/compare/{basehead}`, await get(`/compare/main...${sha}`)],
      [`POST ${repo}/issues/{issue_number}/comments`, comment],
      [`GET ${repo}/issues/{issue_number}/comments`, await get(`/issues/${number}/comments`)],
      [`GET ${repo}/issues/comments/{comment_id}`, await get(`/issues/comments/${at(comment.json, 'id')}`)],
      [`PATCH ${repo}/issues/comments/{comment_id}`, await ask('PATCH', `${base}/issues/comments/${at(comment.json, 'id')}`, { body: 'changed' })],
      [`POST ${repo}/check-runs`, check],
      [`GET ${repo}/check-runs/{check_run_id}`, await get(`/check-runs/${at(check.json, 'id')}`)],
      [
        `PATCH ${repo}/check-runs/{check_run_id}`,
        await ask('PATCH', `${base}/check-runs/${at(check.json, 'id')}`, { status: 'completed', conclusion: 'success' }),
      ],
      [`GET ${repo}/commits/{ref}/check-runs`, await get(`/commits/${sha}/check-runs`)],
      [`GET ${repo}/installation`, await get('/installation', { authorization: `Bearer ${webToken()}` })],
      ['POST /app/installations/{installation_id}/access_tokens', await token()],
    ];
    for (const [operation, answer] of answers) expect([operation, departures(published, operation, answer.status, answer.json)]).toEqual([operation, []]);
  });
});

describe('repositories', () => {
  it('are found by name and by number, and under their number after a rename', async () => {
    sim.control.edit('github.rename', { name: 'shop' });
    expect((await get('')).json).toMatchObject({ id: demo.repositoryId, full_name: 'acme/shop' }); // redirected
    expect((await ask('GET', `${sim.urls.github}/repos/acme/nothing`)).status).toBe(404);
    expect((await ask('GET', `${sim.urls.github}/repositories/${demo.repositoryId}`)).json).toMatchObject({
      id: demo.repositoryId,
      full_name: 'acme/shop',
      default_branch: 'main',
    });
    expect((await ask('GET', `${sim.urls.github}/repositories/${demo.repositoryId}/branches/main`)).status).toBe(200);
  });
});

describe('contents', () => {
  it('are those of the commit that is asked for', async () => {
    const first = push('b', { 'release.plan.yaml': 'one' });
    push('b', { 'release.plan.yaml': 'two' });
    const text = async (ref: string) => Buffer.from(String(at((await get(`/contents/release.plan.yaml?ref=${ref}`)).json, 'content')), 'base64').toString();
    expect([await text(first.sha), await text('b')]).toEqual(['one', 'two']);
    expect((await get('/contents/release.plan.yaml')).status).toBe(404);
    expect((await get('/contents/release.plan.yaml?ref=nothing')).json).toMatchObject({ message: 'No commit found for the ref nothing' });
  });

  it('come as bytes when they are asked for raw', async () => {
    push('b', { 'plans/ü.yaml': 'näme: x\n' });
    const answer = await get('/contents/plans/%C3%BC.yaml?ref=b', { accept: 'application/vnd.github.raw+json' });
    expect(answer).toMatchObject({ status: 200, text: 'näme: x\n' });
  });

  it('of a folder are a list, and of a file that was taken away nothing', async () => {
    push('b', { 'plans/a.yaml': 'a', 'plans/deep/b.yaml': 'b' });
    expect((await get('/contents/plans?ref=b')).json).toMatchObject([{ name: 'a.yaml', type: 'file' }]);
    push('b', { 'plans/a.yaml': null });
    expect((await get('/contents/plans/a.yaml?ref=b')).status).toBe(404);
  });
});

describe('pull requests', () => {
  it('follow their branch, close, and open again', async () => {
    const { number, sha } = opened();
    const later = push('feat/cart', { 'a.txt': '1' });
    expect(later.before).toBe(sha);
    expect((await get(`/pulls/${number}`)).json).toMatchObject({ state: 'open', head: { sha: later.sha, ref: 'feat/cart', repo: { id: demo.repositoryId } } });
    sim.control.edit('github.close', { number });
    push('feat/cart', { 'a.txt': '2' });
    expect((await get(`/pulls/${number}`)).json).toMatchObject({ state: 'closed', merged: false, closed_at: expect.any(String), head: { sha: later.sha } });
    sim.control.edit('github.reopen', { number });
    expect((await get('/pulls')).json).toMatchObject([{ number, state: 'open' }]);
  });

  it('of a commit are those that bring it', async () => {
    const { number, sha } = opened();
    const next = push('feat/cart', { 'a.txt': '1' });
    const numbers = async (commit: string) => ((await get(`/commits/${commit}/pulls`)).json as { number: number }[]).map((pull) => pull.number);
    expect([await numbers(sha), await numbers(next.sha), await numbers(demo.mainCommit)]).toEqual([[number], [number], []]);
  });

  it('from a fork say so, and start no build', async () => {
    const fork = { owner: 'stranger', name: 'storefront' };
    const { sha } = sim.control.edit('github.forkPush', { fork, branch: 'main', files: { 'release.plan.yaml': 'x' } });
    const { number } = sim.control.edit('github.open', { branch: 'main', fork, sha });
    const { json } = await get(`/pulls/${number}`);
    expect(json).toMatchObject({
      head: { label: 'stranger:main', repo: { fork: true, full_name: 'stranger/storefront' } },
      base: { repo: { id: demo.repositoryId } },
    });
    expect(at(json, 'head', 'repo', 'id')).not.toBe(demo.repositoryId);
    expect((await get('/branches/main')).json).toMatchObject({ commit: { sha: demo.mainCommit } });
    expect((await get(`/contents/release.plan.yaml?ref=${sha}`)).status).toBe(200);
    expect(sim.state().vercel.projects[0]?.deployments).toEqual([]);
  });
});

describe('compare', () => {
  it('says how head stands to base', async () => {
    const one = push('b');
    const two = push('b', { 'a.txt': '1' });
    sim.control.edit('github.push', { branch: 'b', from: one.sha, force: true, files: { 'a.txt': '2' } });
    const status = async (basehead: string) => at((await get(`/compare/${basehead}`)).json, 'status');
    expect(await status(`${one.sha}...${two.sha}`)).toBe('ahead');
    expect(await status(`${two.sha}...${one.sha}`)).toBe('behind');
    expect(await status(`${two.sha}...b`)).toBe('diverged');
    expect(await status('main...main')).toBe('identical');
    expect((await get(`/compare/main...${'0'.repeat(40)}`)).status).toBe(404);
  });
});

describe('comments', () => {
  it('are listed in pages that a Link header leads through', async () => {
    const { number } = opened();
    for (let index = 0; index < 5; index += 1) sim.control.edit('github.comment', { number, body: `c${index}` });
    const bodies: unknown[] = [];
    let next: string | undefined = `${base}/issues/${number}/comments?per_page=2`;
    for (let page = 0; next !== undefined && page < 9; page += 1) {
      const answer = await ask('GET', next);
      bodies.push(...(answer.json as { body: string }[]).map((comment) => comment.body));
      next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    expect(bodies).toEqual(['c0', 'c1', 'c2', 'c3', 'c4']);
  });

  it('are written by the app, and take 65,536 characters and no more', async () => {
    const { number } = opened();
    const url = `${base}/issues/${number}/comments`;
    expect(await ask('POST', url, { body: 'é'.repeat(65_536) })).toMatchObject({ status: 201, json: { user: { login: 'lockkeeper[bot]', type: 'Bot' } } });
    expect(await ask('POST', url, { body: 'é'.repeat(65_537) })).toMatchObject({ status: 422, json: { message: 'Validation Failed' } });
    expect((await ask('POST', url, { body: ' ' })).status).toBe(422);
    expect((await ask('POST', `${base}/issues/99/comments`, { body: 'x' })).status).toBe(404);
  });

  it('are 404 once somebody deleted them', async () => {
    const { number } = opened();
    const { id } = sim.control.edit('github.comment', { number, body: 'x' });
    sim.control.edit('github.deleteComment', { id });
    expect((await ask('PATCH', `${base}/issues/comments/${id}`, { body: 'y' })).status).toBe(404);
  });
});

describe('check runs', () => {
  const create = (sha: string, more: object = {}) =>
    ask('POST', `${base}/check-runs`, { name: 'lockkeeper / preview', head_sha: sha, external_id: 'run-1', ...more });

  it('are completed by a conclusion and opened again by a status', async () => {
    const { sha } = opened();
    const { json } = await create(sha, { status: 'in_progress' });
    const url = `${base}/check-runs/${at(json, 'id')}`;
    expect((await ask('PATCH', url, { conclusion: 'action_required' })).json).toMatchObject({
      status: 'completed',
      conclusion: 'action_required',
      completed_at: expect.any(String),
    });
    expect((await ask('PATCH', url, { status: 'in_progress' })).json).toMatchObject({
      status: 'in_progress',
      conclusion: null,
      completed_at: null,
      external_id: 'run-1',
    });
  });

  it('take three buttons at most, within their limits, and tell of the one that was pressed', async () => {
    const { sha } = opened();
    const button = { label: 'x'.repeat(20), description: 'x'.repeat(40), identifier: 'a:3f2a9c81e4d0Vb3x_Q' };
    const made = await create(sha, { actions: [button, button, button] });
    expect(made.status).toBe(201);
    expect((await create(sha, { actions: [button, button, button, button] })).status).toBe(422);
    for (const wrong of [{ label: 'x'.repeat(21) }, { description: 'x'.repeat(41) }, { identifier: `${button.identifier}1` }, { label: '' }]) {
      expect((await create(sha, { actions: [{ ...button, ...wrong }] })).status).toBe(422);
    }
    const { event, payload } = sim.control.webhook('check_run.requested_action', { id: Number(at(made.json, 'id')), identifier: button.identifier });
    expect(event).toBe('check_run');
    expect(payload).toMatchObject({ action: 'requested_action', check_run: { external_id: 'run-1' }, requested_action: { identifier: button.identifier } });
  });

  it('are listed for a commit, the newest of each name unless all are asked for', async () => {
    const { sha } = opened();
    for (const run of ['1', '2']) await create(sha, { external_id: run });
    await create(sha, { name: 'other' });
    const list = async (query: string) =>
      ((await get(`/commits/${sha}/check-runs?${query}`)).json as { check_runs: { name: string; external_id: string }[] }).check_runs;
    expect((await list('check_name=lockkeeper%20%2F%20preview')).map((check) => check.external_id)).toEqual(['2']);
    expect((await list('check_name=lockkeeper%20%2F%20preview&filter=all')).map((check) => check.external_id)).toEqual(['2', '1']);
    expect((await list('')).map((check) => check.name)).toEqual(['other', 'lockkeeper / preview']);
  });

  it('are refused for an unknown commit, a long text, and a completion without conclusion', async () => {
    const { sha } = opened();
    expect((await create('0'.repeat(40))).json).toMatchObject({ message: expect.stringContaining('No commit found') });
    expect((await create(sha, { output: { title: 't', summary: 's', text: 'x'.repeat(65_536) } })).status).toBe(422);
    expect((await create(sha, { output: { title: 't', summary: 's', text: 'x'.repeat(65_535) } })).status).toBe(201);
    expect((await create(sha, { output: { summary: 's' } })).status).toBe(422);
    expect((await create(sha, { status: 'completed' })).status).toBe(422);
  });
});

function webToken(more: object = {}): string {
  const now = Math.floor(Date.now() / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ iss: '1204512', iat: now - 30, exp: now + 500, ...more })}.c2lnbmF0dXJl`;
}

const token = (authorization = `Bearer ${webToken()}`, body: object = {}) =>
  ask('POST', `${sim.urls.github}/app/installations/${demo.installationId}/access_tokens`, body, { authorization });

describe('the app', () => {
  it('takes a web token on its own routes and nowhere else', async () => {
    expect((await token()).status).toBe(201);
    expect(await token('Bearer ghs_something')).toMatchObject({ status: 401, json: { message: 'A JSON web token could not be decoded' } });
    expect(await token(`Bearer ${webToken({ exp: 1 })}`)).toMatchObject({ status: 401 });
    expect(await token(`Bearer ${webToken({ exp: Math.floor(Date.now() / 1000) + 3600 })}`)).toMatchObject({ status: 401 });
    expect((await get('', { authorization: `Bearer ${webToken()}` })).json).toMatchObject({ message: 'Bad credentials' });
    expect((await ask('GET', `${sim.urls.github}/app`, undefined, { authorization: `Bearer ${webToken()}` })).json).toMatchObject({ slug: 'lockkeeper' });
  });

  it('lets GitHub’s own client in', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const octokit = new Octokit({
      baseUrl: sim.urls.github,
      authStrategy: createAppAuth,
      auth: { appId: 1_204_512, privateKey, installationId: demo.installationId },
    });
    const { data } = await octokit.request('GET /repos/{owner}/{repo}', { owner: 'acme', repo: 'storefront' });
    expect(data.id).toBe(demo.repositoryId);
    const installed = await octokit.request('GET /repos/{owner}/{repo}/installation', { owner: 'acme', repo: 'storefront' });
    expect(installed.data.id).toBe(demo.installationId);
  });

  it('hands out tokens that stop working after an hour', async () => {
    let clock = Date.now();
    const timed = await startSim({ now: () => clock });
    const url = `${timed.urls.github}/app/installations/${demo.installationId}/access_tokens`;
    const issued = await ask('POST', url, {}, { authorization: `Bearer ${webToken()}` });
    const read = () => ask('GET', `${timed.urls.github}/repos/acme/storefront`, undefined, { authorization: `token ${at(issued.json, 'token')}` });
    clock += 3_599_000;
    expect((await read()).status).toBe(200);
    clock += 1000;
    expect(await read()).toMatchObject({ status: 401, json: { message: 'Bad credentials' } });
    await timed.stop();
  });

  it('is not installed everywhere', async () => {
    sim.control.edit('github.install', { installed: false });
    expect((await get('/installation', { authorization: `Bearer ${webToken()}` })).status).toBe(404);
    expect((await token(undefined, { repositories: ['storefront'] })).status).toBe(422);
  });
});
