import { expect, test } from 'vitest';
import type { LineMessage } from '../../events/line-message.ts';
import { deliverUntil } from '../../test/ports/deliver-until.ts';
import type { Queued } from '../../test/ports/memory-queues.ts';
import type { Fate } from '../../test/ports/mortal.ts';
import { answer } from '../../test/ports/people.ts';
import { openStackBench, type StackBench, stackLine } from '../../test/ports/stack-bench.ts';
import { commitOf, scopeOf, type Workbench } from '../../test/ports/workbench.ts';
import type { LedgerLine } from '../ledger/entry.ts';
import { readLedgerLine } from '../ledger/ledger-line.ts';
import { deadLine } from '../run/dead-letter.ts';

const lines = [stackLine('net', { a: '1', b: '2' }, { outputs: ['a'] }), { id: 'app', things: { x: { from: 'net.a' } } }];

/** A stack whose tool takes some steps, and that says so when two of them are at work at once. */
function watched(): StackBench & { readonly broken: string[] } {
  const self = openStackBench();
  const broken: string[] = [];
  const { tool } = self.bench.runner;
  self.bench.runner.forgets = true;
  self.bench.runner.tool = (work, at) => {
    const writing = self.bench.runner.processes().filter((one) => one.at === 'working' && one.purpose === 'apply');
    if (writing.length > 1) broken.push(`${writing.map(({ job }) => job)} are at work at once`);
    return at.step < 2 ? 'works' : tool(work, at);
  };
  return Object.assign(self, { broken });
}

const ledgerOf = async ({ memory }: Workbench, scope: string): Promise<LedgerLine | undefined> => readLedgerLine(memory.table, scope, 'net');

/** What has to be true of a stack whose run is over, whatever befell it. */
async function expectApplied({ bench, broken, jobs, state }: ReturnType<typeof watched>, scope: string): Promise<void> {
  expect([...state().live]).toEqual([
    ['thing.a', '1'],
    ['thing.b', '2'],
  ]);
  expect(jobs().filter((did) => did !== 'plan')).toHaveLength(1);
  const ledger = await ledgerOf(bench, scope);
  expect(ledger?.external?.ended).toBeDefined();
  expect(ledger?.entries[0]?.stack).toMatchObject({ state: { serial: state().serial } });
  expect(ledger?.entries[0]?.stack).not.toHaveProperty('begun');
  expect(bench.provider.names()).toEqual(['x=1']);
  expect(broken).toEqual([]);
}

/** A provider's answer that is lost may fail a run: of that other tests tell. */
const isChange = (name: string): boolean => /write|put|control|lines|start|stop|succeed/.test(name);

type Watched = ReturnType<typeof watched>;

/**
 * Tells the story once undisturbed, and again with each fate at each of its calls that changes anything, from where it begins to matter. Returns
 * what went wrong.
 */
async function sweep(
  fates: readonly Fate[],
  begin: (self: Watched) => Promise<string>,
  goOn: (self: Watched, run: string) => Promise<void>,
): Promise<string[]> {
  const told = watched();
  const first = await begin(told);
  const before = told.bench.fates.calls.length;
  await goOn(told, first);
  const wrong: string[] = [];
  for (const [at, { name }] of told.bench.fates.calls.slice(before).entries()) {
    if (!isChange(name)) continue;
    for (const fate of fates) {
      const self = watched();
      const run = await begin(self);
      self.bench.fates.plan(at, fate);
      await goOn(self, run).catch((error: unknown) => wrong.push(`${self.bench.fates.met()}: ${error instanceof Error ? error.message.slice(0, 300) : error}`));
    }
  }
  return wrong;
}

/** The schedule looks after whatever a fault has left. */
async function untilOver({ bench }: Watched, run: string): Promise<void> {
  for (let times = 0; times < 4 && (await bench.run(run)).phase !== 'done'; times += 1) await bench.sweep();
  expect((await bench.run(run)).outcome).toBe('complete');
}

test('a stack that nobody is asked about is applied once, wherever one fault falls (P9, I2, I9, I11)', async () => {
  const wrong = await sweep(
    ['before', 'lost'],
    async ({ bench }) => {
      bench.pull(7, 'one', lines);
      return bench.event('opened', 7, 'one');
    },
    async (self, run) => {
      await self.bench.quiet();
      await untilOver(self, run);
      await expectApplied(self, scopeOf(7));
    },
  );
  expect(wrong).toEqual([]);
});

test('an approved plan of a stack is applied once, wherever one fault falls (P7, P9, R4.2, I7, I11)', async () => {
  const wrong = await sweep(
    ['before'],
    async ({ bench }) => {
      bench.clock.advance(1000);
      bench.pull(7, 'one', [lines[0] as object]);
      const run = await bench.command({ commit: 'one', environment: 'production', scope: 'main' });
      await bench.quiet();
      return run;
    },
    async (self, run) => {
      await answer(self.bench, await self.bench.run(run));
      await untilOver(self, run);
      expect([...self.state().live]).toHaveLength(2);
      expect(self.jobs()).toEqual(['plan', 'apply']);
      expect(self.broken).toEqual([]);
    },
  );
  expect(wrong).toEqual([]);
});

