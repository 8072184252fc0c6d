import { describe, expect, test } from 'vitest';
import { jobs } from './jobs.ts';
import { everyPair, pairIds, playPair } from './pairs.ts';

/** Every so many pairs: `npm run test:crash` plays all of them. */
const every = 41;

describe('two workers at one job, the second begun when the claim or the lease of the first was over', () => {
  test.each(jobs.map((job) => [job.name, job] as const))('%s (I1 to I12)', async (_name, job) => {
    const ids = await pairIds(job);
    expect(ids.length).toBeGreaterThan(every);
    const broken: string[] = [];
    for (const [at, id] of ids.entries()) {
      if (at % every !== every >> 1) continue;
      for (const sentence of (await playPair(id)).broken) broken.push(`${id}: ${sentence}`);
    }
    expect(broken).toEqual([]);
  });

  test('have ids of their own', async () => {
    const ids = await everyPair();
    expect(new Set(ids).size).toBe(ids.length);
    await expect(playPair('pair/nobody/1-2/claim')).rejects.toThrow(/there are pair\/<job>/);
  });
});
