import { describe, expect, test } from 'vitest';
import { commitOf, mona, openWorkbench, planOf, type Workbench } from '../../test/ports/workbench.ts';
import { LockkeeperError } from '../errors/error.ts';

const things = (name: string, value = '1') => [{ id: 'a', things: { [name]: value } }];

/** Puts a policy on the default branch's tip. */
function policy(bench: Workbench, text: string, tip = 'tip'): void {
  bench.code.tips.set('main', commitOf(tip));
  bench.code.commit(commitOf(tip), 'lockkeeper.yaml', text);
}

const twoPlans = `version: 1
plans:
  - { name: site, path: site/release.plan.yaml }
  - { name: docs, path: docs/release.plan.yaml, events: { pull_request: [staging] } }
environments: { staging: {} }
`;
const broken = `version: 1
events:
  push: [prodution]
environments:
  staging: { protected: perhaps }
`;

/** Opens a pull request whose commit holds both plans. */
async function openBoth(bench: Workbench): Promise<void> {
  bench.pull(7, 'one', things('root'));
  bench.code.commit(commitOf('one'), 'site/release.plan.yaml', planOf(things('site')));
  bench.code.commit(commitOf('one'), 'docs/release.plan.yaml', planOf(things('docs')).replace('{', '{"environments":["staging"],'));
  await bench.event('opened', 7, 'one');
  await bench.quiet();
}

const runs = (bench: Workbench) =>
  bench.memory
    .items()
    .filter((item) => item['item'] === 'run')
    .map((item) => `${(item['plan'] as { name: string }).name} ${item['environment']} ${item['kind']} ${item['outcome']}`)
    .sort();

async function close(bench: Workbench, commit = 'one'): Promise<void> {
  const pull = bench.code.pulls.get(7);
  if (pull) bench.code.pulls.set(7, { ...pull, open: false });
  await bench.event('closed', 7, commit);
  await bench.quiet();
}

describe('the policy of the default branch', () => {
  test('decides which plans a pull request runs, and in which environments', async () => {
    const bench = openWorkbench();
    policy(bench, twoPlans);
    await openBoth(bench);
    expect(runs(bench)).toEqual(['docs staging apply complete', 'site preview apply complete']);
    expect(bench.provider.names()).toEqual(['docs=1', 'site=1']);
  });

  test('a plan file that a pull request brings is nothing to it when the policy does not name it', async () => {
    const bench = openWorkbench();
    policy(bench, 'version: 1\nevents: { pull_request: [] }\n');
    await openBoth(bench);
    expect(runs(bench)).toEqual([]);
    expect(bench.provider.writes).toEqual([]);
  });

  test('closing removes what every plan made, whether the policy still names the plan or not', async () => {
    const bench = openWorkbench();
    policy(bench, twoPlans);
    await openBoth(bench);
    policy(bench, 'version: 1\n', 'later');
    await close(bench);
    expect(bench.provider.names()).toEqual([]);
    expect(runs(bench).filter((run) => run.includes('destroy'))).toEqual(['docs staging destroy complete', 'site preview destroy complete']);
  });
});

describe('a mistake in the policy', () => {
  test('starts nothing and falls back to nothing: a failed check on the commit names every mistake with file, line and column', async () => {
    const bench = openWorkbench();
    policy(bench, broken);
    bench.pull(7, 'one', things('x'));
    await bench.event('opened', 7, 'one');
    await bench.quiet();
    expect(runs(bench)).toEqual([]);
    expect([...bench.code.checks.values()]).toMatchObject([
      { name: 'lockkeeper / policy', commit: commitOf('one'), externalId: `policy-${commitOf('one')}`, status: 'completed', conclusion: 'failure' },
    ]);
    const [check] = bench.code.checks.values();
    expect(check?.title).toBe('2 mistakes in lockkeeper.yaml');
    expect(check?.summary).toContain('lockkeeper.yaml:3:10');
    expect(check?.summary).toContain('lockkeeper.yaml:5:25');
    expect(bench.logged.filter(({ level }) => level === 'thrown')).toEqual([]);
    expect(bench.memory.items().filter((item) => item['kind'] === 'intake')).toMatchObject([{ status: 'done' }]);
  });

  test('is shown on a pushed commit, too', async () => {
    const bench = openWorkbench();
    policy(bench, broken, 'two');
    await bench.push('two', things('x'));
    await bench.quiet();
    expect(runs(bench)).toEqual([]);
    expect([...bench.code.checks.values()]).toMatchObject([{ commit: commitOf('two'), conclusion: 'failure' }]);
  });

  test('is shown on no commit that is not the head any more', async () => {
    const bench = openWorkbench();
    policy(bench, broken);
    bench.pull(7, 'two', things('x'));
    await bench.event('synchronize', 7, 'one');
    await bench.quiet();
    expect([...bench.code.checks.values()]).toEqual([]);
  });

  test('keeps nothing from being removed: closing the pull request destroys what it made (I8)', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', things('x'));
    expect(bench.provider.names()).toEqual(['x=1']);
    policy(bench, broken);
    await close(bench);
    expect(bench.provider.names()).toEqual([]);
    expect(runs(bench)).toEqual(['main preview apply complete', 'main preview destroy complete']);
  });

  test('nor does a default branch that nobody can read: the run that removes it is made, and goes on once it can', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', things('x'));
    bench.code.onAsk = (question) => {
      if (question === 'defaultTip') throw new LockkeeperError({ code: 'CODE_HOST', message: 'there is no default branch' });
    };
    const pull = bench.code.pulls.get(7);
    if (pull) bench.code.pulls.set(7, { ...pull, open: false });
    const id = await bench.event('closed', 7, 'one');
    await bench.deliver(bench.queues.take() as NonNullable<ReturnType<typeof bench.queues.take>>);
    expect(await bench.run(id)).toMatchObject({ phase: 'preparing' });
    bench.code.onAsk = undefined;
    await bench.quiet();
    expect(await bench.run(id)).toMatchObject({ kind: 'destroy', outcome: 'complete' });
    expect(bench.provider.names()).toEqual([]);
  });

  test('mended, "Re-run" on its check starts what the commit should have started, and the check succeeds', async () => {
    const bench = openWorkbench();
    policy(bench, broken);
    bench.pull(7, 'one', things('x'));
    await bench.event('opened', 7, 'one');
    await bench.quiet();
    const rerun = { sha: commitOf('one'), externalId: `policy-${commitOf('one')}` };
    await bench.happens({ format: 2, event: 'check_run', action: 'rerequested', ...mona, check: rerun });
    await bench.quiet();
    expect(bench.provider.writes).toEqual([]);

    policy(bench, 'version: 1\n', 'mended');
    await bench.happens({ format: 2, event: 'check_run', action: 'rerequested', ...mona, check: rerun });
    await bench.quiet();
    expect(bench.provider.names()).toEqual(['x=1']);
    expect(bench.code.checks.get(`${commitOf('one')} lockkeeper / policy`)).toMatchObject({ conclusion: 'success' });
  });
});