test('a line that stands still at any call, until a newer commit’s run has come and gone, does no harm when it goes on (P9, I9)', async () => {
  const wrong: string[] = [];
  for (let at = 0; ; at += 1) {
    const self = watched();
    const { bench } = self;
    bench.pull(7, 'one', [stackLine('net', { a: '1' })]);
    await bench.event('opened', 7, 'one');
    for (let next = bench.queues.nextAt(); next !== undefined; next = bench.queues.nextAt()) {
      bench.clock.set(Math.max(next, bench.clock.now()));
      const message = bench.queues.takeAt(0);
      if (!message) break;
      if (message.queue === 'lines') {
        bench.queues.deliver(message);
        break;
      }
      await bench.deliver(message);
    }
    bench.fates.plan(at, 'frozen');
    const still = bench.fates.frozen().then(() => true);
    const first = bench.quiet().then(() => false);
    if (!(await Promise.race([still, first]))) break;
    const name = bench.fates.met();
    bench.clock.advance(60_000);
    bench.pull(7, 'two', [stackLine('net', { a: '2' })]);
    const second = await bench.event('synchronize', 7, 'two');
    await bench.quiet();
    await bench.sweep();
    bench.fates.thaw();
    await first.catch(() => undefined);
    await bench.quiet();
    await bench.sweep(2);
    const { outcome } = await bench.run(second);
    const live = [...self.state().live].map(String);
    if (outcome !== 'complete' || String(live) !== 'thing.a,2') wrong.push(`${at} ${name?.slice(0, 120)}: ${outcome}, ${live}`);
    wrong.push(...self.broken);
  }
  expect(wrong).toEqual([]);
});

test('a run whose line has died ends the tool that is still at work before it undoes and settles anything (P9, I2, I11)', async () => {
  const self = watched();
  const { bench } = self;
  bench.runner.tool = () => 'works';
  bench.pull(7, 'one', [
    { id: 'first', things: { y: '1' } },
    { ...(lines[0] as object), depends_on: ['first'] },
  ]);
  const run = await bench.event('opened', 7, 'one');
  const isAtWork = () => bench.runner.processes().some(({ at }) => at === 'working');
  await deliverUntil(bench, isAtWork);
  const { round } = await bench.run(run);
  const message: LineMessage = { format: 1, run, round, phase: 'applying', line: 'net', group: '7101' };
  await deadLine(bench.world(), message);
  let undone = 0;
  await deliverUntil(bench, async () => {
    if (bench.provider.writes.some(({ method }) => method === 'DELETE') && isAtWork()) undone += 1;
    return (await bench.run(run)).phase === 'done';
  });
  expect(undone).toBe(0);
  expect((await bench.run(run)).outcome).toBe('failed');
  expect(bench.runner.processes().map(({ at }) => at)).toEqual(['ended']);
  expect(bench.provider.names()).toEqual([]);
  expect(await ledgerOf(bench, scopeOf(7))).toMatchObject({ external: { ended: expect.any(Number) }, left: { run, did: 'failed', cause: 'stopped' } });
});

test('a line that holds two stacks has each of them destroyed by a job of its own (P9, I8)', async () => {
  const self = watched();
  const { bench } = self;
  await bench.release(7, 'one', [stackLine('net', { a: '1' })]);
  await bench.release(7, 'two', [stackLine('net', { a: '1' }, { path: 'infra/other' })]);
  expect((await ledgerOf(bench, scopeOf(7)))?.entries).toHaveLength(2);
  const run = await bench.close(7, 'two');
  expect(run.outcome).toBe('complete');
  expect([self.state('infra/net').live.size, self.state('infra/other').live.size]).toEqual([0, 0]);
  expect(self.jobs().filter((did) => did.endsWith('of a destroy'))).toHaveLength(2);
});

test('a line that is planned by two functions at once has one job (P1, P9, R2.8)', async () => {
  const self = watched();
  const { bench } = self;
  bench.pull(7, 'one', [stackLine('net', { a: '1' })]);
  const run = await bench.command({ commit: 'one', environment: 'production', scope: 'main' });
  const isPlanning = (one: Queued | undefined) => one?.queue === 'lines' && one.message.phase === 'planning';
  const first = await deliverUntil(bench, isPlanning);
  const message = bench.queues.takeAt(0);
  expect(isPlanning(first) && message).toBeTruthy();
  await Promise.all([bench.deliver(message as Queued), bench.deliver(message as Queued)]);
  await bench.quiet();
  expect((await bench.run(run)).phase).toBe('awaiting');
  expect(self.jobs()).toEqual(['plan']);
  expect(new Set(bench.runner.processes().map(({ token }) => token)).size).toBe(1);
});

test('nor does a removal settle before: what the tool did by then is noted for the next run (P9, I11)', async () => {
  const self = watched();
  const { bench } = self;
  await bench.release(7, 'one', [lines[0] as object]);
  const run = await bench.event('closed', 7, 'one');
  bench.code.pulls.set(7, { number: 7, open: false, head: { sha: commitOf('one'), branch: 'feat-7', fork: false } });
  const { tool } = bench.runner;
  bench.runner.tool = () => 'works';
  await deliverUntil(bench, () => bench.runner.processes().some(({ at }) => at === 'working'));
  await deadLine(bench.world(), { format: 1, run, round: (await bench.run(run)).round, phase: 'applying', line: 'net', group: '7101' });
  await deliverUntil(bench, async () => (await bench.run(run)).phase === 'done');
  expect(bench.runner.processes().every(({ at }) => at === 'ended')).toBe(true);
  expect((await bench.run(run)).outcome).toBe('failed');
  expect(await ledgerOf(bench, scopeOf(7))).toMatchObject({ external: { ended: expect.any(Number) }, left: { run, cause: 'stopped' } });
  bench.runner.tool = tool;
});
