import { describe, expect, test } from 'vitest';
import { putPolicy } from '../../test/ports/people.ts';
import { commitOf, openWorkbench, repository } from '../../test/ports/workbench.ts';
import { policyPath } from '../policy/policy-file.ts';
import { policyChanged } from './policy-changed.ts';

const one = commitOf('one');
const release = { repository, plan: { name: 'main', path: 'release.plan.yaml' }, environment: 'preview', scope: 'pr-7', commit: one, branch: 'feat' } as const;
const onPull = { ...release, pullRequest: 7 };

function bench({ standing, proposed, parted }: { readonly standing?: string; readonly proposed?: string; readonly parted?: string }) {
  const { code } = openWorkbench();
  if (standing === undefined) code.tips.set('main', commitOf('empty'));
  else putPolicy({ code } as never, standing);
  if (proposed !== undefined) code.commit(one, policyPath, proposed);
  code.mergeBases.set(one, commitOf('parted'));
  if (parted !== undefined) code.commit(commitOf('parted'), policyPath, parted);
  return { codeHost: code.host };
}

const said = async (files: Parameters<typeof bench>[0], run: Parameters<typeof policyChanged>[1] = onPull) =>
  (await policyChanged(bench(files), run)).map(({ code, message }) => `${code} ${message}`);

describe('a pull request', () => {
  test('that leaves the policy alone says nothing of it', async () => {
    expect(await said({ standing: 'version: 1\n', proposed: 'version: 1\n', parted: 'version: 1\n' })).toEqual([]);
    expect(await said({})).toEqual([]);
  });

  test('whose default branch alone has changed it says nothing either', async () => {
    expect(await said({ standing: 'version: 1\nstack: new\n', proposed: 'version: 1\n', parted: 'version: 1\n' })).toEqual([]);
    expect(await said({ standing: 'version: 1\n' })).toEqual([]);
  });

  test.each([
    ['adds', { proposed: 'version: 1\n' }],
    ['changes', { standing: 'version: 1\n', parted: 'version: 1\n', proposed: 'version: 1\nstack: mine\n' }],
    ['removes', { standing: 'version: 1\n', parted: 'version: 1\n' }],
  ])('that %s it says so', async (what, files) => {
    expect(await said(files)).toEqual([`POLICY_CHANGED This pull request ${what} lockkeeper.yaml.`]);
  });

  test('that would break it says how, with the place', async () => {
    const broken = 'version: 1\nenvironmentz: {}\nstack: 7\n';
    expect(await said({ standing: 'version: 1\n', parted: 'version: 1\n', proposed: broken })).toEqual([
      expect.stringMatching(/It has 2 mistakes, and merged like that it stops every run: 2:1 `environmentz` is not a key here/),
    ]);
  });

  test('alone says it: a push is what it has become', async () => {
    expect(await said({ standing: 'version: 1\n', proposed: 'version: 1\nstack: mine\n' }, release)).toEqual([]);
  });
});
