import { describe, expect, it } from 'vitest';
import { didYouMean, nearest } from './nearest.ts';

const keys = ['environments', 'providers', 'receipts', 'changes', 'version'];

describe('the nearest word', () => {
  it.each([
    ['a letter left out', 'enviroments', 'environments'],
    ['a letter added', 'changess', 'changes'],
    ['a letter changed', 'versoon', 'version'],
    ['two letters swapped', 'recepits', 'receipts'],
    ['capitals', 'CHANGES', 'changes'],
    ['three slips in a long word', 'enviromnets', 'environments'],
  ])('is found through %s', (_, word, meant) => {
    expect(nearest(word, keys)).toBe(meant);
  });

  it.each([
    ['another word', 'database'],
    ['nothing', ''],
    ['a very long word', 'x'.repeat(10_000)],
  ])('is nothing for %s', (_, word) => {
    expect(nearest(word, keys)).toBeUndefined();
  });

  it('allows one slip in a short word', () => {
    expect(nearest('dv', ['db', 'web'])).toBe('db');
    expect(nearest('xy', ['db', 'web'])).toBeUndefined();
  });

  it('is the first of those that are equally near', () => {
    expect(nearest('dx', ['db', 'dc'])).toBe('db');
    expect(nearest('dc', ['db', 'dc'])).toBe('dc');
  });

  it('stands in a message as a question, or not at all', () => {
    expect(didYouMean('verson', keys)).toBe(' (did you mean `version`?)');
    expect(didYouMean('nothing', keys)).toBe('');
  });
});
