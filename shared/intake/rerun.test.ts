import { describe, expect, test } from 'vitest';
import { commitOf, mona, openWorkbench, type Workbench } from '../../test/ports/workbench.ts';
import { answerQuestion } from '../run/answer-question.ts';
import type { Run } from '../run/items.ts';

const lines = [{ id: 'a', things: { x: '1' } }];
const runsOf = (bench: Workbench): Run[] => bench.memory.items().filter((item) => item['item'] === 'run') as unknown as Run[];
const checkOf = (bench: Workbench, commit: string, environment = 'preview') => bench.code.checks.get(`${commitOf(commit)} lockkeeper / ${environment}`);

async function rerunCheck(bench: Workbench, commit: string, externalId: string): Promise<void> {
  await bench.happens({ format: 2, event: 'check_run', action: 'rerequested', ...mona, check: { sha: commitOf(commit), externalId } });
  await bench.quiet();
}

async function rerunAll(bench: Workbench, commit: string): Promise<void> {
  await bench.happens({ format: 2, event: 'check_suite', action: 'rerequested', ...mona, suite: { sha: commitOf(commit) } });
  await bench.quiet();
}

async function comment(bench: Workbench, pullRequest: number, login = 'mona', type = 'User'): Promise<void> {
  bench.code.written.set(1, { login, body: '/lockkeeper retry' });
  await bench.happens({ format: 2, event: 'issue_comment', action: 'created', ...mona, sender: { login, type }, comment: { pullRequest, id: 1 } });
  await bench.quiet();
}

/** A pull request whose run failed, because the provider refused its one write. */
async function failed(bench: Workbench, commit = 'one'): Promise<Run> {
  bench.provider.faults.fail((call) => call.method === 'POST', new Error('refused'), 40);
  const run = await bench.release(7, commit, lines);
  bench.provider.faults.clear();
  expect(run.outcome).toBe('failed');
  return run;
}

describe('"Re-run" on a check', () => {
  test('runs the run again whose id the check carries: a new run, asked for by whoever pressed it', async () => {
    const bench = openWorkbench();
    const first = await failed(bench);
    await rerunCheck(bench, 'one', first.id);
    const again = runsOf(bench).find(({ retryOf }) => retryOf === first.id);
    expect(again).toMatchObject({ outcome: 'complete', commit: commitOf('one'), pullRequest: 7, triggeredBy: 'mona' });
    expect(bench.provider.names()).toEqual(['x=1']);
    expect(checkOf(bench, 'one')).toMatchObject({ conclusion: 'success', externalId: again?.id });
  });

  test('told twice runs it again once (I10)', async () => {
    const bench = openWorkbench();
    const first = await failed(bench);
    await rerunCheck(bench, 'one', first.id);
    const intake = bench.memory.items().find((item) => item['event'] === 'check_run');
    await bench.memory.table.write({ pk: intake?.pk as string, sk: 'META' }, { set: { status: 'recorded' } }, { is: 'always' });
    bench.queues.deliver({ queue: 'control', at: bench.clock.now(), message: { format: 1, run: intake?.['id'] as string, group: '7101' } });
    await bench.quiet();
    expect(runsOf(bench)).toHaveLength(2);
  });

  test.each([
    ['of another commit', 'two', (run: Run) => run.id],
    ['that names no run of ours', 'one', () => 'somebody-elses-check'],
  ])('%s starts nothing', async (_, commit, externalId) => {
    const bench = openWorkbench();
    const first = await failed(bench);
    await rerunCheck(bench, commit, externalId(first));
    expect(runsOf(bench)).toHaveLength(1);
  });

  test('of another repository’s run starts nothing', async () => {
    const bench = openWorkbench();
    const first = await failed(bench);
    await bench.memory.table.write({ pk: `RUN#${first.id}`, sk: 'META' }, { set: { repository: { ...first.repository, id: '4711' } } }, { is: 'always' });
    await rerunCheck(bench, 'one', first.id);
    expect(runsOf(bench)).toHaveLength(1);
  });

  test('of a person’s own run starts nothing: its options were theirs', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', lines);
    const id = await bench.command({ commit: 'one', options: { busy: 'fail', reconcile: true } });
    await bench.quiet();
    await rerunCheck(bench, 'one', id);
    await rerunAll(bench, 'one');
    expect(runsOf(bench).filter((run) => run.retryOf !== undefined || run.options.reconcile)).toMatchObject([{ id }]);
  });

  test('of a commit that is not the head any more ends superseded, and its check says so: GitHub has reset it', async () => {
    const bench = openWorkbench();
    const first = await failed(bench);
    await bench.release(7, 'two', lines);
    await rerunCheck(bench, 'one', first.id);
    expect(runsOf(bench).find(({ retryOf }) => retryOf === first.id)).toMatchObject({ outcome: 'superseded' });
    expect(checkOf(bench, 'one')).toMatchObject({ status: 'completed', conclusion: 'neutral' });
    expect(checkOf(bench, 'two')).toMatchObject({ conclusion: 'success' });
  });

  test('of a run that asks puts the question back on the check and starts nothing', async () => {
    const bench = openWorkbench();
    const id = await bench.push('one', lines);
    await bench.quiet();
    bench.code.checks.clear();
    await rerunCheck(bench, 'one', id);
    expect(runsOf(bench)).toHaveLength(1);
    expect(checkOf(bench, 'one', 'production')).toMatchObject({ status: 'completed', conclusion: 'action_required', externalId: id });
  });

  test('about what is still managed looks once more', async () => {
    const bench = openWorkbench();
    const id = await bench.push('one', lines);
    await bench.quiet();
    const asked = await bench.run(id);
    await answerQuestion(bench.world(), asked, asked.question as NonNullable<Run['question']>, {
      verdict: 'approve',
      person: { name: 'kim', through: 'machine' },
    });
    await bench.quiet();
    await bench.push('two');
    await bench.quiet();
    bench.code.checks.clear();
    await rerunCheck(bench, 'two', `still-managed-${commitOf('two')}`);
    expect(checkOf(bench, 'two', 'production')).toMatchObject({ title: 'No plan file; 1 resource still managed' });
  });
});

