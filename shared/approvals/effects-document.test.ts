import { expect, test } from 'vitest';
import { manualClock } from '../../test/ports/manual-clock.ts';
import { memoryObjects } from '../../test/ports/memory-objects.ts';
import type { Effect } from './effect.ts';
import { findEffects, storeEffects } from './effects-document.ts';
import { effectsDigest } from './plan-document.ts';

const of = (mac: string) => ({ key: '0a1b2c3d', mac: mac.repeat(64) });
const effect = (name: string, action: Effect['action'] = 'update'): Effect => ({
  address: `["neon",[],"branch:${name}"]`,
  action,
  paths: [{ path: 'parent', before: of('1'), after: of('2') }],
  waitsFor: [],
});

test('what a box stands for has the digest that a plan of the same effects has, whatever order they are told in', async () => {
  const objects = memoryObjects(manualClock()).objects;
  const digest = await storeEffects(objects, [
    { id: 'b', effects: [effect('z'), effect('a')] },
    { id: 'a', effects: [effect('x'), effect('seen', 'no-op')] },
    { id: 'c', effects: [effect('kept', 'no-op')] },
  ]);
  const lines = [
    { id: 'a', adapter: 'neon', op: 'branch', effects: [effect('x')] },
    { id: 'b', adapter: 'neon', op: 'branch', effects: [effect('a'), effect('z')] },
  ];
  expect(digest).toBe(effectsDigest({ lines }));
  expect(await findEffects(objects, digest as string)).toEqual(lines.map(({ id, effects }) => ({ id, effects })));
});

test('nothing to write is nothing to tick', async () => {
  expect(await storeEffects(memoryObjects(manualClock()).objects, [{ id: 'a', effects: [effect('x', 'no-op'), effect('y', 'read')] }])).toBeUndefined();
});

test('what is gone or has other content than its name says binds nothing', async () => {
  const objects = memoryObjects(manualClock()).objects;
  const digest = (await storeEffects(objects, [{ id: 'a', effects: [effect('x')] }])) as string;
  const key = `plans/effects/${digest}.json`;
  const { etag } = (await objects.get(key)) as { etag: string };
  await objects.put(key, '[]', { ifMatch: etag });
  await expect(findEffects(objects, digest)).rejects.toMatchObject({ code: 'PLAN_CORRUPT' });
  await expect(findEffects(objects, 'f'.repeat(64))).rejects.toMatchObject({ code: 'PLAN_CORRUPT' });
});
