import { expect, test } from 'vitest';
import { answer } from '../../test/ports/people.ts';
import { openStackBench, type StackBench, stackLine } from '../../test/ports/stack-bench.ts';
import type { Run } from '../run/items.ts';

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
