import { describe, expect, test } from 'vitest';
import { countingIds } from '../../test/ports/counting-ids.ts';
import { manualClock } from '../../test/ports/manual-clock.ts';
import { memoryTable, written } from '../../test/ports/memory-table.ts';
import { openWorkbench, type Workbench } from '../../test/ports/workbench.ts';
import { listItem } from '../adapters/http-api/list-item/list-item.ts';
import { createRegistry } from '../adapters/registry.ts';
import { lockHolder, ParentBusy, releaseParentLock, takeParentLock } from '../lease/parent-lock.ts';
import type { Op, ProviderHttp } from './op.ts';

/** One object with a list, at an API in memory. `before` is called right before a write takes place. */
function shared() {
  const state = { origins: ['https://theirs.example'], before: undefined as (() => Promise<void>) | undefined, writes: 0, gone: false, stuck: 0 };
  const http: ProviderHttp = {
    async send(request) {
      if (request.method === 'GET') return structuredClone({ name: 'main', origins: state.origins }) as never;
      const { before } = state;
      state.before = undefined;
      await before?.();
      state.writes += 1;
      state.origins = (request.body as { origins: string[] }).origins;
      return undefined as never;
    },
  };
  return { state, http };
}

const providers = { http: { login: { base_url: 'https://api.login.example' } } };
const policy = JSON.stringify({ version: 1, environments: { preview: { http_hosts: ['api.login.example'] } } });
const item = (id: string, origin: string) => ({
  id,
  adapter: 'http',
  op: 'list_item',
  api: 'login',
  parent: { path: '/config/auth', method: 'PATCH' },
  list_path: '/origins',
  item: origin,
});

function openBench() {
  const { state, http } = shared();
  const bench = openWorkbench('embedded', { registry: createRegistry([listItem as Op]), provider: http });
  const tip = '9'.repeat(40);
  bench.code.commit(tip, 'lockkeeper.yaml', policy);
  bench.code.tips.set('main', tip);
  return { bench, state };
}

/** Delivers every line's message that lies ready, each once: what other workers would do in this moment. */
async function otherWorkers(bench: Workbench): Promise<void> {
  const ready = bench.queues.waiting().filter((one) => one.queue === 'lines' && one.at <= bench.clock.now()).length;
  for (let count = 0; count < ready; count += 1) {
    const taken = bench.queues.take('lines');
    if (taken) await bench.deliver(taken);
  }
}

const locks = (bench: Workbench) => bench.memory.items().filter(({ pk }) => pk.startsWith('PARENT#'));

