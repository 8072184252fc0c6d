import { describe, expect, it } from 'vitest';
import { lineOf } from '../../test/reports/report.ts';
import { count, statusWords, wordsOf } from './words.ts';

describe('the words for a line’s status', () => {
  it.each([
    ['create', '+'],
    ['update', '~'],
    ['unchanged', '='],
    ['pending', '?'],
    ['blocked', '!'],
    ['error', '!'],
    ['applied', '+'],
    ['waiting', '?'],
    ['skipped', '?'],
    ['failed', '!'],
  ] as const)('%s shows as %s in a terminal', (status, symbol) => {
    expect(statusWords[status].symbol).toBe(symbol);
  });

  it('that a run only planned are no deeds once it is over, and those that an earlier round did are', () => {
    const planned = lineOf('db', { status: 'create' });
    expect(wordsOf(planned, { kind: 'apply', status: 'awaiting' })).toMatchObject({ symbol: '+', word: 'create', tone: 'done' });
    expect(wordsOf(planned, { kind: 'plan', status: 'failed' })).toMatchObject({ word: 'create' });
    expect(wordsOf(planned, { kind: 'apply', status: 'rejected' })).toMatchObject({ symbol: '=', word: 'not done (create)', tone: 'same' });
    expect(wordsOf(lineOf('db'), { kind: 'apply', status: 'cancelled' })).toMatchObject({ word: 'applied' });
    const unchanged = lineOf('db', { status: 'unchanged' });
    expect(wordsOf(unchanged, { kind: 'apply', status: 'complete' }).word).toBe('unchanged');
    expect(wordsOf({ ...unchanged, earlier: ['Neon branch live'] }, { kind: 'apply', status: 'complete' })).toMatchObject({
      symbol: '+',
      word: 'applied before',
    });
  });

  it('counts in the singular and the plural', () => {
    expect([count(0, 'line'), count(1, 'line'), count(2, 'line'), count(2, 'entry', 'entries')]).toEqual(['0 lines', '1 line', '2 lines', '2 entries']);
  });
});
