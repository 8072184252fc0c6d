import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const guard = join(import.meta.dirname, 'node-version.mjs');

/** Runs the guard, then a program, as a Node.js of this version would. */
function on(version: string): { status: number | null; stdout: string; stderr: string } {
  const pretend = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`;
  return spawnSync(process.execPath, ['--import', pretend, '--import', guard, '--eval', 'console.log("ran")'], { encoding: 'utf8' });
}

describe('the guard before every command', () => {
  it.each(['18.20.0', '20.20.2', '22.17.1'])('stops on Node.js %s and says what is needed', (version) => {
    const { status, stdout, stderr } = on(version);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(`needs Node.js 22.18 or newer, and this is ${version}`);
  });

  it.each(['22.18.0', '24.22.3', '26.0.0'])('lets Node.js %s pass without a word', (version) => {
    expect(on(version)).toMatchObject({ status: 0, stdout: 'ran\n', stderr: '' });
  });
});
