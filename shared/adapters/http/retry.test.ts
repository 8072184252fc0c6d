import { describe, expect, it } from 'vitest';
import { retryAfterMs } from './retry.ts';

const now = Date.UTC(2026, 0, 5, 12, 0, 0);

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 5 ', 5_000],
    ['Mon, 05 Jan 2026 12:01:00 GMT', 60_000],
    ['Mon, 05 Jan 2026 11:00:00 GMT', 0],
    ['99999999999999999999', 86_400_000],
    ['Mon, 05 Jan 2099 12:00:00 GMT', 86_400_000],
  ])('%s is %i ms', (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });

  it.each([null, '', '1.5', '-3', 'soon', '2026-01-05'])('%s is no answer', (header) => {
    expect(retryAfterMs(header, now)).toBeUndefined();
  });
});
