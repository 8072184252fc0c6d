import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sizes } from '../bench/cost/cost.ts';
import { kinds } from '../bench/cost/measure.ts';
import { pagesOf } from '../bench/cost/page.ts';
import { readRecord, recordFile } from '../bench/cost/recorded.ts';

test.each(Object.entries(pagesOf(readRecord())))('docs/bench/%s says what was recorded', (name, text) => {
  expect(readFileSync(new URL(`./${name}`, recordFile), 'utf8')).toBe(text);
});

test('the record has every size and kind, and no budget was missed in it', () => {
  const { costs, rows } = readRecord();
  // A kind that is newer than the record is told of by the next one.
  const recorded = kinds.filter((kind) => costs.some((cost) => cost.kind === kind));
  expect(recorded).toEqual(expect.arrayContaining(['plan', 'create', 'unchanged', 'update', 'destroy']));
  expect(costs.map(({ kind, lines }) => `${kind} ${lines}`).sort()).toEqual(sizes.flatMap((lines) => recorded.map((kind) => `${kind} ${lines}`)).sort());
  expect(rows.filter(({ ok }) => !ok)).toEqual([]);
});
