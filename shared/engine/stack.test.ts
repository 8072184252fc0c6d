import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { toolFailed } from '../../test/ports/fake-stacks.ts';
import { answer, putPolicy } from '../../test/ports/people.ts';
import { openStackBench, type StackBench, stackLine, stacksPolicy } from '../../test/ports/stack-bench.ts';
import { scopeOf } from '../../test/ports/workbench.ts';
import { readLedgerLine } from '../ledger/ledger-line.ts';
import type { Run } from '../run/items.ts';
import { sealedObject } from '../stacks/sealed-object.ts';

/** A person's run in production, planned and parked. */
async function asked({ bench }: StackBench, changes: readonly object[], commit = 'one'): Promise<Run> {
  bench.clock.advance(1000);
  bench.pull(7, commit, changes);
  const id = await bench.command({ commit, environment: 'production', scope: 'main' });
  await bench.quiet();
  return bench.run(id);
}

test('where nobody is asked a stack is planned and applied in one job, and its outputs are those of its line', async () => {
  const self = openStackBench();
  const run = await self.bench.release(7, 'one', [stackLine('net', { a: '1', b: '2' }, { outputs: ['a'] }), { id: 'app', things: { x: { from: 'net.a' } } }]);
  expect(await self.bench.report(run.id)).toMatchObject({ status: 'complete' });
  expect(self.jobs()).toEqual(['plan-and-apply']);
  expect([...self.state().live]).toEqual([
    ['thing.a', '1'],
    ['thing.b', '2'],
  ]);
  expect(self.bench.provider.names()).toEqual(['x=1']);
  const again = await self.bench.release(7, 'two', [stackLine('net', { a: '1', b: '2' }, { outputs: ['a'] })]);
  expect(await self.bench.statuses(again.id)).toEqual({ net: 'unchanged' });
});

test('people are asked about a stack’s saved plan, and exactly that is applied', async () => {
  const self = openStackBench();
  const run = await asked(self, [stackLine('net', { a: '1' })]);
  expect(run).toMatchObject({ phase: 'awaiting', question: { q: 1 } });
  expect(self.jobs()).toEqual(['plan']);
  const done = await answer(self.bench, run);
  expect(done).toMatchObject({ phase: 'done', outcome: 'complete' });
  expect(self.jobs()).toEqual(['plan', 'apply']);
  expect([...self.state().live]).toEqual([['thing.a', '1']]);
});

test('the state moved between approval and apply: the stop is recorded with cause state before anything is planned again, and people are asked again (R4.6, R4.8, R4.17)', async () => {
  const self = openStackBench();
  const run = await asked(self, [stackLine('net', { a: '1' })]);
  self.state().serial += 1;
  const again = await answer(self.bench, run);
  expect(again).toMatchObject({ phase: 'awaiting', question: { q: 2 } });
  expect(again.question?.digest).not.toBe(run.question?.digest);
  expect(self.state().live.size).toBe(0);
  const done = await answer(self.bench, again);
  expect(done.outcome).toBe('complete');
  expect([...self.state().live]).toEqual([['thing.a', '1']]);
  expect((await self.bench.report(run.id)).stops).toEqual([
    { round: 1, step: 'net', cause: 'state', approved: run.question?.digest, replanned: again.question?.digest, differs: false },
  ]);
});

test('a saved plan that is another one in the bucket is not run: the line fails (I7)', async () => {
  const self = openStackBench();
  const run = await asked(self, [stackLine('net', { a: '1' })]);
  const name = self.bench.bucket.keys().find((key) => key.startsWith('plans/saved/')) as string;
  const other = sealedObject(name, Buffer.from('another plan'), randomBytes).body;
  self.bench.bucket.plant(name, other);
  const done = await answer(self.bench, run);
  expect(done.outcome).toBe('failed');
  expect((await self.bench.report(run.id)).lines).toMatchObject([{ status: 'failed', problem: { code: 'PLAN_CORRUPT' } }]);
  expect(self.state().live.size).toBe(0);
});

