import { describe, expect, it } from 'vitest';
import { count, statusWords } from './words.ts';

describe('the words for a line’s status', () => {
  it.each([
    ['create', '+'],
    ['update', '~'],
    ['unchanged', '='],
    ['pending', '?'],
    ['blocked', '-'],
    ['error', '!'],
    ['applied', '+'],
    ['waiting', '?'],
    ['skipped', '-'],
    ['failed', '!'],
  ] as const)('%s shows as %s in a terminal', (status, symbol) => {
    expect(statusWords[status].symbol).toBe(symbol);
  });

  it('counts in the singular and the plural', () => {
    expect([count(0, 'line'), count(1, 'line'), count(2, 'line'), count(2, 'entry', 'entries')]).toEqual(['0 lines', '1 line', '2 lines', '2 entries']);
  });
});
