import { describe, expect, test } from 'vitest';
import { faults, idsOf, tell, tellId } from './enumerate.ts';
import { stories } from './stories/stories.ts';

/** Every so many ids: `npm run test:crash` tells all of them. */
const every = 229;

describe.each(stories.map((story) => [story.name, story] as const))('%s', (_name, story) => {
  test(`${story.about} It holds I1 to I12 where nothing befalls it`, async () => {
    const { broken, trace } = await tell(story);
    expect(broken).toEqual([]);
    expect(trace.length).toBeGreaterThan(50);
  });

  test('and with a fault at any of its port calls (I1 to I12)', async () => {
    const broken: string[] = [];
    for (const [at, id] of (await idsOf(story)).entries()) {
      if (at % every !== 0) continue;
      for (const sentence of (await tellId(id)).broken) broken.push(`${id}: ${sentence}`);
    }
    expect(broken).toEqual([]);
  });
});

test('there are more than three thousand ids, each once, of every port and with every fault', async () => {
  const ids = (await Promise.all(stories.map(idsOf))).flat();
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(3_000);
  const ports = new Set(ids.map((id) => /\/\d+-(\w+)\./.exec(id)?.[1]));
  expect(ports).toEqual(new Set(['table', 'queues', 'objects', 'machine', 'provider', 'tools', 'codeHost', 'chat', 'secrets', 'bus']));
  expect(new Set(ids.map((id) => id.split('/')[2]))).toEqual(new Set(faults));
});

test('what is no id says what one looks like', async () => {
  await expect(tellId('no-story/001-table.get/lost')).rejects.toThrow(/there are first-apply, update/);
  await expect(tellId('update/first/lost')).rejects.toThrow(/--list/);
});
