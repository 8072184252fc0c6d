import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { occurrences } from '../mutants/edited.ts';
import { survivors, variants } from './variants.ts';

const root = new URL('../../', import.meta.url);
const slowest = 300_000;

test.each([...variants, ...survivors].flatMap(({ name, edits }) => edits.map((edit) => [name, edit.file, edit] as const)))(
  '%s: its anchor stands exactly once in %s',
  (_name, file, edit) => {
    expect(occurrences(readFileSync(new URL(file, root), 'utf8'), edit)).toBe(1);
  },
);

let found: Readonly<Record<string, readonly string[]>>;

beforeAll(async () => {
  const given = ['--disable-warning=ExperimentalWarning', 'test/model/run-variants.ts'];
  const { stdout } = await promisify(execFile)(process.execPath, given, { cwd: root });
  found = JSON.parse(stdout) as typeof found;
}, slowest);

test.each(variants.map((variant) => [variant.name, variant] as const))('%s: the model finds it', (name, variant) => {
  expect(found[name]?.[0]).toMatch(variant.breaks);
});

test.each(survivors.map(({ name, because }) => [name, because] as const))('%s: nothing breaks, for %s', (name) => {
  expect(found[name]).toEqual([]);
});
