import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { occurrences } from './edited.ts';
import { gateMutants } from './gate-mutants.ts';
import type { GateEnds } from './run-gate.ts';

const root = new URL('../../', import.meta.url);

test.each(gateMutants.flatMap((mutant) => mutant.edits.map((edit) => [mutant.name, edit.file, edit] as const)))(
  '%s: its anchor stands exactly once in %s',
  (_name, file, edit) => {
    expect(occurrences(readFileSync(new URL(file, root), 'utf8'), edit)).toBe(1);
  },
);

let ends: Readonly<Record<string, GateEnds>>;
beforeAll(async () => {
  const given = ['--disable-warning=ExperimentalWarning', 'test/mutants/run-gate.ts'];
  const { stdout } = await promisify(execFile)(process.execPath, given, { cwd: root, maxBuffer: 2 ** 26 });
  ends = JSON.parse(stdout) as typeof ends;
}, 180_000);

test.each(gateMutants.map(({ name, test: { title } }) => [name, title]))('%s fails the test “%s”', (name) => {
  expect(ends[name]).toMatchObject({ mutated: expect.any(String) });
});

test('without a mutant those tests pass', () => {
  const failed = gateMutants.flatMap(({ name, test: { title } }) => (ends[name] && ends[name].itself === undefined ? [] : [[title, ends[name]?.itself]]));
  expect(failed).toEqual([]);
});
