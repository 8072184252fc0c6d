import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const readme = '# x\n\n```\nnpm ci && npm start\n```\n\n```\nnpm ci && npm test\n```\n';
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Runs `.ci/run` in a folder of its own with an npm that notes what it is asked, says `summary` for the tests, and fails `failing`. */
function ci({ failing = 'nothing', summary = ' Tests  56 passed (56)', text = readme } = {}): { status: number | null; asked: string[]; last: string } {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-ci-'));
  folders.push(folder);
  for (const name of ['.ci', 'bin']) mkdirSync(join(folder, name));
  copyFileSync(join(root, '.ci/run'), join(folder, '.ci/run'));
  writeFileSync(join(folder, 'README.md'), text);
  writeFileSync(
    join(folder, 'bin/npm'),
    `#!/bin/sh\necho "$* CI=$CI" >>"${folder}/asked"\nif [ "$*" = test ]; then echo ' Test Files  9 passed (9)'; echo '${summary}'; fi\n[ "$*" != "${failing}" ]\n`,
  );
  chmodSync(join(folder, 'bin/npm'), 0o755);
  const { status, stdout } = spawnSync(join(folder, '.ci/run'), { cwd: tmpdir(), encoding: 'utf8', env: { PATH: `${folder}/bin:${process.env['PATH']}` } });
  const asked = readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n');
  return { status, asked, last: stdout.trimEnd().split('\n').at(-1) ?? '' };
}

describe('.ci/run', () => {
  it("runs the README's two commands and every other check, from any folder, and counts tests and steps", () => {
    const asked = [
      'ci',
      'start',
      'ci',
      'test',
      'run lint',
      'run types',
      'run deps',
      'run synth',
      'run test:upgrade',
      'run test:stores',
      'run test:ministack',
    ].map((command) => `${command} CI=true`);
    expect(ci()).toEqual({ status: 0, asked, last: '66 passed, 0 failed' });
  });

  it('goes on after a failure and ends with a failing status', () => {
    const { status, asked, last } = ci({ failing: 'run lint' });
    expect({ status, last }).toEqual({ status: 1, last: '65 passed, 1 failed' });
    expect(asked.at(-1)).toBe('run test:ministack CI=true');
  });

  it('counts failing tests beside the step they fail', () => {
    const { status, last } = ci({ failing: 'test', summary: ' Tests  2 failed | 54 passed (56)' });
    expect({ status, last }).toEqual({ status: 1, last: '63 passed, 3 failed' });
  });

  it('fails when a suite fails before it counts anything', () => {
    const { status, last } = ci({ failing: 'test', summary: 'no such file' });
    expect({ status, last }).toEqual({ status: 1, last: '9 passed, 1 failed' });
  });

  it('fails when the README no longer names a command as it is run here', () => {
    expect(ci({ text: '# x\n\n`npm install && npm start`\n' }).last).toBe('65 passed, 1 failed');
  });
});
