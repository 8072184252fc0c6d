import { describe, expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { commitOf, mona, openWorkbench, planOf, planPath, scopeOf, type Workbench } from '../../test/ports/workbench.ts';
import { readHead } from '../ledger/head.ts';
import { answerQuestion } from '../run/answer-question.ts';
import type { Run } from '../run/items.ts';

const lines = [{ id: 'a', things: { x: '1' } }];
const production = scopeOf('main', 'production');
const runsOf = (bench: Workbench): Run[] => bench.memory.items().filter((item) => item['item'] === 'run') as unknown as Run[];
const checkOf = (bench: Workbench, commit: string) => bench.code.checks.get(`${commitOf(commit)} lockkeeper / production`);
const told = (bench: Workbench, pullRequest: number): string | undefined =>
  [...bench.code.comments].find(([key]) => key.startsWith(`${pullRequest} `) && key.includes('after the merge'))?.[1];

/** The default branch moves to a commit; the run as it then stands. */
async function pushed(bench: Workbench, commit: string, changes: readonly object[] = lines): Promise<Run> {
  const id = await bench.push(commit, changes);
  await bench.quiet();
  return bench.run(id);
}

async function answer(bench: Workbench, run: Run, verdict: 'approve' | 'reject' = 'approve'): Promise<Run> {
  const question = run.question as NonNullable<Run['question']>;
  await answerQuestion(bench.world(), run, question, { verdict, person: { name: 'kim', through: 'machine' } });
  await bench.quiet();
  return bench.run(run.id);
}

const released = async (bench: Workbench, commit: string, changes: readonly object[] = lines) => answer(bench, await pushed(bench, commit, changes));

describe('a push to the default branch', () => {
  test('is planned for production, asked, and applied as it was approved', async () => {
    const bench = openWorkbench();
    const asked = await pushed(bench, 'one');
    expect(asked).toMatchObject({ phase: 'awaiting', environment: 'production', scope: 'main', branch: 'main', commit: commitOf('one'), triggeredBy: 'mona' });
    expect(asked.pullRequest).toBeUndefined();
    expect(bench.provider.names()).toEqual([]);
    expect(checkOf(bench, 'one')).toMatchObject({ status: 'completed', conclusion: 'action_required', externalId: asked.id });

    expect(await answer(bench, asked)).toMatchObject({ phase: 'done', outcome: 'complete' });
    expect(bench.provider.names()).toEqual(['x=1']);
    expect(checkOf(bench, 'one')).toMatchObject({ conclusion: 'success' });
    expect(bench.code.comments.size).toBe(0);
    expect(disagreements(bench)).toEqual([]);
  });

  test('rejected, it shows a failed check and writes nothing (I7)', async () => {
    const bench = openWorkbench();
    expect(await answer(bench, await pushed(bench, 'one'), 'reject')).toMatchObject({ outcome: 'rejected' });
    expect(checkOf(bench, 'one')).toMatchObject({ conclusion: 'failure' });
    expect(bench.provider.writes).toEqual([]);
  });

  test('of a branch that only the webhook calls the default one starts nothing: the host says which it is', async () => {
    const bench = openWorkbench();
    bench.code.repository = { defaultBranch: 'trunk' };
    await bench.push('one', lines);
    await bench.quiet();
    expect(runsOf(bench)).toEqual([]);
    expect(bench.memory.items().filter((item) => item['kind'] === 'intake')).toMatchObject([{ status: 'done' }]);
  });

  test('told twice under two ids asks once and applies once (I10)', async () => {
    const bench = openWorkbench();
    const first = await bench.push('one', lines);
    const second = await bench.push('one', lines);
    await bench.quiet();
    const asking = (await Promise.all([first, second].map(bench.run))).filter((run) => run.phase === 'awaiting');
    expect(asking.length).toBeGreaterThan(0);
    const done = await answer(bench, asking.at(-1) as Run);
    expect(done.outcome).toBe('complete');
    for (const run of runsOf(bench).filter(({ phase }) => phase === 'awaiting')) await answer(bench, run);
    expect(bench.provider.names()).toEqual(['x=1']);
    expect(bench.provider.writes).toHaveLength(1);
  });

  test('the same delivery again starts no second run', async () => {
    const bench = openWorkbench();
    const run = await pushed(bench, 'one');
    const [intake] = bench.memory.items().filter((item) => item['kind'] === 'intake');
    for (const message of [intake?.['id'], run.id])
      bench.queues.deliver({ queue: 'control', at: bench.clock.now(), message: { format: 1, run: message as string, group: '7101' } });
    await bench.quiet();
    expect(runsOf(bench)).toHaveLength(1);
    expect((await bench.run(run.id)).question?.q).toBe(1);
  });

  test('overtaken before it was planned is superseded: only the tip asks (P6)', async () => {
    const bench = openWorkbench();
    const first = await bench.push('one', lines);
    const second = await bench.push('two', [{ id: 'a', things: { x: '2' } }]);
    await bench.quiet();
    expect(await bench.run(first)).toMatchObject({ phase: 'done', outcome: 'superseded' });
    expect(checkOf(bench, 'one')).toBeUndefined();
    expect((await answer(bench, await bench.run(second))).outcome).toBe('complete');
    expect(bench.provider.names()).toEqual(['x=2']);
  });

  test('that arrives after the one that overtook it changes nothing', async () => {
    const bench = openWorkbench();
    bench.code.commit(commitOf('one'), planPath, planOf(lines));
    await released(bench, 'two', [{ id: 'a', things: { x: '2' } }]);
    await bench.happens({ format: 2, event: 'push', ...mona, push: { branch: 'main', sha: commitOf('one') } });
    await bench.quiet();
    expect(runsOf(bench).find(({ commit }) => commit === commitOf('one'))).toMatchObject({ outcome: 'superseded' });
    expect(bench.provider.names()).toEqual(['x=2']);
  });

  test('overtaken while it asks is superseded by the newer one’s question, and its check says so', async () => {
    const bench = openWorkbench();
    const first = await pushed(bench, 'one');
    bench.clock.advance(1000);
    const second = await pushed(bench, 'two');
    expect(await bench.run(first.id)).toMatchObject({ outcome: 'superseded' });
    expect(checkOf(bench, 'one')).toMatchObject({ status: 'completed', conclusion: 'neutral' });
    expect(checkOf(bench, 'two')).toMatchObject({ conclusion: 'action_required' });
    expect(bench.memory.peek(`SCOPE#${production}`, 'SURFACE')?.['check']).toMatchObject({ commit: commitOf('two'), run: second.id });
    expect((await answer(bench, second)).outcome).toBe('complete');
  });

  test('overtaken between approval and guard writes nothing: the guard asks the host (I7)', async () => {
    const bench = openWorkbench();
    const asked = await pushed(bench, 'one');
    bench.code.tips.set('main', commitOf('two'));
    expect(await answer(bench, asked)).toMatchObject({ outcome: 'superseded' });
    expect(bench.provider.writes).toEqual([]);
  });

  test('back to an older commit, by force, applies that one: what the branch points to is what its owners want', async () => {
    const bench = openWorkbench();
    bench.code.history.push(commitOf('one'), commitOf('two'));
    await released(bench, 'one');
    await released(bench, 'two', [{ id: 'a', things: { x: '2' } }]);
    expect((await released(bench, 'one')).outcome).toBe('complete');
    expect(bench.provider.names()).toEqual(['x=1']);
  });

  test('whose plan file is gone keeps what is managed and says so on the commit', async () => {
    const bench = openWorkbench();
    await released(bench, 'one');
    const writes = bench.provider.writes.length;
    await bench.push('two');
    await bench.quiet();
    expect(bench.provider.writes).toHaveLength(writes);
    expect(checkOf(bench, 'two')).toMatchObject({ conclusion: 'neutral', title: 'No plan file; 1 resource still managed' });
    expect(checkOf(bench, 'two')?.summary).not.toContain('close the pull request');
  });

  test('of a repository without a plan file says nothing', async () => {
    const bench = openWorkbench();
    await bench.push('one');
    await bench.quiet();
    expect([runsOf(bench), bench.code.checks.size]).toEqual([[], 0]);
  });

  test('that dies before it could ask its host is tried again by the schedule', async () => {
    const bench = openWorkbench();
    const id = await bench.push('one', lines);
    let asked = 0;
    bench.code.onAsk = (question) => {
      if (question === 'branchTip' && runsOf(bench).length > 0 && ++asked < 40) throw new Error('the host is away');
    };
    await bench.quiet();
    expect(await bench.run(id)).toMatchObject({ phase: 'done', outcome: 'failed' });
    bench.code.onAsk = undefined;
    await bench.sweep(20);
    expect(await bench.run(id)).toMatchObject({ phase: 'awaiting' });
  });
});

describe('the question of a pushed commit', () => {
  /** A merged pull request whose merge is commit `one`. */
  function merged(): Workbench {
    const bench = openWorkbench();
    bench.code.pulls.set(7, { number: 7, open: false, head: { sha: commitOf('head'), branch: 'feat-7', fork: false } });
    bench.code.merged.set(commitOf('one'), 7);
    return bench;
  }

  test('is told on the pull request that was merged, and updated in place when it is answered', async () => {
    const bench = merged();
    const asked = await pushed(bench, 'one');
    expect(told(bench, 7)).toContain('Waits for approval');
    await answer(bench, asked);
    expect(told(bench, 7)).toContain('1 line applied');
    expect(bench.code.comments.size).toBe(1);
  });

  test.each([
    ['rejected', 'Rejected', (bench: Workbench, run: Run) => answer(bench, run, 'reject')],
    ['expired', 'Nobody approved in time', (bench: Workbench) => bench.sweep(25 * 60)],
    [
      'superseded',
      'Superseded',
      async (bench: Workbench) => {
        bench.clock.advance(1000);
        await pushed(bench, 'two');
      },
    ],
  ])('is told to be %s', async (_, words, end) => {
    const bench = merged();
    await end(bench, await pushed(bench, 'one'));
    expect(told(bench, 7)).toContain(words);
    expect(told(bench, 7)).not.toContain('Waits for approval');
  });

  test('never makes the closed pull request the run’s own: nothing is destroyed when the pull request’s closing comes late', async () => {
    const bench = merged();
    const done = await answer(bench, await pushed(bench, 'one'));
    expect(done.pullRequest).toBeUndefined();
    await bench.happens({
      format: 1,
      event: 'pull_request',
      action: 'closed',
      ...mona,
      pullRequest: { number: 7, headSha: commitOf('head'), headBranch: 'feat-7', fork: false },
    });
    await bench.quiet();
    expect(bench.provider.names()).toEqual(['x=1']);
    expect((await readHead(bench.memory.table, production))?.tombstone).toBeUndefined();
  });

  test('is nobody’s where the plan changes nothing: no comment', async () => {
    const bench = merged();
    await answer(bench, await pushed(bench, 'zero'));
    expect(await pushed(bench, 'one')).toMatchObject({ phase: 'done', outcome: 'complete' });
    expect(told(bench, 7)).toBeUndefined();
    expect(checkOf(bench, 'one')).toMatchObject({ conclusion: 'success' });
  });

  test('costs the comment and not the run when the host does not say which pull request it was', async () => {
    const bench = merged();
    bench.code.onAsk = (question) => {
      if (question === 'mergedPullRequest') throw new Error('the host is away');
    };
    expect(await pushed(bench, 'one')).toMatchObject({ phase: 'awaiting' });
    expect(checkOf(bench, 'one')).toMatchObject({ conclusion: 'action_required' });
  });
});

describe('a run that waits in production for a deployment', () => {
  const site = [
    { id: 'a', things: { a: '1' } },
    { id: 'b', things: { b: { from: 'a.url' } } },
  ];

  test('goes on under its decision when the deployment of the tip ends', async () => {
    const bench = openWorkbench();
    const run = await released(bench, 'one', site);
    expect(run).toMatchObject({ phase: 'waiting', outcome: 'partial' });
    await bench.deployed('one', 'success');
    await bench.quiet();
    expect(await bench.run(run.id)).toMatchObject({ phase: 'done', outcome: 'complete', round: 2, question: { q: 1 } });
    expect(bench.provider.names()).toHaveLength(2);
  });

  test('is not woken by deployments of other commits', async () => {
    const bench = openWorkbench();
    const run = await released(bench, 'one', site);
    await bench.deployed('elsewhere', 'success');
    await bench.quiet();
    expect(await bench.run(run.id)).toMatchObject({ phase: 'waiting', round: run.round });
    expect((await readHead(bench.memory.table, production))?.notes).toEqual([]);
  });

  test('learns from its own late deployment that the branch has moved on', async () => {
    const bench = openWorkbench();
    const run = await released(bench, 'one', site);
    expect(run.phase).toBe('waiting');
    bench.code.tips.set('main', commitOf('two'));
    await bench.deployed('one', 'success');
    await bench.quiet();
    expect(await bench.run(run.id)).toMatchObject({ phase: 'done', outcome: 'superseded' });
  });

  test('need not wait for a deployment that ended before it looked', async () => {
    const bench = openWorkbench();
    await bench.deployed('one', 'success');
    await bench.quiet();
    expect(await released(bench, 'one', site)).toMatchObject({ phase: 'done', outcome: 'complete' });
    expect(bench.provider.names()).toHaveLength(2);
  });
});
