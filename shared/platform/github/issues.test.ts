import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { manualClock } from '../../../test/ports/manual-clock.ts';
import { demo } from '../../../test/sim/seed.ts';
import { type Sim, startSim } from '../../../test/sim/sim.ts';
import { rootMarker, rootPattern } from '../../dashboard/marker.ts';
import { problemOf as asProblem } from '../../errors/error.ts';
import type { HostIssues, Repository } from '../../ports/code-host.ts';
import { githubCodeHost } from './code-host.ts';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const repository: Repository = { id: String(demo.repositoryId), owner: demo.owner, name: demo.repository, defaultBranch: 'main' };
const made = { title: 'Dashboard', body: `${rootMarker}\nhello`, label: 'lockkeeper', marker: rootPattern };

let sim: Sim;
let issues: HostIssues;
beforeEach(async () => {
  sim = await startSim();
  const clock = manualClock(Date.now());
  issues = githubCodeHost({ baseUrl: sim.urls.github, credentials: { appId: 1_204_512, privateKey }, clock, timeoutMs: 2_000 }).issues as HostIssues;
});
afterEach(() => sim.stop());

const problemOf = (promise: Promise<unknown>) => promise.then(() => undefined, asProblem);

describe('issues at GitHub', () => {
  it('are made with a label, found by it and their first line, and written', async () => {
    const { number } = await issues.create(repository, made);
    expect(await issues.find(repository, 'lockkeeper', rootPattern)).toMatchObject([{ number, open: true, title: 'Dashboard', body: made.body }]);
    expect(await issues.write(repository, number, { body: `${rootMarker}\nbye`, title: 'Another', open: false })).toBe(true);
    expect(await issues.read(repository, number)).toMatchObject({ open: false, title: 'Another', body: `${rootMarker}\nbye` });
    expect(await issues.find(repository, 'another', rootPattern)).toEqual([]);
  });

  it('made when the answer was lost are found, and not made twice', async () => {
    sim.control.rule({ provider: 'github', on: 'POST /repos/*/*/issues', drop: true });
    const { number } = await issues.create(repository, made);
    expect((await issues.find(repository, 'lockkeeper', rootPattern)).map((one) => one.number)).toEqual([number]);
  });

  it('read with the line ends of a browser have ours', async () => {
    const { number } = await issues.create(repository, made);
    sim.control.edit('github.editIssue', { number, body: `${rootMarker}\r\nhello\r\n` });
    expect((await issues.read(repository, number))?.body).toBe(`${rootMarker}\nhello\n`);
  });

  it('that were deleted are none', async () => {
    const { number } = await issues.create(repository, made);
    sim.control.edit('github.removeIssue', { number });
    expect(await issues.read(repository, number)).toBeUndefined();
    expect(await issues.write(repository, number, { body: 'x' })).toBe(false);
  });

  it('that are turned off are said to be, as are those that the App may not write', async () => {
    const { number } = await issues.create(repository, made);
    sim.control.edit('github.issues', { on: false });
    expect(await problemOf(issues.read(repository, number))).toMatchObject({ code: 'ISSUES_OFF', message: 'In acme/storefront issues are turned off.' });
    expect(await problemOf(issues.create(repository, made))).toMatchObject({ code: 'ISSUES_OFF' });
    sim.control.edit('github.issues', { on: true });
    sim.control.rule({ provider: 'github', on: 'PATCH /repos/*/*/issues/*', fail: { status: 403, message: 'Resource not accessible by integration' } });
    expect(await problemOf(issues.write(repository, number, { body: 'x' }))).toMatchObject({
      code: 'ISSUES_OFF',
      message: 'In acme/storefront the GitHub App may not write issues.',
    });
  });

  it('tell who made each state of the body, the newest first, page after page', async () => {
    const { number } = await issues.create(repository, made);
    expect(await issues.edits(repository, number)).toEqual([]);
    for (let count = 0; count < 45; count += 1)
      sim.control.edit('github.editIssue', { number, author: count % 2 ? 'kim' : 'robin', body: `${rootMarker}\r\n${count}` });
    const edits = await issues.edits(repository, number);
    expect(edits).toHaveLength(46);
    expect(edits[0]).toMatchObject({ by: { login: 'robin', type: 'User', ours: false }, body: `${rootMarker}\n44` });
    expect(edits.at(-1)).toMatchObject({ by: { login: 'lockkeeper[bot]', type: 'Bot', ours: true }, body: made.body });
  });

  it('whose history GitHub does not tell are an error, never an empty history', async () => {
    const { number } = await issues.create(repository, made);
    sim.control.rule({ provider: 'github', on: 'POST /graphql', fail: { status: 502, message: 'later' }, times: 9 });
    expect(await problemOf(issues.edits(repository, number))).toMatchObject({ code: 'PROVIDER_TRANSIENT' });
  });
});
