import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, at } from '../ask.ts';
import { departures, description } from '../published/conform.ts';
import { demo } from '../seed.ts';
import { type Sim, startSim } from '../sim.ts';

const published = description('neon');
let clock: number;
let sim: Sim;
let project: string;
beforeEach(async () => {
  clock = Date.UTC(2026, 2, 1);
  sim = await startSim({ now: () => clock });
  project = `${sim.urls.neon}/projects/${demo.neonProject}`;
});
afterEach(() => sim.stop());

const create = (name: string, more: object = {}) => ask('POST', `${project}/branches`, { branch: { name, ...more }, endpoints: [{ type: 'read_write' }] });
const idOf = async (name: string): Promise<string> => String(at((await create(name)).json, 'branch', 'id'));

describe('Neon’s answers', () => {
  it('are what the description publishes', async () => {
    const created = await create('preview/pr-1');
    const branch = String(at(created.json, 'branch', 'id'));
    const base = '/projects/{project_id}';
    const asked: [string, string][] = [
      [`GET ${base}`, ''],
      [`GET ${base}/branches`, '/branches'],
      [`GET ${base}/branches/{branch_id}`, `/branches/${branch}`],
      [`GET ${base}/branches/{branch_id}/endpoints`, `/branches/${branch}/endpoints`],
      [`GET ${base}/branches/{branch_id}/databases`, `/branches/${branch}/databases`],
      [`GET ${base}/branches/{branch_id}/roles`, `/branches/${branch}/roles`],
      [`GET ${base}/connection_uri`, `/connection_uri?branch_id=${branch}&database_name=neondb&role_name=neondb_owner`],
      [`GET ${base}/operations`, '/operations'],
    ];
    expect(departures(published, `POST ${base}/branches`, created.status, created.json)).toEqual([]);
    for (const [operation, path] of asked) {
      const answer = await ask('GET', `${project}${path}`);
      expect([operation, departures(published, operation, answer.status, answer.json)]).toEqual([operation, []]);
    }
    const renamed = await ask('PATCH', `${project}/branches/${branch}`, { branch: { name: 'other' } });
    expect(departures(published, `PATCH ${base}/branches/{branch_id}`, renamed.status, renamed.json)).toEqual([]);
    const removed = await ask('DELETE', `${project}/branches/${branch}`);
    expect(departures(published, `DELETE ${base}/branches/{branch_id}`, removed.status, removed.json)).toEqual([]);
  });
});

