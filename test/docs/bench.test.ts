import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pagesOf } from '../bench/cost/page.ts';
import { readRecord, recordFile } from '../bench/cost/recorded.ts';

test.each(Object.entries(pagesOf(readRecord())))('docs/bench/%s says what was recorded', (name, text) => {
  expect(readFileSync(new URL(`./${name}`, recordFile), 'utf8')).toBe(text);
});

test('the record has every size and kind, and no budget was missed in it', () => {
  const { costs, rows } = readRecord();
  expect(costs.map(({ kind, lines }) => `${kind} ${lines}`).length).toBe(20);
  expect(rows.filter(({ ok }) => !ok)).toEqual([]);
});
