import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
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

/** What the model finds broken in a variant, the nearest first. */
async function foundIn(variant: string): Promise<readonly string[]> {
  const given = ['--import', './test/mutants/register.ts', 'test/model/run-variant.ts', variant];
  const { stdout } = await promisify(execFile)(process.execPath, given, { cwd: root, env: { ...process.env, LOCKKEEPER_MUTANT: variant } });
  return JSON.parse(stdout) as string[];
}

test.each(variants.map((variant) => [variant.name, variant] as const))('%s: the model finds it', { timeout: slowest }, async (name, variant) => {
  const found = await foundIn(name);
  expect(found[0]).toMatch(variant.breaks);
});

test.each(survivors.map(({ name, because }) => [name, because] as const))('%s: nothing breaks, for %s', { timeout: slowest }, async (name) => {
  expect(await foundIn(name)).toEqual([]);
});