describe('an object whose parts several lines write (P3, R1.54)', () => {
  test('two lines of one run lose nothing of each other: the second comes back later, and nothing fails (R1.95)', async () => {
    const { bench, state } = openBench();
    state.before = () => otherWorkers(bench);
    const run = await bench.release(1, 'abc', [item('a', 'https://a.example'), item('b', 'https://b.example')], { providers });
    expect(run.outcome).toBe('complete');
    expect(state.origins).toEqual(['https://theirs.example', 'https://a.example', 'https://b.example']);
    expect(state.writes).toBe(2);
  });

  test('nor do two scopes, whichever environment they are of (R1.84, R1.94)', async () => {
    const { bench, state } = openBench();
    bench.pull(1, 'one', [item('a', 'https://one.example')], { providers });
    bench.pull(2, 'two', [item('a', 'https://two.example')], { providers });
    const [one, two] = [await bench.event('opened', 1, 'one'), await bench.event('opened', 2, 'two')];
    state.before = () => otherWorkers(bench);
    await bench.quiet();
    expect([(await bench.run(one)).outcome, (await bench.run(two)).outcome]).toEqual(['complete', 'complete']);
    expect(state.origins).toEqual(['https://theirs.example', 'https://one.example', 'https://two.example']);
    await bench.close(1, 'one');
    expect(state.origins).toEqual(['https://theirs.example', 'https://two.example']);
  });

  test('a destroy takes the lock that the entry records, though there is no plan, and waits for another line’s write', async () => {
    const { bench, state } = openBench();
    await bench.release(1, 'one', [item('a', 'https://one.example')], { providers });
    bench.pull(2, 'two', [item('a', 'https://two.example')], { providers });
    const two = await bench.event('opened', 2, 'two');
    const pull = bench.code.pulls.get(1);
    if (pull) bench.code.pulls.set(1, { ...pull, open: false });
    const one = await bench.event('closed', 1, 'one');
    state.before = () => otherWorkers(bench);
    await bench.quiet();
    expect([(await bench.run(one)).outcome, (await bench.run(two)).outcome]).toEqual(['complete', 'complete']);
    expect(state.origins).toEqual(['https://theirs.example', 'https://two.example']);
  });

  test('costs two writes of the table, and none where nothing is to be written', async () => {
    const { bench } = openBench();
    await bench.release(1, 'abc', [item('a', 'https://a.example')], { providers });
    const ofLocks = () => bench.memory.writes.filter(({ key }) => key.pk.startsWith('PARENT#')).length;
    expect(ofLocks()).toBe(2);
    expect(locks(bench)).toMatchObject([{ released: true }]);
    await bench.release(1, 'def', [item('a', 'https://a.example')], { providers });
    expect(ofLocks()).toBe(2);
  });

  test('a lock that a death left runs out, and the line goes on', async () => {
    const { bench, state } = openBench();
    bench.fates.plan(0, 'before', (call) => call === 'provider.send' && locks(bench).some((lock) => lock['released'] !== true));
    const run = await bench.release(1, 'abc', [item('a', 'https://a.example')], { providers });
    expect(bench.fates.met()).toBeDefined();
    expect(run.outcome).toBe('complete');
    expect(state.origins).toEqual(['https://theirs.example', 'https://a.example']);
  });

  test('a lock that never comes free fails the line with LOCK_HELD, after a bounded wait', async () => {
    const { bench, state } = openBench();
    bench.pull(1, 'abc', [item('a', 'https://a.example')], { providers });
    await bench.release(2, 'def', [item('a', 'https://b.example')], { providers });
    const [lock] = locks(bench);
    if (!lock) throw new Error('no lock');
    await bench.memory.table.write(
      { pk: lock.pk, sk: lock.sk },
      { set: { holder: 'frozen', expiresAt: bench.clock.now() + 86_400_000 }, remove: ['released'] },
      { is: 'always' },
    );
    const id = await bench.event('opened', 1, 'abc');
    await bench.quiet();
    expect(await bench.run(id)).toMatchObject({ outcome: 'failed' });
    expect((await bench.lines(id))['a']?.applied?.problem ?? (await bench.lines(id))['a']?.result?.problem).toMatchObject({ code: 'LOCK_HELD' });
    expect(state.origins).toEqual(['https://theirs.example', 'https://b.example']);
  });

  test('a name that carries a secret is refused before anything is sent', async () => {
    const { bench, state } = openBench();
    bench.secrets.set('SPOT', 'canary-in-a-path');
    const secret = { ...item('a', 'https://a.example'), vars: { spot: { secret: 'env://SPOT' } }, parent: { path: '/config/{spot}', method: 'PATCH' } };
    const run = await bench.release(1, 'abc', [secret], { providers });
    expect(run.outcome).toBe('failed');
    expect((await bench.report(run.id)).lines[0]?.problem?.code).toBe('SECRET_IN_IDENTITY');
    expect([state.writes, locks(bench)]).toEqual([0, []]);
    expect(JSON.stringify(bench.memory.items())).not.toContain('canary-in-a-path');
  });
});

describe('the lock', () => {
  function table(skew = 0) {
    const memory = memoryTable();
    const clock = manualClock();
    return { memory, clock, world: { table: memory.table, ids: countingIds(), clock, timing: { skew } } };
  }
  const [one, two] = [lockHolder('run', 'a', 1), lockHolder('run', 'b', 1)];

  test('is one attempt’s: the run’s other lines and the line’s next attempt wait for it', async () => {
    const { world, clock } = table();
    await takeParentLock(world, 'h', one, clock.now() + 1000);
    for (const other of [two, lockHolder('run', 'a', 2)])
      await expect(takeParentLock(world, 'h', other, clock.now() + 1000)).rejects.toBeInstanceOf(ParentBusy);
  });

  test('goes to one of two that ask at the same instant', async () => {
    const { world, clock } = table();
    const asked = await Promise.allSettled([one, two].map((holder) => takeParentLock(world, 'h', holder, clock.now() + 1000)));
    expect(asked.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('outlives its holder’s claim by two skews, so that no clock is 30 s too early', async () => {
    const { world, clock } = table(30_000);
    const until = clock.now() + 1000;
    await takeParentLock(world, 'h', one, until);
    clock.advance(1000 + 60_000);
    await expect(takeParentLock(world, 'h', two, clock.now() + 1000)).rejects.toBeInstanceOf(ParentBusy);
    clock.advance(1);
    expect(await takeParentLock(world, 'h', two, clock.now() + 1000)).toMatchObject({ holder: two, fence: 2 });
  });

  test.each(['done', 'never', 'late'] as const)('is taken though the answer was lost (the write: %s)', async (effect) => {
    const { world, clock, memory } = table();
    memory.faults.loseAnswer(written('PARENT#h', 'LEASE'), effect);
    expect(await takeParentLock(world, 'h', one, clock.now() + 1000)).toMatchObject({ holder: one, fence: 1 });
  });

  test('that was taken by another is not released by a late holder', async () => {
    const { world, clock, memory } = table();
    const late = await takeParentLock(world, 'h', one, clock.now() + 1000);
    clock.advance(1001);
    await takeParentLock(world, 'h', two, clock.now() + 1000);
    await releaseParentLock(world, 'h', late);
    expect(memory.peek('PARENT#h', 'LEASE')).toMatchObject({ holder: two });
    expect(memory.peek('PARENT#h', 'LEASE')?.['released']).toBeUndefined();
  });
});