describe('Neon’s branches', () => {
  it('have a connection string with a password that no other branch has', async () => {
    const answers = [await create('a'), await create('b')];
    const uris = answers.map((answer) => String(at(answer.json, 'connection_uris', 0, 'connection_uri')));
    const [first, second] = uris.map((uri) => new URL(uri));
    expect(first?.password).not.toBe(second?.password);
    expect(first?.hostname).toBe(at(answers[0]?.json, 'endpoints', 0, 'host'));
    const again = await ask('GET', `${project}/connection_uri?branch_id=${at(answers[0]?.json, 'branch', 'id')}&database_name=neondb&role_name=neondb_owner`);
    expect(at(again.json, 'uri')).toBe(uris[0]);
  });

  it('have no endpoint and no connection string unless one is asked for', async () => {
    const created = await ask('POST', `${project}/branches`, { branch: { name: 'bare' } });
    expect(created.json).toMatchObject({ endpoints: [] });
    expect(at(created.json, 'connection_uris')).toBeUndefined();
    const uri = await ask('GET', `${project}/connection_uri?branch_id=${at(created.json, 'branch', 'id')}&database_name=neondb&role_name=neondb_owner`);
    expect(uri).toMatchObject({ status: 404, json: { message: 'endpoint not found' } });
  });

  it('grow from the default branch unless a parent is named', async () => {
    const parent = await idOf('parent');
    expect(at((await create('child', { parent_id: parent })).json, 'branch', 'parent_id')).toBe(parent);
    expect(at((await create('other')).json, 'branch', 'parent_id')).toBe(demo.neonRootBranch);
    expect((await create('orphan', { parent_id: 'br-no-such-1' })).status).toBe(404);
  });

  it('cannot share a name: 409', async () => {
    await create('taken');
    expect(await create('taken')).toMatchObject({ status: 409, json: { code: 'BRANCH_ALREADY_EXISTS' } });
  });

  it('are gone after a delete, and a second delete is 404', async () => {
    const url = `${project}/branches/${await idOf('short-lived')}`;
    expect([(await ask('DELETE', url)).status, (await ask('DELETE', url)).status, (await ask('GET', url)).status]).toEqual([200, 404, 404]);
  });

  it('are not deleted while they are the default or have children', async () => {
    const parent = await idOf('parent');
    await create('child', { parent_id: parent });
    expect([(await ask('DELETE', `${project}/branches/${parent}`)).status, (await ask('DELETE', `${project}/branches/${demo.neonRootBranch}`)).status]).toEqual(
      [422, 422],
    );
  });

  it('are listed page by page, each once', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await create(name);
    sim.control.set({ neon: { pageSize: 2 } });
    const seen: unknown[] = [];
    let cursor = '';
    for (let page = 0; page < 9; page += 1) {
      const answer = await ask('GET', `${project}/branches?limit=100${cursor}`);
      seen.push(...(at(answer.json, 'branches') as { name: string }[]).map((branch) => branch.name));
      const next = at(answer.json, 'pagination', 'next');
      if (next === undefined) break;
      cursor = `&cursor=${next}`;
    }
    expect(seen.toSorted()).toEqual(['a', 'b', 'c', 'd', 'main']);
  });

  it('keep the project locked while operations run', async () => {
    sim.control.set({ neon: { operationMs: 500 } });
    const created = await create('slow');
    expect(at(created.json, 'branch', 'current_state')).toBe('init');
    expect(await create('next')).toMatchObject({ status: 423, json: { message: expect.stringContaining('running operations') } });
    expect((await ask('GET', `${project}/branches`)).status).toBe(200);
    clock += 500;
    expect((await create('next')).status).toBe(201);
  });
});

describe('a project nobody has heard of', () => {
  it('is 404, or made on the spot when that is set', async () => {
    const url = `${sim.urls.neon}/projects/my-own-1/branches`;
    expect((await ask('GET', url)).status).toBe(404);
    sim.control.set({ neon: { unknownProjects: 'make' } });
    expect((await ask('GET', url)).json).toMatchObject({ branches: [{ name: 'main', default: true }] });
    expect((await ask('POST', url, { branch: { name: 'b' } })).status).toBe(201);
    expect(sim.state().neon.projects.map((each) => each.id)).toEqual([demo.neonProject, 'my-own-1']);
  });
});

describe('edits in Neon’s console', () => {
  it('rename, delete, recreate and rotate behind everybody’s back', async () => {
    const id = await idOf('preview');
    const uri = () =>
      ask('GET', `${project}/connection_uri?branch_id=${id}&database_name=neondb&role_name=neondb_owner`).then((answer) => at(answer.json, 'uri'));
    const before = await uri();
    sim.control.edit('neon.rotate', { branch: 'preview' });
    expect(await uri()).not.toBe(before);
    sim.control.edit('neon.rename', { branch: 'preview', to: 'renamed' });
    expect(at((await ask('GET', `${project}/branches/${id}`)).json, 'branch', 'name')).toBe('renamed');
    const again = sim.control.edit('neon.recreate', { branch: 'renamed' });
    expect(again.id).not.toBe(id);
    sim.control.edit('neon.delete', { branch: again.id });
    expect(sim.state().neon.projects[0]?.branches.map((branch) => branch.name)).toEqual(['main']);
    expect(sim.writes({ provider: 'neon' })).toHaveLength(1);
  });
});
