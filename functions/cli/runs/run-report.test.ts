import { expect, it } from 'vitest';
import { sayFreeze } from '../../../shared/freeze/say-freeze.ts';
import { policyOf } from '../../../shared/policy/policy.ts';
import { openWorkbench, repository } from '../../../test/ports/workbench.ts';
import { reportOfRun } from './run-report.ts';

it('a question says that its environment is frozen, whether its run has heard of that or not, and no longer than it is', async () => {
  const bench = openWorkbench();
  bench.pull(7, 'one', [{ id: 'a', things: { x: '1' } }]);
  const id = await bench.command({ commit: 'one', environment: 'production', scope: 'main' });
  await bench.quiet();
  const run = await bench.run(id);
  expect(run).toMatchObject({ phase: 'awaiting' });
  expect(run.frozen).toBeUndefined();

  const world = bench.world();
  const about = { policy: policyOf(), repository, environment: 'production' };
  const word = { by: { name: 'kim', through: 'machine' as const }, start: 'freeze', at: new Date(bench.clock.now()).toISOString() };
  await sayFreeze(world, about, { until: '2h', reason: 'year end' }, word);
  expect((await reportOfRun(world, run)).frozen).toMatchObject({ environment: 'production', reason: 'year end' });

  await bench.quiet();
  const told = await bench.run(id);
  expect(told.frozen).toBeDefined();
  await sayFreeze(world, about, 'thaw', { ...word, start: 'unfreeze' });
  expect((await reportOfRun(world, told)).frozen).toBeUndefined();
});
