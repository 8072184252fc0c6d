import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createRedactor } from '../../../shared/redact/redactor.ts';
import { createConsole } from '../console.ts';
import { onBranchOfItsOwn } from './absorb.ts';
import { type Clone, cloned } from './clone.fixture.ts';

const quiet = { write: () => true, isTTY: false };
const console = createConsole({ stdout: quiet, stderr: quiet, redactor: createRedactor(), colour: false });
const absorbed = [{ label: 'branch feat', path: 'parent', from: 'main', to: 'release' }];
const clones: Clone[] = [];

function clone(): Clone {
  const made = cloned({ 'release.plan.yaml': 'parent: main\n', 'other.txt': 'kept\n' });
  made.git('config', 'user.name', 'Kim');
  made.git('config', 'user.email', 'kim@acme.example');
  clones.push(made);
  return made;
}
const absorb = (made: Clone, text: string) =>
  onBranchOfItsOwn({ line: 'db/1', path: 'release.plan.yaml', body: Buffer.from(text), absorbed }, { cwd: made.folder, console });

afterEach(() => {
  for (const one of clones.splice(0)) one.remove();
});

test('what was absorbed is one commit of the person’s own, on a branch of the line’s; checkout and index stay', async () => {
  const made = clone();
  const pushed = await absorb(made, 'parent: release\n');
  expect(pushed).toEqual({ branch: 'lockkeeper/absorb-db-1', remote: 'origin', url: 'https://github.com/acme/storefront/pull/new/lockkeeper/absorb-db-1' });
  made.git('fetch', '--quiet', 'origin');
  expect(made.git('show', 'origin/lockkeeper/absorb-db-1:release.plan.yaml')).toBe('parent: release');
  expect(made.git('diff', '--name-only', 'HEAD', 'origin/lockkeeper/absorb-db-1')).toBe('release.plan.yaml');
  expect(made.git('log', '-1', '--format=%an|%s', 'origin/lockkeeper/absorb-db-1')).toBe('Kim|Make what is live the plan in line db/1');
  expect(made.git('status', '--porcelain')).toBe('');
  expect(readFileSync(join(made.folder, 'release.plan.yaml'), 'utf8')).toBe('parent: main\n');
});

test('absorbed once more, the same branch says what is live now', async () => {
  const made = clone();
  await absorb(made, 'parent: release\n');
  await absorb(made, 'parent: hotfix\n');
  made.git('fetch', '--quiet', 'origin');
  expect(made.git('show', 'origin/lockkeeper/absorb-db-1:release.plan.yaml')).toBe('parent: hotfix');
  expect(made.git('rev-list', '--count', 'main..origin/lockkeeper/absorb-db-1')).toBe('1');
});

test('a remote that takes no push changes nothing, and git says why', async () => {
  const made = clone();
  made.git('remote', 'set-url', '--push', 'origin', '/nowhere/acme/storefront.git');
  await expect(absorb(made, 'parent: release\n')).rejects.toMatchObject({ code: 'GIT_FAILED' });
});
