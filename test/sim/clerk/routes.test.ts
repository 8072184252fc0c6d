import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, at } from '../ask.ts';
import { departures, description } from '../published/conform.ts';
import { demo } from '../seed.ts';
import { type Sim, startSim } from '../sim.ts';

const published = description('clerk');
let sim: Sim;
let list: string;
beforeEach(async () => {
  sim = await startSim();
  list = `${sim.urls.clerk}/redirect_urls`;
});
afterEach(() => sim.stop());

const urlsOf = (json: unknown): string[] => (json as { url: string }[]).map((each) => each.url);

describe('Clerk’s redirect URLs', () => {
  it('are answered as the description publishes', async () => {
    const created = await ask('POST', list, { url: 'https://pr-1.example/cb' });
    const one = `${list}/${at(created.json, 'id')}`;
    const answers: [string, number, unknown][] = [['POST /redirect_urls', created.status, created.json]];
    for (const [operation, method, url] of [
      ['GET /redirect_urls', 'GET', list],
      ['GET /redirect_urls/{id}', 'GET', one],
      ['DELETE /redirect_urls/{id}', 'DELETE', one],
      ['GET /instance', 'GET', `${sim.urls.clerk}/instance`],
    ] as const) {
      const answer = await ask(method, url);
      answers.push([operation, answer.status, answer.json]);
    }
    for (const [operation, status, json] of answers) expect([operation, departures(published, operation, status, json)]).toEqual([operation, []]);
  });

  it('hold one that was there before', async () => {
    expect(urlsOf((await ask('GET', list)).json)).toEqual([demo.clerkRedirect]);
  });

  it('are refused twice, and when they are no URL: 422', async () => {
    expect(await ask('POST', list, { url: demo.clerkRedirect })).toMatchObject({ status: 422, json: { errors: [{ code: 'duplicate_record' }] } });
    expect(await ask('POST', list, { url: 'somewhere' })).toMatchObject({ status: 422, json: { errors: [{ code: 'form_param_format_invalid' }] } });
    expect(await ask('POST', list, {})).toMatchObject({ status: 422, json: { errors: [{ code: 'form_param_missing' }] } });
  });

  it('are listed by limit and offset, newest first, ten when nothing is said', async () => {
    for (let index = 0; index < 11; index += 1) await ask('POST', list, { url: `https://pr-${index}.example` });
    expect(urlsOf((await ask('GET', `${list}?limit=2&offset=1`)).json)).toEqual(['https://pr-9.example', 'https://pr-8.example']);
    expect(urlsOf((await ask('GET', list)).json)).toHaveLength(10);
    sim.control.set({ clerk: { pageSize: 3 } });
    expect(urlsOf((await ask('GET', `${list}?limit=100`)).json)).toHaveLength(3);
  });

  it('come in an envelope when that is set and asked for', async () => {
    sim.control.set({ clerk: { envelope: true } });
    expect((await ask('GET', `${list}?paginated=true`)).json).toMatchObject({ data: [{ url: demo.clerkRedirect }], total_count: 1 });
    expect(Array.isArray((await ask('GET', list)).json)).toBe(true);
  });

  it('are gone after a delete: 404', async () => {
    const one = `${list}/${at((await ask('POST', list, { url: 'https://x.example' })).json, 'id')}`;
    expect([(await ask('DELETE', one)).status, (await ask('DELETE', one)).status]).toEqual([200, 404]);
  });

  it('can be added, changed, recreated and deleted in the dashboard', async () => {
    const { id } = sim.control.edit('clerk.add', { url: 'https://a.example' });
    sim.control.edit('clerk.set', { url: 'https://a.example', to: 'https://b.example' });
    expect(at((await ask('GET', `${list}/${id}`)).json, 'url')).toBe('https://b.example');
    expect(sim.control.edit('clerk.recreate', { url: 'https://b.example' }).id).not.toBe(id);
    sim.control.edit('clerk.delete', { url: 'https://b.example' });
    expect(urlsOf((await ask('GET', list)).json)).toEqual([demo.clerkRedirect]);
  });
});
