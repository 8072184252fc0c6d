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

/** How the named test ends over a mutant: `passed`, `failed`, or nothing where it did not run. */
async function endOf(mutant: string | undefined, { file, title }: { file: string; title: string }): Promise<string | undefined> {
  const report = join(folder, 'report.json');
  const reporting = ['--reporter=json', `--outputFile=${report}`];
  const child = spawn(process.execPath, [vitest, 'run', '--config', 'test/mutants/vitest.config.ts', ...reporting, file], {
    cwd: root,
    env: { ...process.env, LOCKKEEPER_MUTANT: mutant ?? '' },
    stdio: 'ignore',
  });
  await new Promise((resolve) => child.on('close', resolve));
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as { testResults: { assertionResults: { title: string; status: string }[] }[] };
  rmSync(report);
  return testResults.flatMap(({ assertionResults }) => assertionResults).find((one) => one.title === title)?.status;
}

test.each(gateMutants.map((mutant) => [mutant.name, mutant.test.title, mutant] as const))('%s fails the test “%s”', async (name, _title, mutant) => {
  expect(await endOf(name, mutant.test)).toBe('failed');
});

test('without a mutant those tests pass', async () => {
  const files = [...new Map(gateMutants.map((mutant) => [mutant.test.file, mutant.test])).values()];
  for (const named of files) expect(await endOf(undefined, named)).toBe('passed');
}, 300_000);