test('a recheck finds a value that moved under the same actions: it stops and asks again (R4.4, issue 8)', async () => {
  const self = openStackBench();
  putPolicy(self.bench, stacksPolicy({}, { recheck: true }));
  self.state().live.set('thing.a', '1');
  self.state().recorded.set('thing.a', '1');
  self.state().serial = 4;
  const run = await asked(self, [stackLine('net', { a: '2' })]);
  self.state().live.set('thing.a', 'by hand');
  const again = await answer(self.bench, run);
  expect(again).toMatchObject({ phase: 'awaiting', question: { q: 2 } });
  const done = await answer(self.bench, again);
  expect(done.outcome).toBe('complete');
  expect(self.state().live.get('thing.a')).toBe('2');
  expect((await self.bench.report(run.id)).stops).toMatchObject([{ step: 'guard', cause: 'drift', differs: false }]);
});

test('the plan that a pull request shows takes no lock of the tool: what nobody has merged keeps nobody from the stack (I4)', async () => {
  const self = openStackBench();
  putPolicy(self.bench, stacksPolicy({}, { plan_on_pull_request: true }));
  self.lock = { who: 'ada@desk' };
  self.bench.pull(7, 'one', [stackLine('net', { a: '1' }, { workspace: '${ctx.env}' })]);
  await self.bench.event('opened', 7, 'one');
  await self.bench.quiet();
  const ofProduction = [...self.bench.code.checks].find(([name]) => name.includes('after merge'))?.[1];
  expect(ofProduction).toMatchObject({ conclusion: 'success' });
  expect(self.bench.runner.began.filter(({ work }) => work.do === 'plan').map(({ work }) => work.lock)).toEqual([false]);
});

test('a recheck that finds the same throws its plan away: the approved file runs (R4.5)', async () => {
  const self = openStackBench();
  putPolicy(self.bench, stacksPolicy({}, { recheck: true }));
  const done = await answer(self.bench, await asked(self, [stackLine('net', { a: '1' })]));
  expect(done.outcome).toBe('complete');
  expect(self.jobs()).toEqual(['plan', 'plan', 'apply']);
  const [first] = self.bench.bucket.keys().filter((key) => key.startsWith('plans/saved/'));
  expect(self.bench.runner.began.at(-1)?.work.approved?.plan?.object).toBe(first);
});

test('a stack that waits for another line of its run is planned when that is there, and asked about in a further question', async () => {
  const self = openStackBench();
  const changes = [stackLine('net', { a: '1' }, { outputs: ['a'] }), stackLine('app', { b: { from: 'net.a' } })];
  const first = await asked(self, changes);
  expect(first.question?.q).toBe(1);
  const second = await answer(self.bench, first);
  expect(second).toMatchObject({ phase: 'awaiting', question: { q: 2 } });
  expect(self.state('infra/app').live.size).toBe(0);
  const done = await answer(self.bench, second);
  expect(done.outcome).toBe('complete');
  expect([...self.state('infra/app').live]).toEqual([['thing.b', '1']]);
});

test('an apply that breaks off fails its line with what was done and what was not, and is not rolled back', async () => {
  const self = openStackBench();
  self.breaksAfter = 1;
  const run = await self.bench.release(7, 'one', [stackLine('net', { a: '1', b: '2' })]);
  const report = await self.bench.report(run.id);
  expect(report.status).toBe('failed');
  expect(report.lines).toMatchObject([{ status: 'failed', problem: { code: 'TOOL_FAILED' }, notes: { done: 'thing.a', 'not done': 'thing.b' } }]);
  expect(report.kept).toEqual(['terraform infra/net (a stack is not rolled back: what was applied of it stays)']);
  self.breaksAfter = undefined;
  const next = await self.bench.release(7, 'two', [stackLine('net', { a: '1', b: '2' })]);
  expect(await self.bench.statuses(next.id)).toEqual({ net: 'applied' });
  const gone = await self.bench.close(7, 'two');
  expect(gone.outcome).toBe('complete');
  expect(self.state().live.size).toBe(0);
});

test('when its pull request is closed a stack is taken down by its tool, from the ledger alone (I8)', async () => {
  const self = openStackBench();
  await self.bench.release(7, 'one', [stackLine('net', { a: '1' }), { id: 'app', things: { x: '1' } }]);
  const gone = await self.bench.close(7, 'one');
  expect(gone.outcome).toBe('complete');
  expect(self.state().live.size).toBe(0);
  expect(self.jobs()).toEqual(['plan-and-apply', 'plan-and-apply of a destroy']);
  expect(self.bench.memory.items().filter(({ pk }) => String(pk).startsWith('CLAIM#'))).toEqual([]);
});

