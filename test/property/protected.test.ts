import { describe, expect, test } from 'vitest';
import { protectedStory } from './arbitrary.ts';
import { foundIn } from './found.ts';
import { tell } from './play.ts';
import { tellMany } from './tell-many.ts';

/** Four hundred stories, on a machine that has other work. */
const long = 900_000;

describe('whatever befalls a protected environment', () => {
  test.each([...foundIn('protected').map((one) => [one.file, one.broke, one.story] as const)])(
    'what was found once does not happen again: %s, %s (R1.118)',
    async (_file, _broke, story) => {
      await tell(story);
    },
  );

  test('nothing is written but what was approved, one question at a time (I7, I12), and I1 to I6 and I9 to I11 hold (R4.1)', { timeout: long }, async () => {
    const { tally, stories } = await tellMany(protectedStory, 0.4);
    if (stories < 200) return; // too few for shares to mean anything
    expect(tally.share('lost answer')).toBeGreaterThanOrEqual(0.2);
    expect(tally.share('edit')).toBeGreaterThanOrEqual(0.2);
    expect(tally.share('takeover')).toBeGreaterThanOrEqual(0.1);
  });
});
