import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** What a process has one of: its modules, its clock, its variables, its folder and its globals. */
const ofTheProcess = new RegExp(
  [
    String.raw`vi\.(mock|doMock|stub\w+|use\w+Timers|setSystemTime|resetModules)`,
    String.raw`process\.env\[[^\]]+\] (\?\?)?= |delete process\.env|process\.(chdir|on)\(`,
    String.raw`globalThis\.\w+ = `,
  ].join('|'),
);

/** The files of these tests share processes (`vitest.config.ts`). */
const files = globSync('shared/**/*.test.ts', { cwd: root });

test('a test of the domain changes nothing that the next file in its process would see', () => {
  expect(files.length).toBeGreaterThan(200);
  expect(files.filter((file) => ofTheProcess.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
});

test.each([
  "vi.stubEnv('A', 'b');",
  'vi.useFakeTimers({ now: 0 });',
  "vi.mock('./clock.ts');",
  "process.env['A'] = 'b';",
  "delete process.env['A'];",
  "process.chdir('/');",
  'globalThis.fetch = fake;',
])('%s would be found', (line) => {
  expect(line).toMatch(ofTheProcess);
});

test.each(["vi.spyOn(bench.secrets, 'get');", "expect(process.env['A'] === 'b');", "({ PATH: process.env['PATH'] });"])('%s is nobody else’s', (line) => {
  expect(line).not.toMatch(ofTheProcess);
});