test('a stack in which there was something before is let go of, and not destroyed (R1.69)', async () => {
  const self = openStackBench();
  const state = self.state();
  for (const kept of [state.live, state.recorded]) kept.set('thing.old', '0');
  state.serial = 3;
  await self.bench.release(7, 'one', [stackLine('net', { old: '0', a: '1' })]);
  const gone = await self.bench.close(7, 'one');
  expect(gone.outcome).toBe('complete');
  expect([...state.live.keys()]).toEqual(['thing.old', 'thing.a']);
  expect((await self.bench.report(gone.id)).kept).toEqual(['terraform infra/net (there was something in it before it was first applied here)']);
});

test('the removal of a protected stack is asked about by its tool’s own plan, and exactly that is run', async () => {
  const self = openStackBench();
  await answer(self.bench, await asked(self, [stackLine('net', { a: '1', b: '2' })]));
  const id = await self.bench.command({ commit: 'one', environment: 'production', scope: 'main', intent: 'destroy' });
  await self.bench.quiet();
  const run = await self.bench.run(id);
  expect(run).toMatchObject({ phase: 'awaiting' });
  expect((await self.bench.report(id)).lines).toMatchObject([{ status: 'delete', changes: [{ label: 'thing.a' }, { label: 'thing.b' }] }]);
  const done = await answer(self.bench, run);
  expect(done.outcome).toBe('complete');
  expect(self.state().live.size).toBe(0);
  expect(self.jobs()).toEqual(['plan', 'apply', 'plan of a destroy', 'apply of a destroy']);
});

test('a line that left the plan leaves its stack an orphan, which a prune takes down', async () => {
  const self = openStackBench();
  await self.bench.release(7, 'one', [stackLine('net', { a: '1' }), { id: 'app', things: { x: '1' } }]);
  const next = await self.bench.release(7, 'two', [{ id: 'app', things: { x: '1' } }]);
  expect((await self.bench.report(next.id)).drift).toMatchObject([{ kind: 'orphan', line: 'net' }]);
  expect(self.state().live.size).toBe(1);
  const id = await self.bench.command({ commit: 'two', scope: 'pr-7', branch: 'feat-7', intent: 'prune', options: { busy: 'fail', confirmed: true } });
  await self.bench.quiet();
  expect((await self.bench.run(id)).outcome).toBe('complete');
  expect(self.state().live.size).toBe(0);
});

test('a root that was moved is one stack still: the orphan that its old place leaves is let go of, and what is wanted stays (I5, I8)', async () => {
  const self = openStackBench();
  const line = (path: string) => [stackLine('net', { a: '1' }, { path })];
  await self.bench.release(7, 'one', line('infra/net'));
  self.states.set('infra/moved', self.state());
  await self.bench.release(7, 'two', line('infra/moved'));
  const id = await self.bench.command({ commit: 'two', scope: 'pr-7', branch: 'feat-7', intent: 'prune', options: { busy: 'fail', confirmed: true } });
  await self.bench.quiet();
  expect(await self.bench.run(id)).toMatchObject({ outcome: 'complete' });
  expect((await self.bench.report(id)).kept).toEqual(['terraform infra/net (terraform infra/moved has the same state)']);
  expect([...self.state().live.keys()]).toEqual(['thing.a']);
  const claims = self.bench.memory.items().filter(({ sk }) => sk === 'CLAIM');
  expect(claims.map((claim) => (claim['identity'] as { key: string }).key)).toEqual(['infra/moved']);
  expect((await self.bench.close(7, 'two')).outcome).toBe('complete');
  expect(self.state().live.size).toBe(0);
});

test('nor is it another one under another line: what was made here goes with the scope (I5, I8)', async () => {
  const self = openStackBench();
  await self.bench.release(7, 'one', [stackLine('net', { a: '1' })]);
  self.states.set('infra/moved', self.state());
  await self.bench.release(7, 'two', [stackLine('web', { a: '1' }, { path: 'infra/moved' })]);
  const id = await self.bench.command({ commit: 'two', scope: 'pr-7', branch: 'feat-7', intent: 'prune', options: { busy: 'fail', confirmed: true } });
  await self.bench.quiet();
  expect((await self.bench.report(id)).kept).toEqual(['terraform infra/net (terraform infra/moved has the same state)']);
  expect(self.state().live.size).toBe(1);
  expect((await self.bench.close(7, 'two')).outcome).toBe('complete');
  expect(self.state().live.size).toBe(0);
});

