import { expect, test } from 'vitest';
import { playSeed } from './seeds.ts';
import { stepText } from './simulator.ts';

test('a seed is the same story each time, call by call', async () => {
  const [one, other] = [await playSeed(3), await playSeed(3)];
  expect(one.trace.map(stepText)).toEqual(other.trace.map(stepText));
  expect(one.moves).toEqual(other.moves);
  expect((await playSeed(4)).trace.map(stepText)).not.toEqual(one.trace.map(stepText));
});

test('several functions at once, clocks up to 30 s off, faults and long pauses: I1 to I12 hold whatever the order', async () => {
  const broken: string[] = [];
  let mixed = 0;
  for (let seed = 0; seed < 60; seed += 1) {
    const played = await playSeed(seed);
    const workers = played.trace.map(({ call }) => call.worker);
    if (workers.some((worker, at) => at > 0 && worker < (workers[at - 1] as number))) mixed += 1;
    broken.push(...played.broken.map((sentence) => `seed ${seed}: ${sentence}`));
  }
  expect(broken).toEqual([]);
  expect(mixed).toBeGreaterThan(40);
});
