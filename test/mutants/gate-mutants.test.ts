import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { occurrences } from './edited.ts';
import { gateMutants } from './gate-mutants.ts';

const root = new URL('../../', import.meta.url);
const vitest = new URL('node_modules/vitest/vitest.mjs', root).pathname;

test.each(gateMutants.flatMap((mutant) => mutant.edits.map((edit) => [mutant.name, edit.file, edit] as const)))(
  '%s: its anchor stands exactly once in %s',
  (_name, file, edit) => {
    expect(occurrences(readFileSync(new URL(file, root), 'utf8'), edit)).toBe(1);
  },
);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-mutants-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type NamedTest = { readonly file: string; readonly title: string };

/** How the named tests end over a mutant, by title: `passed`, `failed`, or nothing where one did not run. `filter`: of their files nothing else runs. */
async function endsOf(mutant: string | undefined, tests: readonly NamedTest[], filter: readonly string[] = []): Promise<Map<string, string>> {
  const report = join(folder, 'report.json');
  const reporting = ['--reporter=json', `--outputFile=${report}`];
  const files = [...new Set(tests.map(({ file }) => file))];
  const child = spawn(process.execPath, [vitest, 'run', '--config', 'test/mutants/vitest.config.ts', ...reporting, ...filter, ...files], {
    cwd: root,
    env: { ...process.env, LOCKKEEPER_MUTANT: mutant ?? '' },
    stdio: 'ignore',
  });
  await new Promise((resolve) => child.on('close', resolve));
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as { testResults: { assertionResults: { title: string; status: string }[] }[] };
  rmSync(report);
  return new Map(testResults.flatMap(({ assertionResults }) => assertionResults).map(({ title, status }) => [title, status]));
}

/** A title as the pattern that finds it; what a pattern would read otherwise stands for any character. */
const patternOf = (title: string): string => title.replaceAll(/[^\p{L}\p{N} ]/gu, '.');

test.each(gateMutants.map((mutant) => [mutant.name, mutant.test.title, mutant] as const))('%s fails the test “%s”', async (name, title, mutant) => {
  expect((await endsOf(name, [mutant.test], ['-t', patternOf(title)])).get(title)).toBe('failed');
});

test('without a mutant those tests pass', async () => {
  const named = gateMutants.map((mutant) => mutant.test);
  const ends = await endsOf(undefined, named);
  expect(named.filter(({ title }) => ends.get(title) !== 'passed')).toEqual([]);
}, 300_000);
