import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, at } from '../ask.ts';
import { departures, description } from '../published/conform.ts';
import { demo } from '../seed.ts';
import { type Sim, startSim } from '../sim.ts';

const published = description('vercel');
let clock: number;
let sim: Sim;
beforeEach(async () => {
  clock = Date.UTC(2026, 2, 1);
  sim = await startSim({ now: () => clock });
});
afterEach(() => sim.stop());

const envs = (query = ''): string => `${sim.urls.vercel}/v10/projects/storefront/env${query}`;
const variable = (key: string, value: string, more: object = {}) => ({ key, value, type: 'encrypted', target: ['preview'], gitBranch: 'feat/cart', ...more });
const write = (body: unknown, query = '?upsert=true') => ask('POST', envs(query), body);
const deployments = (query: string) => ask('GET', `${sim.urls.vercel}/v7/deployments?projectId=${demo.vercelProject}&${query}`);
const listed = async (query = '?decrypt=true') => at((await ask('GET', envs(query))).json, 'envs') as Record<string, unknown>[];

describe('Vercel’s answers', () => {
  it('are what the package’s schemas say', async () => {
    const project = '/v9/projects/{idOrName}';
    const created = await write([variable('A', '1'), variable('B', '2', { type: 'sensitive' })]);
    const ids = [0, 1].map((index) => at(created.json, 'created', index, 'id'));
    const { sha } = sim.control.edit('github.push', { branch: 'feat/cart' });
    const list = await deployments(`sha=${sha}`);
    const build = at(list.json, 'deployments', 0, 'uid');
    const answers: [string, Awaited<ReturnType<typeof ask>>][] = [
      ['POST /v10/projects/{idOrName}/env', created],
      [`GET ${project}`, await ask('GET', `${sim.urls.vercel}/v9/projects/storefront`)],
      ['GET /v10/projects/{idOrName}/env', await ask('GET', envs())],
      ['GET /v1/projects/{idOrName}/env/{id}', await ask('GET', `${sim.urls.vercel}/v1/projects/storefront/env/${ids[0]}`)],
      ['GET /v1/projects/{idOrName}/env/{id}', await ask('GET', `${sim.urls.vercel}/v1/projects/storefront/env/${ids[1]}`)],
      ['GET /v7/deployments', list],
      ['GET /v13/deployments/{idOrUrl}', await ask('GET', `${sim.urls.vercel}/v13/deployments/${build}`)],
      ['POST /v13/deployments', await ask('POST', `${sim.urls.vercel}/v13/deployments?forceNew=1`, { name: 'storefront', deploymentId: build })],
      [`DELETE ${project}/env/{id}`, await ask('DELETE', `${sim.urls.vercel}/v9/projects/storefront/env/${ids[0]}`)],
    ];
    for (const [operation, answer] of answers) expect([operation, departures(published, operation, answer.status, answer.json)]).toEqual([operation, []]);
  });
});

describe('Vercel’s projects', () => {
  it('are found by id or name, for the team that owns them', async () => {
    const get = (path: string) => ask('GET', `${sim.urls.vercel}/v9/projects/${path}`);
    const answers = await Promise.all(
      [demo.vercelProject, 'storefront', `storefront?teamId=${demo.vercelTeam}`, 'storefront?teamId=team_other', 'nothing'].map((path) => get(path)),
    );
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 403, 404]);
    expect(at(answers[0]?.json, 'link', 'repoId')).toBe(demo.repositoryId);
  });
});

describe('a project nobody has heard of', () => {
  it('is 404, or made on the spot when that is set', async () => {
    const url = `${sim.urls.vercel}/v10/projects/prj_Mine/env?upsert=true&teamId=${demo.vercelTeam}`;
    expect((await ask('POST', url, variable('A', '1'))).status).toBe(404);
    sim.control.set({ vercel: { unknownProjects: 'make' } });
    expect((await ask('POST', url, variable('A', '1'))).status).toBe(201);
    const list = await ask('GET', `${sim.urls.vercel}/v7/deployments?projectId=prj_Mine&sha=abc`);
    expect(list.json).toMatchObject({ deployments: [{ projectId: 'prj_Mine', readyState: 'BUILDING' }] });
  });
});

