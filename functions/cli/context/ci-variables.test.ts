import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { ciFacts, numberIn } from './ci-variables.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function eventFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-event-'));
  folders.push(folder);
  writeFileSync(join(folder, 'event.json'), text);
  return join(folder, 'event.json');
}

const github = { GITHUB_ACTIONS: 'true', GITHUB_SHA: 'merge', GITHUB_REF: 'refs/pull/7/merge', GITHUB_REF_NAME: '7/merge', GITHUB_HEAD_REF: 'feat/x' };

it('on GitHub takes the pull request’s head from the event, not the merge commit', () => {
  const event = { number: 7, pull_request: { number: 7, head: { sha: 'head' } }, repository: { default_branch: 'trunk' } };
  expect(ciFacts({ ...github, GITHUB_EVENT_PATH: eventFile(JSON.stringify(event)) })).toEqual({
    branch: 'feat/x',
    sha: 'head',
    pullRequest: 7,
    defaultBranch: 'trunk',
  });
});

it.each([
  ['no file', undefined],
  ['nonsense', '{'],
  ['null', 'null'],
])('on GitHub makes do with the variables when the event is %s', (_, text) => {
  const path = text === undefined ? '/nowhere/event.json' : eventFile(text);
  expect(ciFacts({ ...github, GITHUB_EVENT_PATH: path })).toEqual({ branch: 'feat/x', sha: 'merge', pullRequest: 7 });
});

it('on GitHub says of a push that there is no pull request', () => {
  const push = { GITHUB_ACTIONS: 'true', GITHUB_SHA: 'a', GITHUB_REF: 'refs/heads/main', GITHUB_REF_NAME: 'main', GITHUB_HEAD_REF: '' };
  expect(ciFacts(push)).toEqual({ branch: 'main', sha: 'a', pullRequest: null });
});

it('reads GitLab, CircleCI and Bitbucket', () => {
  const gitlab = { GITLAB_CI: 'true', CI_MERGE_REQUEST_IID: '3', CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'x', CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: 's' };
  expect(ciFacts({ ...gitlab, CI_COMMIT_REF_NAME: 'other', CI_COMMIT_SHA: 'merge', CI_DEFAULT_BRANCH: 'main' })).toEqual({
    branch: 'x',
    sha: 's',
    pullRequest: 3,
    defaultBranch: 'main',
  });
  expect(ciFacts({ GITLAB_CI: 'true', CI_COMMIT_REF_NAME: 'main', CI_COMMIT_SHA: 's' })).toEqual({ branch: 'main', sha: 's', pullRequest: null });
  const circle = { CIRCLECI: 'true', CIRCLE_PULL_REQUEST: 'https://github.com/acme/x/pull/12', CIRCLE_BRANCH: 'x', CIRCLE_SHA1: 's' };
  expect(ciFacts(circle)).toEqual({ branch: 'x', sha: 's', pullRequest: 12 });
  const bitbucket = { BITBUCKET_BUILD_NUMBER: '1', BITBUCKET_PR_ID: '5', BITBUCKET_BRANCH: 'x', BITBUCKET_COMMIT: 's' };
  expect(ciFacts(bitbucket)).toEqual({ branch: 'x', sha: 's', pullRequest: 5 });
});

it('says nothing outside of a CI host, whatever is set', () => {
  expect(ciFacts({ GITHUB_SHA: 'a', CI_COMMIT_SHA: 'b', CIRCLE_SHA1: 'c' })).toEqual({});
});

it.each([
  ['1', 1],
  ['042', undefined],
  ['0', undefined],
  ['-1', undefined],
  ['1e3', undefined],
  ['', undefined],
  [undefined, undefined],
])('takes %j for the pull request %j', (text, number) => {
  expect(numberIn(text)).toBe(number);
});
