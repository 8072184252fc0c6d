import { describe, expect, test } from 'vitest';
import { previewStory } from './arbitrary.ts';
import { foundIn } from './found.ts';
import { tell } from './play.ts';
import { tellMany } from './tell-many.ts';

/** Six hundred stories, on a machine that has other work. */
const long = 900_000;

describe('whatever befalls a pull request', () => {
  test.each([...foundIn('preview').map((one) => [one.file, one.broke, one.story] as const)])(
    'what was found once does not happen again: %s, %s (R1.118)',
    async (_file, _broke, story) => {
      await tell(story);
    },
  );

  test('I1 to I6 and I8 to I11 hold at every rest, and the end is as planned, once and then gone (R1.52, R1.59, R1.112)', { timeout: long }, async () => {
    const { tally, stories } = await tellMany(previewStory, 0.6);
    if (stories < 200) return; // too few for shares to mean anything
    expect(tally.share('lost answer')).toBeGreaterThanOrEqual(0.2);
    expect(tally.share('edit')).toBeGreaterThanOrEqual(0.2);
    expect(tally.share('takeover')).toBeGreaterThanOrEqual(0.1);
    expect(tally.share('destroy after crash')).toBeGreaterThanOrEqual(0.1);
  });
});