test('a plan that only takes something out of a stack leaves its outputs to the lines that need them', async () => {
  const self = openStackBench();
  const app = { id: 'app', things: { x: { from: 'net.a' } } };
  const net = (things: object) => stackLine('net', things, { outputs: ['a'] });
  await self.bench.release(7, 'one', [net({ a: '1', b: '1' }), app]);
  const next = await self.bench.command({ commit: 'two', scope: 'pr-7', branch: 'feat-7', intent: 'plan', options: { busy: 'wait' } });
  self.bench.pull(7, 'two', [net({ a: '1' }), app]);
  await self.bench.quiet();
  expect((await self.bench.report(next)).lines.map(({ id, status }) => [id, status])).toEqual([
    ['net', 'update'],
    ['app', 'unchanged'],
  ]);
});

test('a stack that another scope has is refused in the plan: nobody is asked about what could not be applied', async () => {
  const self = openStackBench();
  await self.bench.release(7, 'one', [stackLine('net', { a: '1' })]);
  const run = await asked(self, [stackLine('net', { a: '2' })]);
  expect(run).toMatchObject({ phase: 'done', outcome: 'failed' });
  const [line] = (await self.bench.report(run.id)).lines;
  expect(line).toMatchObject({ status: 'blocked', problem: { code: 'OWNED_BY_OTHER_SCOPE', hint: expect.stringContaining('workspace') } });
});

test('beside a simulated cloud no tool is run: what it works on is real, and the secrets it would be given are not', async () => {
  const self = openStackBench({ simulated: true });
  const run = await self.bench.release(7, 'one', [stackLine('net', { a: '1' })]);
  expect((await self.bench.report(run.id)).lines).toMatchObject([{ status: 'blocked', problem: { code: 'STACK_NOT_SIMULATED' } }]);
  expect(self.jobs()).toEqual([]);
});

test('the tool’s lock is held by somebody else: the line comes back, and fails after ten minutes with who has it', async () => {
  const self = openStackBench();
  self.lock = { who: 'ada@desk', since: '2026-01-01T00:00:00Z', operation: 'OperationTypeApply', id: '7f3' };
  const run = await self.bench.release(7, 'one', [stackLine('net', { a: '1' })]);
  const report = await self.bench.report(run.id);
  expect(report.lines).toMatchObject([{ status: 'failed', problem: { code: 'TOOL_LOCKED' } }]);
  expect(report.lines[0]?.problem?.message).toContain('ada@desk since 2026-01-01T00:00:00Z');
  expect(self.jobs().length).toBeGreaterThan(5);
});

test('the tool’s lock is held, and the end of each try wakes the line: it is tried no more often than without that', async () => {
  const self = openStackBench();
  self.lock = { who: 'ada@desk' };
  self.instead = () => {
    for (const { pk, sk, round, phase } of self.bench.memory.items())
      if (sk === 'LINE#net')
        self.bench.queues.deliver({
          queue: 'lines',
          at: self.bench.clock.now(),
          message: { format: 1, run: pk.slice('RUN#'.length), round: round as number, phase: phase as 'applying', line: 'net', group: '7101' },
        });
    return undefined;
  };
  const run = await self.bench.release(7, 'one', [stackLine('net', { a: '1' })]);
  expect((await self.bench.report(run.id)).lines).toMatchObject([{ problem: { code: 'TOOL_LOCKED' } }]);
  // Ten minutes, and a third of this bench's lease between two tries.
  expect(self.jobs().length).toBeLessThanOrEqual((10 * 60) / 6 + 1);
});

test('the lock is freed meanwhile: the line goes on, and nobody had to do anything', async () => {
  const self = openStackBench();
  self.lock = { who: 'ada@desk' };
  self.bench.pull(7, 'one', [stackLine('net', { a: '1' })]);
  const id = await self.bench.event('synchronize', 7, 'one');
  const { tool } = self.bench.runner;
  let looks = 0;
  self.bench.runner.tool = (work, at) => {
    if (++looks === 3) self.lock = undefined;
    return tool(work, at);
  };
  await self.bench.quiet();
  expect((await self.bench.run(id)).outcome).toBe('complete');
});

test('two lines that name one stack are refused in the plan', async () => {
  const self = openStackBench();
  const run = await asked(self, [stackLine('net', { a: '1' }), stackLine('too', { a: '1' }, { path: 'infra/net' })]);
  expect(await self.bench.statuses(run.id)).toEqual({ net: 'create', too: 'blocked' });
  expect(run.outcome).toBe('failed');
});