describe('Vercel’s variables', () => {
  it('are written many at a time, and overwritten in place with upsert', async () => {
    const first = await write([variable('A', '1'), variable('B', '2')]);
    expect(first).toMatchObject({ status: 201, json: { created: [{ key: 'A' }, { key: 'B' }], failed: [] } });
    const second = await write([variable('A', 'new')]);
    expect(at(second.json, 'created', 0, 'id')).toBe(at(first.json, 'created', 0, 'id'));
    expect((await listed()).find((each) => each['key'] === 'A')).toMatchObject({ value: 'new', decrypted: true });
  });

  it('answer an object to an object', async () => {
    expect(await write(variable('A', '1'))).toMatchObject({ status: 201, json: { created: { key: 'A' }, failed: [] } });
  });

  it('conflict without upsert: 400 for one, an entry under failed for many', async () => {
    await write(variable('A', '1'));
    expect(await write(variable('A', '2'), '')).toMatchObject({ status: 400, json: { error: { code: 'ENV_CONFLICT', key: 'A' } } });
    expect(await write([variable('A', '2'), variable('B', '2')], '')).toMatchObject({
      status: 201,
      json: { created: [{ key: 'B' }], failed: [{ error: { code: 'ENV_CONFLICT', key: 'A' } }] },
    });
    expect((await listed()).find((each) => each['key'] === 'A')?.['value']).toBe('1');
  });

  it('are another variable on another branch', async () => {
    await write([variable('A', '1'), variable('A', '2', { gitBranch: 'other' }), variable('A', '3', { gitBranch: undefined })]);
    expect((await listed()).filter((each) => each['key'] === 'A').map((each) => each['gitBranch'])).toEqual([undefined, 'other', 'feat/cart']);
  });

  it('do not overwrite one that other targets share', async () => {
    const answer = await write([variable('NEXT_PUBLIC_SITE_NAME', 'x', { gitBranch: undefined })]);
    expect(answer.json).toMatchObject({ failed: [{ error: { code: 'ENV_CONFLICT' } }] });
  });

  it('show a value only where it was decrypted, and a sensitive one never', async () => {
    const { json } = await write([variable('A', 'plain-text'), variable('S', 'hidden', { type: 'sensitive' })]);
    const shown = (query: string) => listed(query).then((all) => all.map((each) => [each['key'], each['value'] === 'plain-text', each['value'] === 'hidden']));
    expect(await shown('')).toContainEqual(['A', false, false]);
    expect(await shown('?decrypt=true')).toEqual(
      expect.arrayContaining([
        ['A', true, false],
        ['S', false, false],
      ]),
    );
    sim.control.set({ vercel: { decryptLists: false } });
    expect(await shown('?decrypt=true')).toContainEqual(['A', false, false]);
    const one = (index: number) => ask('GET', `${sim.urls.vercel}/v1/projects/storefront/env/${at(json, 'created', index, 'id')}`);
    expect((await one(0)).json).toMatchObject({ value: 'plain-text', decrypted: true });
    expect(at((await one(1)).json, 'value')).toBeUndefined();
  });

  it('are listed page by page, each once', async () => {
    await write(['A', 'B', 'C', 'D'].map((key) => variable(key, key)));
    sim.control.set({ vercel: { pageSize: 2 } });
    const seen: string[] = [];
    for (let until: unknown = '', page = 0; until !== null && page < 9; page += 1) {
      const { json } = await ask('GET', envs(`?decrypt=true&until=${until}`));
      seen.push(...(at(json, 'envs') as { key: string }[]).map((each) => each.key));
      until = at(json, 'pagination', 'next');
    }
    expect(seen).toEqual(['D', 'C', 'B', 'A', 'NEXT_PUBLIC_SITE_NAME']);
  });

  it('refuse what makes no sense', async () => {
    const wrong = [
      variable('9', '1'),
      variable('A', '1', { target: [] }),
      variable('A', '1', { target: ['staging'] }),
      variable('A', '1', { target: ['production'] }),
      variable('A', '1', { type: 'secret' }),
      variable('A', '1', { type: 'sensitive', target: ['development'], gitBranch: undefined }),
      { key: 'A' },
    ];
    for (const body of wrong) expect((await write([body])).status).toBe(400);
    sim.control.set({ vercel: { refuseKeys: ['A'] } });
    expect((await write([variable('A', '1')])).json).toMatchObject({ created: [], failed: [{ error: { key: 'A' } }] });
  });

  it('can be edited in the console', async () => {
    await write([variable('A', '1')]);
    const { id } = sim.control.edit('vercel.set', { key: 'A', value: 'edited' });
    expect((await listed()).find((each) => each['id'] === id)?.['value']).toBe('edited');
    const again = sim.control.edit('vercel.recreate', { key: 'A', branch: 'feat/cart' });
    expect(again.id).not.toBe(id);
    sim.control.edit('vercel.delete', { key: 'A' });
    expect((await ask('DELETE', `${sim.urls.vercel}/v9/projects/storefront/env/${again.id}`)).status).toBe(404);
  });
});

