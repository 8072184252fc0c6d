import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CommandName } from '../invocation.ts';
import { atHome } from './home-folder.ts';

let top: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'lockkeeper-home-'));
  mkdirSync(join(top, '.git'));
  mkdirSync(join(top, 'apps', 'web'), { recursive: true });
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const typed = (folder: string, flags: { plan?: string; stateDir?: string; command?: CommandName } = {}) =>
  atHome(join(top, folder), { command: 'show', plan: 'release.plan.yaml', stateDir: '.lockkeeper', ...flags });

it('a command in a subfolder works in the repository’s top', () => {
  expect(typed('apps/web')).toMatchObject({ cwd: top, invocation: { plan: 'release.plan.yaml', stateDir: '.lockkeeper' } });
});

it('the nearest plan file above is meant, and then the nearest state', () => {
  mkdirSync(join(top, '.lockkeeper'));
  expect(typed('apps/web').cwd).toBe(top);
  writeFileSync(join(top, 'apps', 'release.plan.yaml'), '');
  expect(typed('apps/web').cwd).toBe(join(top, 'apps'));
});

it('a path that was typed is the one of the folder it was typed in', () => {
  expect(typed('apps/web', { plan: '../other.yaml', stateDir: '../state' })).toMatchObject({
    cwd: top,
    invocation: { plan: 'apps/other.yaml', stateDir: join(top, 'apps', 'state') },
  });
});

it('an init writes its first plan file where it was typed', () => {
  expect(typed('apps/web', { command: 'init' }).cwd).toBe(join(top, 'apps', 'web'));
});

it('outside of a repository a folder is its own', () => {
  rmSync(join(top, '.git'), { recursive: true });
  expect(typed('apps/web').cwd).toBe(join(top, 'apps', 'web'));
});
