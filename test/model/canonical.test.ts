import { expect, test } from 'vitest';
import { canonical } from './canonical.ts';
import { judgeWrite } from './on-write.ts';
import { nothing, settingOf } from './settings.ts';
import { openStage, push, quiet, type Stage } from './stage.ts';

async function asked(): Promise<Stage> {
  const stage = openStage(settingOf('a test', nothing), () => []);
  await push(stage, 'one');
  await quiet(stage);
  return stage;
}

test('the same world by two ways has one name, whatever its ids are called', async () => {
  const one = await asked();
  const other = openStage(settingOf('a test', nothing), judgeWrite);
  for (let count = 0; count < 7; count += 1) other.bench.world().ids.fresh();
  await push(other, 'one');
  await quiet(other);
  expect(canonical(other.bench)).toBe(canonical(one.bench));
});

test('brought back to where it was, it has the name it had', async () => {
  const { bench } = await asked();
  const name = canonical(bench);
  const back = bench.keep();
  bench.provider.edit('x', 'by hand');
  await bench.sweepOnce();
  await bench.quiet();
  expect(canonical(bench)).not.toBe(name);
  back();
  expect(canonical(bench)).toBe(name);
});

test.each<[string, (stage: Stage) => unknown]>([
  ['a message more', ({ bench }) => bench.sweepOnce()],
  ['the same message, later', async ({ bench }) => bench.queues.deliver({ queue: 'control', message: { format: 1, run: 'x', group: 'y' }, at: 0 }, 60)],
  ['a thing at the provider', ({ bench }) => bench.provider.edit('z', '1')],
  ['an item', ({ bench }) => bench.memory.table.write({ pk: 'PLAN#x', sk: 'DECISION#y' }, { put: { verdict: 'approve' } }, { is: 'always' })],
  ['a commit', ({ bench }) => bench.code.tips.set('main', 'another')],
  ['a token that is gone', ({ bench }) => bench.states.forget()],
  ['time that passes', ({ bench }) => bench.clock.advance(5_000)],
])('%s makes another state of it', async (_what, change) => {
  const stage = await asked();
  const name = canonical(stage.bench);
  await change(stage);
  expect(canonical(stage.bench)).not.toBe(name);
});

test('two messages that differ in what they say, or when they come, are two', async () => {
  const names = await Promise.all(
    [
      ['x', 0],
      ['y', 0],
      ['x', 60],
    ].map(async ([run, seconds]) => {
      const { bench } = await asked();
      bench.queues.deliver({ queue: 'control', message: { format: 1, run: String(run), group: 'g' }, at: 0 }, Number(seconds));
      return canonical(bench);
    }),
  );
  expect(new Set(names).size).toBe(3);
});
