import { describe, expect, it } from 'vitest';
import { atLeast, atMost, tableOf, told } from './row.ts';

describe('a figure against its budget', () => {
  it.each([
    ['at its limit', atMost('writes', 4, { value: 4 }), true],
    ['above it', atMost('writes', 4, { value: 5 }), false],
    ['above it by less than is printed', atMost('writes', 4, { value: 4.04, digits: 1 }), true],
    ['above it by as much as is printed', atMost('writes', 4, { value: 4.06, digits: 1 }), false],
    ['at its least', atLeast('gain', 8, { value: 8 }), true],
    ['below its least', atLeast('gain', 8, { value: 7.4, digits: 1 }), false],
    ['of a run that did not end as it should', atMost('writes', 4, { value: 1, sound: false }), false],
    ['that is no number', atMost('growth', 10, { value: Number.NaN }), false],
    ['without a budget', told('k', { value: 3 }), true],
  ])('%s', (_name, row, ok) => {
    expect(row.ok).toBe(ok);
  });

  it('is a row: what, measured, budget, ok', () => {
    const rows = [atMost('writes', 4, { value: 4, details: ['reads 6'] }), atLeast('gain', 8, { value: 7, unit: ' ×' }), told('k', { value: 3 })];
    expect(tableOf(rows).split('\n')).toEqual([
      'what   | measured | budget | ok',
      '-'.repeat(32),
      'writes |        4 | ≤ 4    | ok',
      '    reads 6',
      'gain   |      7 × | ≥ 8 ×  | MISSED',
      'k      |        3 | none   |',
      '',
    ]);
  });
});
