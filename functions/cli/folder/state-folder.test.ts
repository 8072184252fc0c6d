import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { folderToRead, stateFolder } from './state-folder.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'lockkeeper-state-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

it('a folder that nobody can make is refused at once', { skip: process.platform !== 'linux' }, () => {
  expect(() => stateFolder(cwd, '/proc/nope/deeper', false)).toThrow('/proc/nope/deeper cannot be used');
});

it('a command that only reads makes no state folder, and leaves nothing of what it read instead', () => {
  const { folder, leave } = folderToRead(cwd, '.lockkeeper', true);
  expect(existsSync(folder)).toBe(true);
  leave();
  expect([existsSync(folder), existsSync(join(cwd, '.lockkeeper'))]).toEqual([false, false]);
});

it('a state that is there is what is read', () => {
  const made = stateFolder(cwd, '.lockkeeper', true);
  const { folder, leave } = folderToRead(cwd, '.lockkeeper', true);
  leave();
  expect([folder, existsSync(folder)]).toEqual([made, true]);
});
