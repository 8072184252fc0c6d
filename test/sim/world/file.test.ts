import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, at } from '../ask.ts';
import { demo } from '../seed.ts';
import { startSim } from '../sim.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sim-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a cloud kept in a file', () => {
  it('is the same one when it is started again, and never gives an identifier twice', async () => {
    const file = join(folder, 'state', 'cloud.json');
    const create = async (url: string) => at((await ask('POST', `${url}/redirect_urls`, { url: `https://${Math.random()}.example` })).json, 'id');
    const first = await startSim({ file });
    const before = [await create(first.urls.clerk), await create(first.urls.clerk)];
    await first.stop();
    const second = await startSim({ file });
    const after = await create(second.urls.clerk);
    const listed = (await ask('GET', `${second.urls.clerk}/redirect_urls`)).json as { id: string }[];
    await second.stop();
    expect(listed.map((each) => each.id)).toEqual([after, ...before.toReversed(), expect.stringMatching(/^ru_/)]);
    expect(new Set([...before, after]).size).toBe(3);
  });

  it('is written when a write, an edit or a setting changes it, readable by its owner alone, with nothing left beside it', async () => {
    const file = join(folder, 'cloud.json');
    const sim = await startSim({ file });
    sim.control.edit('clerk.add', { url: 'https://a.example' });
    sim.control.set({ neon: { pageSize: 2 } });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      clerk: { redirects: [{}, { url: 'https://a.example' }] },
      neon: { settings: { pageSize: 2 } },
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['cloud.json']);
    await sim.stop();
  });

  it('keeps the build that the first question about a commit starts', async () => {
    const file = join(folder, 'cloud.json');
    const sim = await startSim({ file });
    await ask('GET', `${sim.urls.vercel}/v7/deployments?projectId=${demo.vercelProject}&sha=abc`);
    expect(at(JSON.parse(readFileSync(file, 'utf8')), 'vercel', 'projects', 0, 'deployments', 0, 'sha')).toBe('abc');
    await sim.stop();
  });

  it('does not start from a file that is something else', async () => {
    const file = join(folder, 'other.json');
    writeFileSync(file, '{"format":2}');
    await expect(startSim({ file })).rejects.toThrow(/fake cloud of format 1/);
  });
});