test('a stack where policy says nothing of stacks is denied before any secret is read', async () => {
  const self = openStackBench();
  putPolicy(self.bench, JSON.stringify({ version: 1 }));
  const run = await self.bench.release(7, 'one', [stackLine('net', { a: '1' })]);
  expect(run).toMatchObject({ outcome: 'failed', problem: { code: 'POLICY_DENIED' } });
  expect(self.jobs()).toEqual([]);
});

test('nothing but what policy gives is in the tool’s environment, and neither a secret of it nor of a variable is stored or shown anywhere (I1)', async () => {
  const self = openStackBench();
  putPolicy(self.bench, stacksPolicy({ env: { TF_LOG: 'off' }, secrets: { STATE_PASSWORD: 'env://STATE_PASSWORD' } }));
  self.bench.secrets.set('STATE_PASSWORD', 'canary-of-the-state');
  self.bench.secrets.set('DB', 'canary-of-a-variable');
  self.words = 'it said canary-of-the-state and canary-of-a-variable';
  const run = await self.bench.release(7, 'one', [
    stackLine('net', { a: { secret: 'env://DB' } }, { outputs: ['a'] }),
    { id: 'app', things: { x: { from: 'net.a' } } },
  ]);
  expect(run.outcome).toBe('complete');
  expect(self.bench.runner.began[0]?.work.environment).toEqual({ TF_LOG: 'off', STATE_PASSWORD: 'canary-of-the-state' });
  expect(self.bench.provider.names()).toEqual(['x=canary-of-a-variable']);
  const everything = JSON.stringify([
    self.bench.memory.items().map((item) => ({ ...item })),
    self.bench.bucket.keys().map((key) => self.bench.bucket.bodies(key)),
    self.bench.logged,
    [...self.bench.code.comments.values()],
  ]);
  expect(everything).not.toContain('canary-of');
});

test('a stack that is as it is wanted, and in no ledger yet, is recorded as one that was there: it is never destroyed (R0.7, R1.69)', async () => {
  const self = openStackBench();
  const state = self.state();
  for (const kept of [state.live, state.recorded]) kept.set('thing.a', '1');
  state.serial = 3;
  const run = await asked(self, [stackLine('net', { a: '1' })]);
  expect(run).toMatchObject({ phase: 'done', outcome: 'complete' });
  expect(await self.bench.report(run.id)).toMatchObject({ managed: 1, lines: [{ status: 'unchanged' }] });
  expect(self.jobs()).toEqual(['plan', 'plan-and-apply']);
  const again = await asked(self, [stackLine('net', { a: '1' })], 'two');
  expect(again.outcome).toBe('complete');
  expect(self.jobs()).toEqual(['plan', 'plan-and-apply', 'plan']);
  const [line] = self.bench.memory.items().filter(({ sk }) => sk === 'LEDGER#net');
  expect(line?.['entries']).toMatchObject([{ createdBy: 'adopted', key: 'infra/net' }]);
});

test('a stack that another scope owns, and that is as it is wanted, is relied on and not taken (R1.86)', async () => {
  const self = openStackBench();
  await self.bench.release(7, 'one', [stackLine('net', { a: '1' })]);
  const run = await asked(self, [stackLine('net', { a: '1' })], 'two');
  expect(run.outcome).toBe('complete');
  expect(await self.bench.report(run.id)).toMatchObject({ managed: 0, lines: [{ status: 'unchanged' }] });
});

test('a stack is taken down as it was last applied, whatever commit could not be planned since (I8, R0.15)', async () => {
  const self = openStackBench();
  const made = async () => (await readLedgerLine(self.bench.memory.table, scopeOf(7), 'net'))?.entries[0]?.stack;
  await self.bench.release(7, 'one', [stackLine('net', { a: '1' })]);
  const first = await made();
  self.instead = (work) => (work.do === 'plan-and-apply' && !work.destroys ? { format: 1, words: '', ...toolFailed('plan-failed') } : undefined);
  for (const commit of ['two', 'three']) {
    const failed = await self.bench.release(7, commit, [stackLine('net', { a: '2' }, { version: '1.11.4' })]);
    expect(await self.bench.statuses(failed.id)).toEqual({ net: 'failed' });
    expect(await made()).toEqual(first);
  }
  expect((await self.bench.close(7, 'three')).outcome).toBe('complete');
  expect(self.bench.runner.began.at(-1)?.work).toMatchObject({ destroys: true, variables: { a: '1' } });
  expect(self.state().live.size).toBe(0);
});
