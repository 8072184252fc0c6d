import { describe, expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { commitOf, mona, openWorkbench, planOf, planPath, scopeOf, type Workbench } from '../../test/ports/workbench.ts';
import { readHead } from '../ledger/head.ts';

const lines = [
  { id: 'a', things: { a: '1' } },
  { id: 'b', things: { b: { from: 'a.id' } } },
];
const setOpen = (bench: Workbench, open: boolean): void => {
  const pull = bench.code.pulls.get(7);
  if (pull) bench.code.pulls.set(7, { ...pull, open });
};

describe('a run judges the pull request as it is, not the event that started it (P6)', () => {
  test('an opening that is told after the closing removes nothing and makes nothing', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', lines);
    setOpen(bench, false);
    const closed = await bench.event('closed', 7, 'one');
    const opened = await bench.event('opened', 7, 'one');
    await bench.quiet();
    expect(await bench.run(opened)).toMatchObject({ phase: 'done', outcome: 'complete' });
    await expect(bench.run(closed)).rejects.toThrow();
    expect(bench.provider.writes).toEqual([]);
    expect(disagreements(bench)).toEqual([]);
  });

  test('a late closing of a pull request that is open again applies it', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', lines);
    const late = await bench.event('closed', 7, 'one');
    await bench.quiet();
    expect(await bench.run(late)).toMatchObject({ kind: 'apply', outcome: 'complete' });
    expect(bench.provider.names()).toHaveLength(2);
  });

  test('a commit that is not the head any more is superseded, be the new head newer, older or unrelated', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'two', lines);
    bench.pull(7, 'one', [lines[0] as object]);
    const late = await bench.event('synchronize', 7, 'two');
    await bench.quiet();
    expect(await bench.run(late)).toMatchObject({ outcome: 'superseded' });
    const forced = await bench.release(7, 'one', [lines[0] as object]);
    expect(forced).toMatchObject({ outcome: 'complete' });
    const unrelated = await bench.release(7, 'unrelated', lines);
    expect(unrelated).toMatchObject({ outcome: 'complete' });
  });

  test('closed while the run waits for its grant: it destroys instead, or has nothing to do', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', lines);
    bench.pull(7, 'two', lines);
    const id = await bench.event('synchronize', 7, 'two');
    bench.memory.faults.before(
      (call) => call.op === 'write' && call.key.sk === 'LEASE',
      () => setOpen(bench, false),
    );
    await bench.quiet();
    expect(await bench.run(id)).toMatchObject({ kind: 'destroy', outcome: 'complete' });
    expect(bench.provider.names()).toEqual([]);
    expect(disagreements(bench)).toEqual([]);
  });

  test('opened again while the closing waits for its grant: the same run applies', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', lines);
    setOpen(bench, false);
    const id = await bench.event('closed', 7, 'one');
    bench.memory.faults.before(
      (call) => call.op === 'write' && call.key.sk === 'LEASE',
      () => setOpen(bench, true),
    );
    await bench.quiet();
    expect(await bench.run(id)).toMatchObject({ kind: 'apply', outcome: 'complete' });
    expect(bench.provider.names()).toHaveLength(2);
    expect(disagreements(bench)).toEqual([]);
  });

  test('closed between the judgement under the lease and the first item of a scope that never was: nothing is left (I8)', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', lines);
    await bench.event('opened', 7, 'one');
    // Right before the scope's head is made, the pull request closes and its webhook is worked on to its end.
    bench.memory.faults.before(
      (call) => call.op === 'write' && call.key.sk === 'HEAD' && 'put' in call.change,
      async () => {
        setOpen(bench, false);
        await bench.event('closed', 7, 'one');
        const intake = bench.queues.take('control');
        if (intake) await bench.deliver(intake);
      },
    );
    await bench.quiet();
    expect(bench.provider.names()).toEqual([]);
    expect(disagreements(bench)).toEqual([]);
  });
});

describe('a tombstone', () => {
  test('is written before the first delete, and lifted by an apply of what is open', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', lines);
    let atDelete: unknown;
    bench.provider.faults.before(
      (call) => call.method === 'DELETE',
      async () => {
        atDelete = (await readHead(bench.memory.table, scopeOf(7)))?.tombstone;
      },
    );
    const closed = await bench.close(7, 'one');
    expect(atDelete).toMatchObject({ run: closed.id });
    expect(await readHead(bench.memory.table, scopeOf(7))).toHaveProperty('tombstone');
    bench.pull(7, 'two', lines);
    const id = await bench.event('reopened', 7, 'two');
    await bench.quiet();
    expect((await bench.run(id)).outcome).toBe('complete');
    expect(await readHead(bench.memory.table, scopeOf(7))).not.toHaveProperty('tombstone');
    expect(disagreements(bench)).toEqual([]);
  });
});

