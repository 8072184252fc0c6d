import { describe, expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { commitOf, openWorkbench, scopeOf, type Workbench } from '../../test/ports/workbench.ts';
import { LockkeeperError } from '../errors/error.ts';
import { readHead } from '../ledger/head.ts';

const site = [
  { id: 'a', things: { a: '1' } },
  { id: 'b', things: { b: { from: 'a.url' } } },
  { id: 'c', things: { c: { from: 'b.value' } } },
];
const isRunWrite = (phase: string) => (call: { op: string; change?: object }) =>
  call.op === 'write' && 'set' in (call.change ?? {}) && (call.change as { set: Record<string, unknown> }).set['phase'] === phase;

async function again(bench: Workbench, run: string): Promise<void> {
  bench.queues.deliver({ queue: 'control', at: bench.clock.now(), message: { format: 1, run, group: '7101' } });
  await bench.quiet();
}

describe('a line that needs what a deployment gives', () => {
  test('waits, its dependants with it; the run ends partial and gives its lease back (R1.48, R1.49, R1.62)', async () => {
    const bench = openWorkbench();
    const run = await bench.release(7, 'one', site);
    expect(run).toMatchObject({ phase: 'waiting', outcome: 'partial' });
    expect(await bench.statuses(run.id)).toEqual({ a: 'applied', b: 'waiting', c: 'waiting' });
    expect((await bench.report(run.id)).lines.slice(1).map(({ waitingOn, waitingFor }) => [waitingOn, waitingFor])).toEqual([
      ['a', 'deploy'],
      ['a', 'deploy'],
    ]);
    expect(disagreements(bench)).toEqual([]);
    expect((await readHead(bench.memory.table, scopeOf(7)))?.openRuns).toEqual([run.id]);
  });

  test('goes on when the deployment ends, in a round of its own (P2, P5)', async () => {
    const bench = openWorkbench();
    const run = await bench.release(7, 'one', site);
    await bench.deployed('one', 'success');
    await bench.quiet();
    expect(await bench.run(run.id)).toMatchObject({ phase: 'done', outcome: 'complete', round: 2 });
    expect(await bench.statuses(run.id)).toEqual({ a: 'unchanged', b: 'applied', c: 'applied' });
    const head = await readHead(bench.memory.table, scopeOf(7));
    expect([head?.notes, head?.openRuns]).toEqual([[], []]);
    expect(disagreements(bench)).toEqual([]);
  });

  test('goes on also where a prune takes the lease at that very moment, and uses up the notes that it finds (P5, I11)', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'zero', [...site, { id: 'd', things: { d: '1' } }]);
    bench.memory.faults.before(isRunWrite('waiting'), async () => {
      await bench.deployed('one', 'success');
      await bench.quiet();
    });
    const isReleased = () => bench.memory.items().some(({ pk, sk, released }) => pk === `SCOPE#${scopeOf(7)}` && sk === 'LEASE' && released === true);
    const isWaiting = () => bench.memory.items().some(({ item, phase, commit }) => item === 'run' && phase === 'waiting' && commit === commitOf('one'));
    bench.memory.faults.before(
      ({ op, ...call }) => op === 'get' && 'key' in call && call.key.sk === 'HEAD' && isWaiting() && isReleased(),
      async () => {
        const options = { busy: 'wait', confirmed: true } as const;
        await bench.command({ commit: 'one', pullRequest: 7, scope: 'pr-7', branch: 'feat-7', intent: 'prune', options });
        await bench.quiet();
      },
    );
    const run = await bench.release(7, 'one', site);
    expect(run).toMatchObject({ phase: 'done', outcome: 'complete', round: 2 });
  });

  test('asks again by itself when the provider did not answer: the event may have come and gone (I11)', async () => {
    const bench = openWorkbench();
    const run = await bench.release(7, 'one', site);
    bench.provider.faults.fail((call) => call.path.startsWith('deployments/'), new LockkeeperError({ code: 'PROVIDER_TIMEOUT', message: 'no answer' }));
    await bench.deployed('one', 'success');
    await bench.quiet();
    expect(await bench.run(run.id)).toMatchObject({ phase: 'waiting', round: 2 });
    await bench.sweep(31);
    expect(await bench.run(run.id)).toMatchObject({ phase: 'done', outcome: 'complete', round: 3 });
    expect(disagreements(bench)).toEqual([]);
  });

  test('does not wait for what has happened before the run began', async () => {
    const bench = openWorkbench();
    await bench.deployed('one', 'success');
    await bench.quiet();
    const run = await bench.release(7, 'one', site);
    expect(run).toMatchObject({ phase: 'done', outcome: 'complete', round: 1 });
  });

  test('is skipped when the deployment fails: the run fails, and what is applied stays', async () => {
    const bench = openWorkbench();
    const run = await bench.release(7, 'one', site);
    await bench.deployed('one', 'failure');
    await bench.quiet();
    expect(await bench.run(run.id)).toMatchObject({ phase: 'done', outcome: 'failed' });
    expect(await bench.statuses(run.id)).toMatchObject({ a: 'unchanged', b: 'skipped' });
    expect(bench.provider.names()).toEqual(['a=1']);
    expect(disagreements(bench)).toEqual([]);
  });

  test('is undone with all its run made when the round after the event fails, whatever round made it (P4)', async () => {
    const bench = openWorkbench();
    const run = await bench.release(7, 'one', site);
    bench.provider.edit('c', 'in the way');
    await bench.deployed('one', 'success');
    await bench.quiet();
    expect((await bench.run(run.id)).outcome).toBe('failed');
    expect(bench.provider.names()).toEqual(['c=in the way']);
    expect(disagreements(bench, ['c'])).toEqual([]);
  });

  test('is superseded by the next commit, which takes its place', async () => {
    const bench = openWorkbench();
    const first = await bench.release(7, 'one', site);
    const second = await bench.release(7, 'two', site);
    expect(await bench.run(first.id)).toMatchObject({ phase: 'done', outcome: 'superseded' });
    expect(second.phase).toBe('waiting');
    await bench.deployed('one', 'success');
    await bench.quiet();
    expect((await bench.run(second.id)).phase).toBe('waiting');
    await bench.deployed('two', 'success');
    await bench.quiet();
    expect((await bench.run(second.id)).outcome).toBe('complete');
  });
});

