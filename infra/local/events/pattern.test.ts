import { expect, test } from 'vitest';
import { matches, patternSchema } from './pattern.ts';

const event = { source: 'lockkeeper', 'detail-type': 'run finished', detail: { status: 'failed', codes: ['A', 'B'] } };

test.each([
  [{ source: ['lockkeeper'] }, true],
  [{ source: ['other', 'lockkeeper'], 'detail-type': ['run finished'] }, true],
  [{ source: ['other'] }, false],
  [{ source: ['lockkeeper'], detail: { status: ['failed'] } }, true],
  [{ detail: { status: ['complete'] } }, false],
  [{ detail: { codes: ['B'] } }, true],
  [{ detail: { absent: ['x'] } }, false],
])('pattern %j on the event: %s', (pattern, expected) => {
  expect(matches(pattern, event)).toBe(expected);
});

test('a pattern with operators this stack does not run is refused rather than ignored', () => {
  expect(patternSchema.safeParse({ source: [{ prefix: 'lock' }] }).success).toBe(false);
});
