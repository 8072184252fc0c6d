import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, shorten } from './shorten.ts';

const block = (items: string[], rank: number, more: Partial<Block> = {}): Block => ({
  head: `[${rank}`,
  items,
  tail: ']',
  left: (n) => `${n} of ${rank}`,
  rank,
  ...more,
});

describe('shortening', () => {
  it('keeps everything that fits, in the order of the blocks and not of their ranks', () => {
    expect(shorten([block(['b'], 1), block(['a'], 0)], 100)).toEqual({ text: '[1b]\n[0a]\n', left: [] });
  });

  it('leaves out the items of the highest rank first, and counts them', () => {
    const { text, left } = shorten([block(['aaaa', 'bbbb'], 1), block(['cccc'], 0)], 20);
    expect(text).toBe('[1aaaa]\n[0cccc]\n');
    expect(left).toEqual(['1 of 1']);
  });

  it('shows no frame around nothing', () => {
    expect(shorten([block([], 0), block(['too long for this'], 1)], 10)).toEqual({ text: '', left: ['1 of 1'] });
  });

  it('lets no block take more than its share', () => {
    const { left } = shorten([block(Array(100).fill('x'), 0, { share: 0.5 }), block(['y'], 1)], 100);
    expect(left).toEqual([expect.stringMatching(/^\d+ of 0$/)]);
  });

  it('never exceeds the budget', () => {
    const blocks = fc.array(fc.tuple(fc.array(fc.string()), fc.nat(5)).map(([items, rank]) => block(items, rank)));
    fc.assert(fc.property(blocks, fc.nat(200), (some, budget) => shorten(some, budget).text.length <= budget));
  });
});
