import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, at } from '../ask.ts';
import { demo } from '../seed.ts';
import { type Sim, startSim } from '../sim.ts';

let sim: Sim;
beforeEach(async () => {
  sim = await startSim();
});
afterEach(() => sim.stop());

const branches = (): string => `${sim.urls.neon}/projects/${demo.neonProject}/branches`;
const createBranch = (name: string) => ask('POST', branches(), { branch: { name } });
const names = (): string[] => sim.state().neon.projects.flatMap((project) => project.branches.map((branch) => branch.name));
const rule = (body: unknown) => ask('POST', `${sim.controlUrl}/rules`, body);

describe('what can be done to requests', () => {
  it('fails the next ones with a status and a Retry-After, and does not perform them', async () => {
    await rule({ provider: 'neon', on: 'POST /projects/*/branches', times: 2, fail: { status: 429, retryAfter: 7 } });
    const answers = [await createBranch('a'), await createBranch('b'), await createBranch('c')];
    expect(answers.map((answer) => [answer.status, answer.headers.get('retry-after')])).toEqual([
      [429, '7'],
      [429, '7'],
      [201, null],
    ]);
    expect(names()).toEqual(['main', 'c']);
    expect(sim.writes().map((write) => write.performed)).toEqual([false, false, true]);
  });

  it('takes a date for Retry-After as it is', async () => {
    const date = 'Wed, 21 Oct 2026 07:28:00 GMT';
    await rule({ provider: 'clerk', on: 'GET /redirect_urls', fail: { status: 503, retryAfter: date } });
    const answer = await ask('GET', `${sim.urls.clerk}/redirect_urls`);
    expect(answer.headers.get('retry-after')).toBe(date);
    expect(at(answer.json, 'errors', 0, 'code')).toBe('internal_clerk_error');
  });

  it('performs a request and loses the answer', async () => {
    await rule({ provider: 'neon', drop: true });
    await expect(createBranch('lost')).rejects.toThrow();
    expect(names()).toEqual(['main', 'lost']);
    expect(sim.writes()).toMatchObject([{ status: 201, performed: true }]);
  });

  it('cuts the connection without performing the request', async () => {
    await rule({ provider: 'neon', reset: true });
    await expect(createBranch('never')).rejects.toThrow();
    expect(names()).toEqual(['main']);
  });

  it('lets a request hang: neither performed nor answered', async () => {
    await rule({ provider: 'neon', hang: true });
    const patience = AbortSignal.timeout(150);
    await expect(fetch(branches(), { method: 'POST', headers: { authorization: 'Bearer t' }, signal: patience })).rejects.toThrow(/timeout|aborted/);
    expect(names()).toEqual(['main']);
    expect(sim.writes()).toMatchObject([{ status: undefined, performed: false }]);
  });

  it('holds a request until it is released', async () => {
    await rule({ provider: 'neon', hold: true });
    const answer = createBranch('parked');
    await sim.control.untilHeld();
    expect(names()).toEqual(['main']);
    expect((await ask('POST', `${sim.controlUrl}/release`)).json).toEqual({ released: 1 });
    expect((await answer).status).toBe(201);
    expect(names()).toEqual(['main', 'parked']);
  });

  it('drops what is held when the cloud starts over or stops, and performs nothing of it', async () => {
    await rule({ provider: 'neon', hold: true, times: 2 });
    const first = createBranch('a').catch(() => 'cut off');
    await sim.control.untilHeld();
    await ask('POST', `${sim.controlUrl}/reset`);
    expect(await first).toBe('cut off');
    await rule({ provider: 'neon', hold: true });
    const second = createBranch('b').catch(() => 'cut off');
    await sim.control.untilHeld();
    await sim.stop();
    expect(await second).toBe('cut off');
    expect(names()).toEqual(['main']);
  });

  it('kills a process after it performed its request and before it answers', async () => {
    const program = `fetch(${JSON.stringify(branches())}, { method: 'POST', headers: { authorization: 'Bearer t' }, body: '{"branch":{"name":"orphan"}}' })
      .then(() => console.log('answered'), () => console.log('broken'))`;
    const child = spawn(process.execPath, ['-e', `process.stdin.once('data', () => { ${program} })`]);
    const heard: string[] = [];
    child.stdout.on('data', (chunk: Buffer) => heard.push(chunk.toString()));
    await rule({ provider: 'neon', kill: child.pid });
    child.stdin.write('go\n');
    const [, signal] = await once(child, 'exit');
    expect(signal).toBe('SIGKILL');
    expect(heard).toEqual([]);
    expect(names()).toEqual(['main', 'orphan']);
  });

  it.each([
    ['html', /^<!doctype html>/],
    ['truncated', /^\{"branches":\[/],
    ['empty', /^$/],
    ['shape', /unexpected/],
    ['null', /^null$/],
  ])('answers 200 with nonsense: %s', async (nonsense, expected) => {
    await rule({ provider: 'neon', on: 'GET /projects/*/branches', nonsense });
    const answer = await ask('GET', branches());
    expect(answer.status).toBe(200);
    expect(answer.text).toMatch(expected);
    expect(Array.isArray(at(answer.json, 'branches'))).toBe(false);
  });

  it('delays a route by the milliseconds asked for', async () => {
    await rule({ provider: 'neon', on: 'GET /projects/*/branches', latencyMs: 60 });
    const started = performance.now();
    await ask('GET', branches());
    expect(performance.now() - started).toBeGreaterThanOrEqual(55);
  });

  it('takes all rules away', async () => {
    await rule({ provider: 'neon', drop: true, times: 100 });
    await ask('DELETE', `${sim.controlUrl}/rules`);
    expect((await createBranch('fine')).status).toBe(201);
  });
});

describe('the control endpoint', () => {
  it('answers 400 to a key nobody knows, and says what there is', async () => {
    const answers = await Promise.all([
      rule({ latncyMs: 3 }),
      ask('POST', `${sim.controlUrl}/settings`, { neon: { pagesize: 3 } }),
      ask('POST', `${sim.controlUrl}/edit`, { edit: 'neon.renam' }),
      ask('POST', `${sim.controlUrl}/edit`, { edit: 'neon.rename', branch: 'main', two: 'b' }),
      ask('GET', `${sim.controlUrl}/writes?provider=netlify`),
      ask('POST', `${sim.controlUrl}/explode`),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([400, 400, 400, 400, 400, 400]);
    const errors = answers.map((answer) => String(at(answer.json, 'error')));
    for (const [index, word] of ['latncyMs', 'pagesize', 'neon.rename', 'two', 'netlify', 'POST /_control/explode'].entries())
      expect(errors[index]).toContain(word);
    expect(at(answers[0]?.json, 'commands', 'POST /_control/rules')).toContain('latencyMs');
  });

  it('says what an edit could not find', async () => {
    const answer = await ask('POST', `${sim.controlUrl}/edit`, { edit: 'neon.rename', branch: 'nothing', to: 'b' });
    expect(answer).toMatchObject({ status: 400, json: { error: `there is no branch nothing in ${demo.neonProject}` } });
  });

  it('gives out the write log by provider and from a number on', async () => {
    await createBranch('one');
    await ask('POST', `${sim.urls.clerk}/redirect_urls`, { url: 'https://a.example/cb' });
    await ask('GET', branches());
    const all = (await ask('GET', `${sim.controlUrl}/writes`)).json;
    expect(all).toMatchObject([
      { at: 1, provider: 'neon', method: 'POST', path: `/projects/${demo.neonProject}/branches`, status: 201, performed: true },
      { at: 2, provider: 'clerk', path: '/redirect_urls' },
    ]);
    expect(at(all, 0, 'bodyHash')).toMatch(/^[0-9a-f]{64}$/);
    expect((await ask('GET', `${sim.controlUrl}/writes?provider=clerk`)).json).toMatchObject([{ at: 2 }]);
    expect((await ask('GET', `${sim.controlUrl}/writes?since=1`)).json).toMatchObject([{ at: 2 }]);
  });

  it('gives out every request with its body', async () => {
    await ask('POST', `${sim.urls.clerk}/redirect_urls`, { url: 'https://secret.example' });
    await ask('GET', `${sim.urls.clerk}/redirect_urls?limit=3`);
    expect((await ask('GET', `${sim.controlUrl}/requests`)).json).toMatchObject([
      { method: 'POST', body: '{"url":"https://secret.example"}' },
      { method: 'GET', query: 'limit=3', body: '' },
    ]);
  });

  it('exports the cloud and takes it back', async () => {
    await createBranch('kept');
    const state = (await ask('GET', `${sim.controlUrl}/state`)).json;
    await ask('POST', `${sim.controlUrl}/reset`);
    expect(names()).toEqual(['main']);
    expect(sim.writes()).toEqual([]);
    await ask('POST', `${sim.controlUrl}/reset`, { state });
    expect(names()).toEqual(['main', 'kept']);
    expect((await ask('POST', `${sim.controlUrl}/reset`, { state: { format: 9 } })).status).toBe(400);
  });

  it('answers 401 in each provider’s own shape when there is no token', async () => {
    const bare = (url: string) => fetch(url).then(async (answer) => [answer.status, await answer.json()] as const);
    expect(await bare(branches())).toMatchObject([401, { message: expect.any(String), code: '' }]);
    expect(await bare(`${sim.urls.vercel}/v9/projects/storefront`)).toMatchObject([401, { error: { code: 'forbidden' } }]);
    expect(await bare(`${sim.urls.clerk}/redirect_urls`)).toMatchObject([401, { errors: [{ code: 'authentication_invalid' }] }]);
    expect(await bare(`${sim.urls.github}/repos/acme/storefront`)).toMatchObject([401, { message: 'Requires authentication', status: '401' }]);
  });
});
