import { expect, test } from 'vitest';
import { ulids } from './ids.ts';

test('ids have 26 characters, never repeat, and sort in the order they were made', () => {
  const ids = ulids();
  const made = Array.from({ length: 2_000 }, () => ids.fresh());
  for (const id of made) expect(id).toMatch(/^[0-9A-Z]{26}$/);
  expect(new Set(made).size).toBe(made.length);
  expect([...made].sort()).toEqual(made);
});