describe('Vercel’s deployments', () => {
  it('begin with a push, as a preview or for production, and wait to be finished', async () => {
    const { sha } = sim.control.edit('github.push', { branch: 'feat/cart' });
    const main = sim.control.edit('github.push', { branch: 'main' });
    expect((await deployments(`sha=${sha}&target=preview`)).json).toMatchObject({ deployments: [{ readyState: 'BUILDING', target: null, source: 'git' }] });
    expect((await deployments(`sha=${main.sha}&target=production`)).json).toMatchObject({ deployments: [{ target: 'production' }] });
    expect((await deployments(`sha=${sha}&target=production`)).json).toMatchObject({ deployments: [] });
    const { id, url } = sim.control.edit('vercel.finish', { sha });
    expect((await ask('GET', `${sim.urls.vercel}/v13/deployments/${url}`)).json).toMatchObject({ id, readyState: 'READY', status: 'READY' });
  });

  it('can fail', async () => {
    const { sha } = sim.control.edit('github.push', { branch: 'feat/cart' });
    sim.control.edit('vercel.finish', { sha, state: 'ERROR' });
    expect((await deployments(`sha=${sha}`)).json).toMatchObject({
      deployments: [{ readyState: 'ERROR', errorMessage: expect.stringContaining('exited with 1') }],
    });
  });

  it('begin with the first question about a commit nobody pushed, once', async () => {
    const ids = async () => at((await deployments('sha=0123&target=preview')).json, 'deployments') as { uid: string }[];
    const first = await ids();
    expect(first).toHaveLength(1);
    expect(await ids()).toEqual(first);
    sim.control.set({ vercel: { builds: 'never' } });
    expect((await deployments('sha=4567')).json).toMatchObject({ deployments: [], pagination: { count: 0, next: null } });
  });

  it('finish by themselves after a while when that is set', async () => {
    sim.control.set({ vercel: { outcome: 'READY', outcomeMs: 1000 } });
    const state = async () => at((await deployments('sha=0123')).json, 'deployments', 0, 'readyState');
    expect(await state()).toBe('BUILDING');
    clock += 1000;
    expect(await state()).toBe('READY');
  });

  it('are built again from a commit of the linked repository, and from no other', async () => {
    const start = (git: object) =>
      ask('POST', `${sim.urls.vercel}/v13/deployments?forceNew=1`, { name: 'storefront', gitSource: { ref: 'feat/cart', sha: 'abc', ...git } });
    expect(await start({ type: 'github', repoId: demo.repositoryId })).toMatchObject({
      status: 200,
      json: { readyState: 'BUILDING', gitSource: { sha: 'abc' } },
    });
    expect((await start({ type: 'github', repoId: 1 })).json).toMatchObject({ error: { code: 'incorrect_git_source_info' } });
  });

  it('are listed newest first, page by page', async () => {
    for (const sha of ['1', '2', '3']) sim.control.edit('vercel.build', { sha, branch: 'b', state: 'READY' });
    const first = await deployments('limit=2');
    expect((at(first.json, 'deployments') as { meta: { githubCommitSha: string } }[]).map((each) => each.meta.githubCommitSha)).toEqual(['3', '2']);
    const second = await deployments(`limit=2&until=${at(first.json, 'pagination', 'next')}`);
    expect(second.json).toMatchObject({ deployments: [{ meta: { githubCommitSha: '1' } }], pagination: { next: null } });
  });
});