describe('"Re-run all checks" of a commit', () => {
  test('runs the newest run of each scope again, and only that', async () => {
    const bench = openWorkbench();
    const first = await failed(bench);
    bench.clock.advance(1000);
    bench.provider.faults.fail((call) => call.method === 'POST', new Error('refused'), 40);
    await rerunCheck(bench, 'one', first.id);
    bench.provider.faults.clear();
    bench.clock.advance(1000);
    const second = runsOf(bench).find(({ retryOf }) => retryOf === first.id);
    await rerunAll(bench, 'one');
    expect(runsOf(bench)).toHaveLength(3);
    expect(runsOf(bench).filter(({ retryOf }) => retryOf === second?.id)).toMatchObject([{ outcome: 'complete' }]);
  });

  test('whose event was lost starts what the event should have started', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', lines);
    await rerunAll(bench, 'one');
    expect(runsOf(bench)).toMatchObject([{ outcome: 'complete', pullRequest: 7 }]);
  });

  test('that is the head of nothing starts nothing', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', lines);
    await rerunAll(bench, 'elsewhere');
    expect(runsOf(bench)).toEqual([]);
  });
});

describe('/lockkeeper retry on a pull request', () => {
  test.each(['write', 'maintain', 'admin'] as const)('runs the newest run of its head again for somebody with %s', async (permission) => {
    const bench = openWorkbench();
    bench.code.people.set('mona', permission);
    await failed(bench);
    await comment(bench, 7);
    expect(
      runsOf(bench)
        .map(({ outcome }) => outcome)
        .sort(),
    ).toEqual(['complete', 'failed']);
    expect(bench.provider.names()).toEqual(['x=1']);
  });

  test.each(['triage', 'read', 'none'] as const)('does nothing for somebody with %s, whatever the webhook says of them', async (permission) => {
    const bench = openWorkbench();
    bench.code.people.set('mona', permission);
    await failed(bench);
    await comment(bench, 7);
    expect(runsOf(bench)).toHaveLength(1);
    expect(bench.logged.some(({ message }) => message.includes('may not push here'))).toBe(true);
  });

  test('does nothing for a program, on a closed pull request, or where no run is over', async () => {
    const bench = openWorkbench();
    bench.code.people.set('mona', 'admin');
    const first = await failed(bench);
    await comment(bench, 7, 'mona', 'Bot');
    const pull = bench.code.pulls.get(7);
    if (pull) bench.code.pulls.set(7, { ...pull, open: false });
    await comment(bench, 7);
    bench.pull(7, 'two', lines);
    await comment(bench, 7);
    expect(runsOf(bench).map(({ id }) => id)).toEqual([first.id]);
  });
});