describe('an event that comes while the run settles is not lost (P5)', () => {
  test.each([
    ['before the run is noted as open', (call: { op: string; change?: object }) => call.op === 'write' && 'add' in (call.change ?? {})],
    ['between that and its rest', isRunWrite('waiting')],
  ])('%s', async (_when, match) => {
    const bench = openWorkbench();
    bench.pull(7, 'one', site);
    const id = await bench.event('opened', 7, 'one');
    bench.memory.faults.before(match, async () => {
      await bench.deployed('one', 'success');
      const intake = bench.queues.take('control');
      if (intake) await bench.deliver(intake);
    });
    await bench.quiet();
    expect(await bench.run(id)).toMatchObject({ phase: 'done', outcome: 'complete' });
  });

  test('not even when the step dies right after it stored that the run waits', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', site);
    const id = await bench.event('opened', 7, 'one');
    bench.memory.faults.before(isRunWrite('waiting'), async () => {
      await bench.deployed('one', 'success');
      const intake = bench.queues.take('control');
      if (intake) await bench.deliver(intake);
    });
    let after = 0;
    bench.memory.faults.fail(
      (call) => {
        if (isRunWrite('waiting')(call)) after = 1;
        else if (after === 1) after = 2;
        return after === 2;
      },
      new Error('died'),
      1,
    );
    await bench.quiet();
    expect(await bench.run(id)).toMatchObject({ phase: 'done', outcome: 'complete' });
    expect(disagreements(bench)).toEqual([]);
  });

  test('an event that comes twice resumes once', async () => {
    const bench = openWorkbench();
    const run = await bench.release(7, 'one', site);
    await bench.deployed('one', 'success');
    await bench.deployed('one', 'success');
    await bench.quiet();
    expect(await bench.run(run.id)).toMatchObject({ outcome: 'complete', round: 2 });
  });

  test('a message that comes late finds a run that waits and leaves it so', async () => {
    const bench = openWorkbench();
    const run = await bench.release(7, 'one', site);
    await again(bench, run.id);
    expect(await bench.run(run.id)).toMatchObject({ phase: 'waiting', round: 1 });
  });
});

describe('a provider at work', () => {
  test('is asked again until the thing is there; nothing is made twice', async () => {
    const bench = openWorkbench();
    const run = await bench.release(7, 'one', [
      { id: 'a', things: { a: '1' }, busy: 3 },
      { id: 'b', things: { b: { from: 'a.id' } } },
    ]);
    expect(run.outcome).toBe('complete');
    expect(bench.provider.writes.map((one) => one.name)).toEqual(['a', 'b']);
    expect(disagreements(bench)).toEqual([]);
  });

  test('for longer than ten minutes fails its line, which is taken back', async () => {
    const bench = openWorkbench();
    const run = await bench.release(7, 'one', [{ id: 'a', things: { a: '1' }, busy: 1_000 }]);
    expect(run.outcome).toBe('failed');
    expect((await bench.report(run.id)).lines[0]?.problem?.code).toBe('WAIT_TIMEOUT');
    expect(bench.provider.names()).toEqual([]);
    expect(disagreements(bench)).toEqual([]);
  });
});

describe('a provider that asks for a pause', () => {
  const pause = (bench: Workbench, seconds: number) =>
    bench.provider.faults.fail(
      (call) => call.method === 'POST' && call.name === 'a',
      new LockkeeperError({ code: 'PROVIDER_AGAIN', message: 'later', details: { at: bench.clock.now() + seconds * 1000 } }),
    );

  test('of a few seconds gets it from every line of that account', async () => {
    const bench = openWorkbench();
    pause(bench, 5);
    bench.pull(7, 'one', [
      { id: 'a', things: { a: '1' } },
      { id: 'b', things: { b: '1' } },
    ]);
    const id = await bench.event('opened', 7, 'one');
    const start = bench.clock.now();
    await bench.quiet();
    expect((await bench.run(id)).outcome).toBe('complete');
    expect(bench.clock.now() - start).toBeGreaterThanOrEqual(5_000);
  });

  test('of an hour gets the lease back meanwhile, and the run goes on by the sweep', async () => {
    const bench = openWorkbench();
    pause(bench, 3_600);
    const run = await bench.release(7, 'one', [
      { id: 'a', things: { a: '1' } },
      { id: 'b', things: { b: { from: 'a.id' } } },
    ]);
    expect(run).toMatchObject({ phase: 'waiting', outcome: 'partial' });
    expect(disagreements(bench)).toEqual([]);
    await bench.sweep(30);
    expect((await bench.run(run.id)).phase).toBe('waiting');
    await bench.sweep(31);
    expect(await bench.run(run.id)).toMatchObject({ phase: 'done', outcome: 'complete', round: 2 });
    expect(disagreements(bench)).toEqual([]);
  });
});
