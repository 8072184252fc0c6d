import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
const path = process.env['PATH'];

/** What is called `gh` on this machine from now on: it writes down what it is asked, and answers. */
function haveGh(made: Clone, script: string): string {
  const bin = join(made.folder, '..', 'bin');
  mkdirSync(bin, { recursive: true });
  const asked = join(bin, 'asked');
  writeFileSync(join(bin, 'gh'), `#!/bin/sh\nprintf '%s\\n' "$*" >> '${asked}'\n${script}\n`, { mode: 0o755 });
  process.env['PATH'] = `${bin}:${path}`;
  return asked;
}

function clone(): Clone {
  const made = cloned({ 'release.plan.yaml': 'parent: main\n', 'other.txt': 'kept\n' });
  made.git('config', 'user.name', 'Kim');
  made.git('config', 'user.email', 'kim@acme.example');
  clones.push(made);
  haveGh(made, 'exit 4');
  return made;
}
const absorb = (made: Clone, text: string) =>
  onBranchOfItsOwn({ line: 'db/1', path: 'release.plan.yaml', body: Buffer.from(text), absorbed }, { cwd: made.folder, console });

afterEach(() => {
  process.env['PATH'] = path;
  for (const one of clones.splice(0)) one.remove();
});

test('what was absorbed is one commit of the person’s own, on a branch of the line’s; checkout and index stay', async () => {
  const made = clone();
  const pushed = await absorb(made, 'parent: release\n');
  expect(pushed).toEqual({
    branch: 'lockkeeper/absorb-db-1-0f5cc9',
    remote: 'origin',
    url: 'https://github.com/acme/storefront/pull/new/lockkeeper/absorb-db-1-0f5cc9',
    opened: false,
  });
  made.git('fetch', '--quiet', 'origin');
  expect(made.git('show', 'origin/lockkeeper/absorb-db-1-0f5cc9:release.plan.yaml')).toBe('parent: release');
  expect(made.git('diff', '--name-only', 'HEAD', 'origin/lockkeeper/absorb-db-1-0f5cc9')).toBe('release.plan.yaml');
  expect(made.git('log', '-1', '--format=%an|%s', 'origin/lockkeeper/absorb-db-1-0f5cc9')).toBe('Kim|Make what is live the plan in line db/1');
  expect(made.git('status', '--porcelain')).toBe('');
  expect(readFileSync(join(made.folder, 'release.plan.yaml'), 'utf8')).toBe('parent: main\n');
});

test('absorbed once more, the same branch says what is live now', async () => {
  const made = clone();
  await absorb(made, 'parent: release\n');
  await absorb(made, 'parent: hotfix\n');
  made.git('fetch', '--quiet', 'origin');
  expect(made.git('show', 'origin/lockkeeper/absorb-db-1-0f5cc9:release.plan.yaml')).toBe('parent: hotfix');
  expect(made.git('rev-list', '--count', 'main..origin/lockkeeper/absorb-db-1-0f5cc9')).toBe('1');
});

test('a remote that takes no push changes nothing, and git says why', async () => {
  const made = clone();
  made.git('remote', 'set-url', '--push', 'origin', '/nowhere/acme/storefront.git');
  await expect(absorb(made, 'parent: release\n')).rejects.toMatchObject({ code: 'GIT_FAILED' });
});

test('its pull request is opened as the person, where `gh` is signed in; of a branch that has one already, it is that one', async () => {
  const made = clone();
  const asked = haveGh(made, 'echo https://github.com/acme/storefront/pull/7');
  expect(await absorb(made, 'parent: release\n')).toMatchObject({ url: 'https://github.com/acme/storefront/pull/7', opened: true });
  expect(readFileSync(asked, 'utf8')).toContain(
    'pr create --repo acme/storefront --head lockkeeper/absorb-db-1-0f5cc9 --title Make what is live the plan in line db/1',
  );
  haveGh(made, '[ "$2" = view ] && echo https://github.com/acme/storefront/pull/7');
  expect(await absorb(made, 'parent: hotfix\n')).toMatchObject({ url: 'https://github.com/acme/storefront/pull/7', opened: true });
});

test('a branch that a person has put a commit on is not written over', async () => {
  const made = clone();
  await absorb(made, 'parent: release\n');
  made.git('fetch', '--quiet', 'origin');
  made.git('checkout', '--quiet', '-B', 'theirs', 'origin/lockkeeper/absorb-db-1-0f5cc9');
  made.commit({ 'other.txt': 'theirs' });
  made.git('push', '--quiet', 'origin', 'HEAD:refs/heads/lockkeeper/absorb-db-1-0f5cc9');
  made.git('checkout', '--quiet', 'main');
  await expect(absorb(made, 'parent: hotfix\n')).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining('not absorb’s') });
  made.git('fetch', '--quiet', 'origin');
  expect(made.git('show', 'origin/lockkeeper/absorb-db-1-0f5cc9:other.txt')).toBe('theirs');
});

test.each([
  ['a commit with absorb’s own words', (made: Clone) => made.git('commit', '--quiet', '--allow-empty', '--message', 'Make what is live the plan in line db/1')],
  [
    'its commit amended, words and all',
    (made: Clone) => {
      made.write({ 'other.txt': 'reviewed' });
      made.git('commit', '--quiet', '--amend', '--no-edit', '--all');
    },
  ],
  [
    'its commit with another message',
    (made: Clone) => made.git('commit', '--quiet', '--amend', '--message', 'Make what is live the plan, as agreed with Robin'),
  ],
  ['absorb’s commit somewhere else', (made: Clone) => made.git('rebase', '--quiet', 'elsewhere')],
])('a branch on which a reviewer has put %s is not written over', async (_, review) => {
  const made = clone();
  await absorb(made, 'parent: release\n');
  made.git('checkout', '--quiet', '-b', 'elsewhere');
  made.commit({ 'more.txt': 'elsewhere' });
  made.git('fetch', '--quiet', 'origin');
  made.git('checkout', '--quiet', '-B', 'theirs', 'origin/lockkeeper/absorb-db-1-0f5cc9');
  review(made);
  const theirs = made.git('rev-parse', 'HEAD');
  made.git('push', '--quiet', '--force', 'origin', 'HEAD:refs/heads/lockkeeper/absorb-db-1-0f5cc9');
  made.git('checkout', '--quiet', '--force', 'main');
  await expect(absorb(made, 'parent: hotfix\n')).rejects.toMatchObject({
    code: 'USAGE',
    problem: { hint: 'Merge or close its pull request and delete the branch; then absorb again.' },
  });
  expect(made.git('ls-remote', 'origin', 'refs/heads/lockkeeper/absorb-db-1-0f5cc9')).toContain(theirs);
});
