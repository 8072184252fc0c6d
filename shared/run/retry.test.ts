import { expect, test } from 'vitest';
import { commitOf, openWorkbench } from '../../test/ports/workbench.ts';
import { retryRun } from './retry.ts';

const one = [{ id: 'a', things: { x: '1' } }];
const broken = [{ id: 'a', thngs: { x: '1' } }];

test('a failed run is run again as a new one, for the same commit, plan, environment, scope and options (P6)', async () => {
  const bench = openWorkbench();
  bench.pull(7, 'one', [{ id: 'a', things: { x: { secret: 'env://NOT_THERE' } } }]);
  const id = await bench.command({ commit: 'one', options: { busy: 'fail', reconcile: true } });
  await bench.quiet();
  const failed = await bench.run(id);
  expect(failed.outcome).toBe('failed');
  bench.secrets.set('NOT_THERE', 'it is there now');
  const again = await retryRun(bench.world(), failed);
  await bench.quiet();
  expect(again).not.toBe(id);
  expect(await bench.run(again)).toMatchObject({
    outcome: 'complete',
    intent: 'apply',
    commit: commitOf('one'),
    scope: 'branch-x',
    options: { busy: 'fail', reconcile: true },
  });
  expect(await bench.run(id)).toMatchObject({ outcome: 'failed' });
});

test('the same intake starts one retry however often it is told (I10)', async () => {
  const bench = openWorkbench();
  const run = await bench.release(7, 'one', broken);
  const ids = [await retryRun(bench.world(), run, 'an intake'), await retryRun(bench.world(), run, 'an intake')];
  expect(new Set(ids).size).toBe(1);
  expect(await retryRun(bench.world(), run)).not.toBe(ids[0]);
});

test('a retry judges the world: of a commit that is not the head any more nothing is applied', async () => {
  const bench = openWorkbench();
  const old = await bench.release(7, 'one', broken);
  await bench.release(7, 'two', [{ id: 'a', things: { y: '2' } }]);
  const again = await retryRun(bench.world(), old);
  await bench.quiet();
  expect((await bench.run(again)).outcome).toBe('superseded');
  expect(bench.provider.names()).toEqual(['y=2']);
});

test('a run that waits for an event goes on in its own next round', async () => {
  const bench = openWorkbench();
  const run = await bench.release(7, 'one', [
    { id: 'a', things: { x: '1' } },
    { id: 'b', things: { y: { from: 'a.url' } } },
  ]);
  expect(run.phase).toBe('waiting');
  expect(await retryRun(bench.world(), run)).toBe(run.id);
  expect(await bench.run(run.id)).toMatchObject({ round: 2, phase: 'preparing' });
});

test('a run that is at work, or asks, is refused with what to do', async () => {
  const bench = openWorkbench();
  bench.pull(7, 'one', one);
  const id = await bench.command({ commit: 'one', environment: 'production', scope: 'main' });
  await expect(retryRun(bench.world(), await bench.run(id))).rejects.toMatchObject({ problem: { code: 'RUN_NOT_OVER' } });
  await bench.quiet();
  const asking = await bench.run(id);
  const hint = expect.stringContaining(`lockkeeper approve ${asking.question?.digest.slice(0, 12)}`);
  await expect(retryRun(bench.world(), asking)).rejects.toMatchObject({ problem: { code: 'RUN_NOT_OVER', hint } });
});
