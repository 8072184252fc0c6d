/** What was in a stack before Lockkeeper came is deleted by nothing, however the first applies of it ended (R1.69). */
import { expect, test } from 'vitest';
import { toolFailed } from '../../test/ports/fake-stacks.ts';
import { answer, putPolicy } from '../../test/ports/people.ts';
import { openStackBench, type StackBench, stackLine, stacksPolicy } from '../../test/ports/stack-bench.ts';

const things = { old: '1', a: '1', b: '2' };

function withOld(value: string): StackBench {
  const self = openStackBench();
  const state = self.state();
  for (const kept of [state.live, state.recorded]) kept.set('thing.old', value);
  state.serial = 4;
  return self;
}

const applies = async (self: StackBench, commit: string, of: object = things) =>
  self.bench.statuses((await self.bench.release(7, commit, [stackLine('net', of)])).id);

/** Closes the pull request; what the removal says to have kept. */
async function closed(self: StackBench, commit: string): Promise<readonly string[]> {
  const gone = await self.bench.close(7, commit);
  expect(gone.outcome).toBe('complete');
  expect([...self.state().live.keys()]).toContain('thing.old');
  expect(self.bench.memory.items().filter(({ pk }) => String(pk).startsWith('CLAIM#'))).toEqual([]);
  return (await self.bench.report(gone.id)).kept ?? [];
}

const was = 'terraform infra/net (there was something in it before it was first applied here)';
const unsure = 'terraform infra/net (it was never applied to its end here, and there is something in it of which nobody knows who made it)';

test('the first apply broke off: a destroy that would take more than it made is not run', async () => {
  const self = withOld('1');
  self.breaksAfter = 1;
  expect(await applies(self, 'one')).toEqual({ net: 'failed' });
  self.breaksAfter = undefined;
  expect(await closed(self, 'one')).toEqual([unsure]);
  expect([...self.state().live.keys()]).toEqual(['thing.old', 'thing.a']);
});

test('the first apply broke off when it had changed what was there, and the second ended well', async () => {
  const self = withOld('0');
  self.breaksAfter = 1;
  expect(await applies(self, 'one', { old: '1', z: '2' })).toEqual({ net: 'failed' });
  self.breaksAfter = undefined;
  expect(await applies(self, 'two', { old: '1', z: '2' })).toEqual({ net: 'applied' });
  expect(await closed(self, 'two')).toEqual([was]);
});

test('the first apply replaced what was there', async () => {
  const self = withOld('0');
  expect(await applies(self, 'one', { old: 'new:1' })).toEqual({ net: 'applied' });
  expect(await closed(self, 'one')).toEqual([was]);
});

test('the first apply ended without a word, and nothing came after it', async () => {
  const self = withOld('1');
  self.instead = () => 'dies';
  expect(await applies(self, 'one')).toEqual({ net: 'failed' });
  self.instead = undefined;
  expect(await closed(self, 'one')).toEqual([unsure]);
});

test('the first apply ended without a word, and the second ended well', async () => {
  const self = withOld('1');
  self.instead = () => 'dies';
  await applies(self, 'one');
  self.instead = undefined;
  expect(await applies(self, 'two')).toEqual({ net: 'applied' });
  expect(await closed(self, 'two')).toEqual([was]);
});

test('the role that the first apply was to have could not be assumed', async () => {
  const self = withOld('1');
  putPolicy(self.bench, stacksPolicy({ apply_role: 'arn:aws:iam::111122223333:role/lockkeeper-stack-x' }));
  expect(await applies(self, 'one')).toEqual({ net: 'failed' });
  expect(self.bench.memory.items().filter(({ pk }) => String(pk).startsWith('CLAIM#'))).toEqual([]);
  putPolicy(self.bench, stacksPolicy());
  expect(await closed(self, 'one')).toEqual([]);
  expect(self.jobs().filter((job) => job === 'plan-and-apply')).toEqual([]);
});

test('people who are asked about the removal of a stack that was never applied to its end see that it stays', async () => {
  const self = withOld('1');
  self.bench.pull(7, 'one', [stackLine('net', things)]);
  self.breaksAfter = 1;
  const first = await self.bench.command({ commit: 'one', environment: 'production', scope: 'main' });
  await self.bench.quiet();
  await answer(self.bench, await self.bench.run(first));
  self.breaksAfter = undefined;
  const id = await self.bench.command({ commit: 'one', environment: 'production', scope: 'main', intent: 'destroy' });
  await self.bench.quiet();
  const run = await self.bench.run(id);
  if (run.phase === 'awaiting') await answer(self.bench, run);
  expect([...self.state().live.keys()]).toEqual(['thing.old', 'thing.a']);
  expect((await self.bench.report(id)).kept).toEqual([unsure]);
});

test('a thing that the first apply left half made is ours: the stack is taken down whole', async () => {
  const self = openStackBench();
  const state = self.state();
  state.serial = 4;
  self.halfMakes = true;
  self.breaksAfter = 1;
  expect(await applies(self, 'one', { a: '1', b: '2' })).toEqual({ net: 'failed' });
  expect([...state.live.keys()]).toEqual(['thing.a', 'thing.b']);
  self.breaksAfter = undefined;
  const gone = await self.bench.close(7, 'one');
  expect((await self.bench.report(gone.id)).kept ?? []).toEqual([]);
  expect([...state.live.keys()]).toEqual([]);
});

test.each(['timed-out', 'not-understood', 'output-too-large'] as const)(
  'a plan of the first apply that ended so wrote nothing: nothing is held (%s)',
  async (cause) => {
    const self = openStackBench();
    self.instead = () => ({ format: 1, words: '', ...toolFailed(cause) });
    expect(await applies(self, 'one')).toEqual({ net: 'failed' });
    expect(self.bench.memory.items().filter(({ pk }) => String(pk).startsWith('CLAIM#'))).toEqual([]);
  },
);

test('a removal that would show a secret in the name of a resource is refused before anybody is asked (I1)', async () => {
  const self = openStackBench();
  self.bench.secrets.set('K', 'CANARY-address');
  self.bench.pull(7, 'one', [stackLine('net', { a: { secret: 'env://K' } })]);
  const first = await self.bench.command({ commit: 'one', environment: 'production', scope: 'main' });
  await self.bench.quiet();
  await answer(self.bench, await self.bench.run(first));
  for (const kept of [self.state().live, self.state().recorded]) kept.set('thing.b["CANARY-address"]', '1');
  const id = await self.bench.command({ commit: 'one', environment: 'production', scope: 'main', intent: 'destroy' });
  await self.bench.quiet();
  expect((await self.bench.report(id)).lines).toMatchObject([{ problem: { code: 'SECRET_IN_IDENTITY' } }]);
  expect(JSON.stringify([self.bench.memory.items(), self.bench.logged])).not.toContain('CANARY');
  expect(self.jobs().at(-1)).toBe('plan of a destroy');
});
