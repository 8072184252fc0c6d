import { describe, expect, it } from 'vitest';
import { decide } from '../../shared/approvals/decision.ts';
import { verifyChain } from '../../shared/receipts/verify-chain.ts';
import type { Run } from '../../shared/run/items.ts';
import { scopePath } from '../../shared/table/keys.ts';
import { repository, type Workbench } from '../ports/workbench.ts';
import { readFixture, restore } from './restore.ts';

const three = ['first=1', 'second=id-1', 'third=a secret value of the fixture'];

/** Every run there is, the newest last. */
const runsOf = (bench: Workbench): Run[] =>
  bench.memory
    .items()
    .filter((item) => item['item'] === 'run')
    .map((item) => item as unknown as Run)
    .sort((a, b) => a.startedAt.localeCompare(b.startedAt));

const onlyRun = (bench: Workbench): Run => runsOf(bench)[0] as Run;

const chainOf = ({ bucket }: Workbench, environment = 'preview', scope = 'pr-7') =>
  verifyChain(bucket.objects, scopePath({ repository: repository.id, plan: 'main', environment, scope }));

/** Whatever the old code left is as good as our own: nothing is written again, and all of it goes. */
async function isOurs(bench: Workbench): Promise<void> {
  const before = bench.provider.writes.length;
  const again = await bench.release(7, 'two', readFixture('line').pull.changes);
  expect(again).toMatchObject({ phase: 'done', outcome: 'complete' });
  expect(bench.provider.writes).toHaveLength(before);
  expect(await bench.close(7, 'two')).toMatchObject({ kind: 'destroy', outcome: 'complete' });
  expect(bench.provider.names()).toEqual([]);
  expect(await chainOf(bench)).not.toHaveProperty('broken');
}

describe('what the previous format left', () => {
  it('a queued line is finished: the run completes, its receipt stands, nothing is made twice (I3, I6, I8)', async () => {
    const bench = await restore(readFixture('line'));
    await bench.quiet();
    expect(onlyRun(bench)).toMatchObject({ phase: 'done', outcome: 'complete' });
    expect(bench.provider.names()).toEqual(three);
    expect(bench.provider.find('first')?.id).toBe('id-1');
    expect(await chainOf(bench)).toMatchObject({ links: 1 });
    await isOurs(bench);
  });

  it('a queued line whose lease ran out meanwhile is finished under a new fence of the same run (P3)', async () => {
    const bench = await restore(readFixture('line'));
    bench.clock.advance(3_600_000);
    await bench.quiet();
    expect(onlyRun(bench)).toMatchObject({ phase: 'done', outcome: 'complete' });
    expect(bench.provider.names()).toEqual(three);
    expect(bench.memory.peek(`SCOPE#${repository.id}#main#preview#pr-7`, 'LEASE')).toMatchObject({ fence: 2 });
  });

  it('a queued line whose message was lost with the old code is queued again by the sweep (I11)', async () => {
    const bench = await restore({ ...readFixture('line'), messages: [] });
    await bench.quiet();
    expect(onlyRun(bench).phase).toBe('applying');
    await bench.sweep();
    expect(onlyRun(bench)).toMatchObject({ phase: 'done', outcome: 'complete' });
    expect(bench.provider.names()).toEqual(three);
  });

  it('a recorded webhook starts its run', async () => {
    const bench = await restore(readFixture('intake'));
    await bench.quiet();
    expect(onlyRun(bench)).toMatchObject({ phase: 'done', outcome: 'complete', pullRequest: 7 });
    expect(bench.provider.names()).toEqual(three);
    await isOurs(bench);
  });

  it('a run that waits for a deployment goes on when it comes, and its receipt follows the old one (I6)', async () => {
    const bench = await restore(readFixture('waiting'));
    expect(onlyRun(bench)).toMatchObject({ phase: 'waiting', outcome: 'partial' });
    await bench.deployed('one', 'success');
    await bench.quiet();
    expect(onlyRun(bench)).toMatchObject({ phase: 'done', outcome: 'complete', round: 2 });
    expect(bench.provider.names()).toHaveLength(4);
    expect(await chainOf(bench)).toMatchObject({ links: 2 });
    expect(await chainOf(bench)).not.toHaveProperty('broken');
  });
});

async function answered(bench: Workbench, verdict: 'approve' | 'reject'): Promise<Run> {
  const run = onlyRun(bench);
  const { q, digest } = run.question as NonNullable<Run['question']>;
  const at = new Date(bench.clock.now()).toISOString();
  await decide(bench.world(), { q, digest, run: run.id }, { verdict, person: { name: 'kim', through: 'machine' }, at });
  await bench.queues.queues.control({ format: 1, run: run.id, group: repository.id });
  await bench.quiet();
  return bench.run(run.id);
}

describe('a run parked by the format that was recorded', () => {
  it('is approved by the digest it was asked under, and applied: one question, one apply (I7, I12)', async () => {
    const bench = await restore(readFixture('parked'));
    const { question } = onlyRun(bench);
    const done = await answered(bench, 'approve');
    expect(done).toMatchObject({ phase: 'done', outcome: 'complete', question: { q: 1, digest: question?.digest } });
    expect(bench.provider.names()).toEqual(three);
    expect(bench.provider.writes).toHaveLength(3);
    expect(bench.states.open.size).toBe(0);
    expect(await chainOf(bench, 'production', 'main')).toMatchObject({ links: 1 });
  });

  it('outlives the process of an embedded stack: its execution is started again', async () => {
    const bench = await restore(readFixture('parked'), { machine: false });
    expect(await answered(bench, 'approve')).toMatchObject({ phase: 'done', outcome: 'complete', question: { q: 1 } });
    expect(bench.provider.writes).toHaveLength(3);
  });

  it('is rejected, and writes nothing', async () => {
    const bench = await restore(readFixture('parked'));
    expect(await answered(bench, 'reject')).toMatchObject({ phase: 'done', outcome: 'rejected' });
    expect(bench.provider.names()).toEqual([]);
  });

  it('expires at the time it was given', async () => {
    const bench = await restore(readFixture('parked'));
    await bench.sweep(25 * 60);
    expect(onlyRun(bench)).toMatchObject({ phase: 'done', outcome: 'expired' });
  });

  it('whose line would do something else by now writes nothing for it (I7)', async () => {
    const bench = await restore(readFixture('parked'));
    bench.provider.edit('first', 'by hand');
    await answered(bench, 'approve');
    expect(bench.provider.names()).toContain('first=by hand');
  });
});

it('a run that was approved and let go applies what was approved, and its receipt names who decided (I7)', async () => {
  const bench = await restore(readFixture('approved'));
  await bench.quiet();
  const run = onlyRun(bench);
  expect(run).toMatchObject({ phase: 'done', outcome: 'complete', honoured: { q: 1 } });
  expect(bench.provider.names()).toEqual(three);
  expect((await bench.report(run.id)).decisions).toMatchObject([{ verdict: 'approve', person: 'kim' }]);
});

it.each(['intake', 'line', 'waiting', 'parked', 'approved'])('the fixture %s holds its secret nowhere but at the provider (I1)', (state) => {
  const { things: _theirs, ...ours } = readFixture(state);
  expect(JSON.stringify(ours)).not.toContain('a secret value of the fixture');
});