describe('a commit older than the one applied last (R1.45, R1.47)', () => {
  async function applied() {
    const bench = openWorkbench();
    for (const name of ['one', 'two', 'three']) {
      bench.code.commit(commitOf(name), planPath, planOf([{ id: 'a', things: { a: name } }]));
      bench.code.history.push(commitOf(name));
    }
    const run = async (commit: string) => {
      const id = await bench.command({ commit });
      await bench.quiet();
      return bench.run(id);
    };
    return { bench, run };
  }

  test('is stale by the history of the scope: nothing is written', async () => {
    const { bench, run } = await applied();
    await run('one');
    await run('two');
    const writes = bench.provider.writes.length;
    expect(await run('one')).toMatchObject({ outcome: 'stale', phase: 'done' });
    expect(bench.provider.writes.length).toBe(writes);
    expect(bench.provider.names()).toEqual(['a=two']);
    expect(disagreements(bench)).toEqual([]);
  });

  test('is stale by ancestry where the history does not know it', async () => {
    const { run } = await applied();
    await run('two');
    expect((await run('one')).outcome).toBe('stale');
    expect((await run('three')).outcome).toBe('complete');
  });

  test('is stale before a single secret is resolved (R1.46)', async () => {
    const { bench, run } = await applied();
    await run('two');
    const world = bench.secrets;
    const asked: string[] = [];
    const get = world.get.bind(world);
    world.get = (name) => {
      asked.push(name);
      return get(name);
    };
    expect((await run('one')).outcome).toBe('stale');
    expect(asked).toEqual([]);
  });

  test('of another history is no older one', async () => {
    const { bench, run } = await applied();
    await run('two');
    bench.code.commit(commitOf('elsewhere'), planPath, planOf([{ id: 'a', things: { a: 'x' } }]));
    expect((await run('elsewhere')).outcome).toBe('complete');
  });

  test('is applied all the same when it is the head of the pull request: its author reset it (P6)', async () => {
    const bench = openWorkbench();
    bench.code.history.push(commitOf('one'), commitOf('two'));
    await bench.release(7, 'two', [{ id: 'a', things: { a: '2' } }]);
    expect((await bench.release(7, 'one', [{ id: 'a', things: { a: '1' } }])).outcome).toBe('complete');
    expect(bench.provider.names()).toEqual(['a=1']);
  });
});

describe('a webhook that lies, signed with a stolen secret, is not believed', () => {
  test('when it says that a fork’s pull request is none: the host says that it is, and nothing is made', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', lines);
    const pull = bench.code.pulls.get(7);
    if (pull) bench.code.pulls.set(7, { ...pull, head: { ...pull.head, fork: true } });
    const id = await bench.event('opened', 7, 'one');
    await bench.quiet();
    await expect(bench.run(id)).rejects.toThrow();
    expect(bench.provider.writes).toEqual([]);
  });

  test('when it becomes one between intake and run: the run asks again, and makes nothing', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', lines);
    const id = await bench.event('opened', 7, 'one');
    await bench.deliver(bench.queues.take() as NonNullable<ReturnType<typeof bench.queues.take>>);
    const pull = bench.code.pulls.get(7);
    if (pull) bench.code.pulls.set(7, { ...pull, head: { ...pull.head, fork: true } });
    await bench.quiet();
    expect(await bench.run(id)).toMatchObject({ phase: 'done', outcome: 'superseded' });
    expect(bench.provider.writes).toEqual([]);
  });

  test('when it gives a repository another id, and with it scopes of its own: no run is made', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', lines);
    bench.code.repository = { id: '4711' };
    const id = await bench.event('opened', 7, 'one');
    await bench.quiet();
    await expect(bench.run(id)).rejects.toThrow();
    expect(bench.provider.writes).toEqual([]);
  });

  test('when it names another branch, after which a plan may name things: the run has the host’s', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', lines);
    const pullRequest = { number: 7, headSha: commitOf('one'), headBranch: 'production', fork: false };
    await bench.happens({ format: 1, event: 'pull_request', action: 'opened', ...mona, pullRequest });
    await bench.quiet();
    expect(bench.memory.items().filter((item) => item['item'] === 'run')).toMatchObject([{ branch: 'feat-7', outcome: 'complete' }]);
  });

  test('when it names another default branch, whose policy would hold: the run has the host’s', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', lines);
    bench.code.repository = { defaultBranch: 'trunk' };
    const id = await bench.event('opened', 7, 'one');
    await bench.quiet();
    expect((await bench.run(id)).repository.defaultBranch).toBe('trunk');
  });
});
