import { describe, expect, test } from 'vitest';
import { faults, idsOf, tell, tellId } from './enumerate.ts';
import { nameOf } from './gate.ts';
import { invariants, type Judged } from './judged.ts';
import { stories } from './stories/stories.ts';

/** Every so many ids: `npm run test:crash` tells all of them. */
const every = 239;

const judged: Judged[] = [];

describe.each(stories.map((story) => [story.name, story] as const))('%s', (_name, story) => {
  test(`${story.about} It holds I1 to I12 where nothing befalls it`, async () => {
    const { broken, trace, ...told } = await tell(story);
    judged.push(told.judged);
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

test('each invariant has something to judge in one of the stories', () => {
  expect(invariants.filter((invariant) => !judged.some((one) => one[invariant] > 0))).toEqual([]);
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

describe('an id that tells of no call', () => {
  test('that a story makes is refused, and not held', async () => {
    await expect(tellId('update/9999-table.get/lost')).rejects.toThrow(/update has no call 9999: its last one is \d+/);
  });

  test('that stands at its place any more is refused, and not held', async () => {
    await expect(tellId('update/000-chat.update/lost')).rejects.toThrow(/call 0 of update is table.write by now, and not chat.update/);
  });

  test('as the list has it is refused', async () => {
    await expect(tellId('update/0-table.write/lost')).rejects.toThrow(/--list/);
    await expect(tellId('update/000-table.write/dropped')).rejects.toThrow(/of before, after/);
  });
});

test('whoever is to stand still and never does has shown nothing: that is told apart', async () => {
  const { story, at } = await aWrite();
  expect((await tell(story, { at, fault: 'paused' })).befell).toBe(true);
  // All that this function still calls has left already.
  expect((await tell({ ...story, guardedByTime: () => true }, { at, fault: 'paused' })).befell).toBe(false);
});

/** A story, and where it writes to a provider. */
async function aWrite() {
  const story = stories[1] as (typeof stories)[number];
  const { trace } = await tell(story);
  return { story, at: trace.findIndex(({ call }) => nameOf(call) === 'provider.send' && call.about.includes('PATCH')) };
}
