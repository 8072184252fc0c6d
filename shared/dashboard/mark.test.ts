import { expect, test } from 'vitest';
import { repository } from '../../test/ports/workbench.ts';
import { benchWithBoard, issueNow, pushed } from './dashboard-bench.fixture.ts';
import { markDashboard } from './mark.ts';

test('a mark that comes while the writer takes the one before it away has the body written all the same', async () => {
  const bench = benchWithBoard();
  await pushed(bench, 'one', [{ id: 'a', things: { x: '1' } }]);
  await markDashboard(bench.world(), repository);
  bench.fates.plan(0, 'frozen', (name) => name === 'table.write');
  const still = bench.fates.frozen();
  const second = markDashboard(bench.world(), repository);
  await still;
  await bench.quiet();
  expect(issueNow(bench).dirty).toBeUndefined();
  bench.fates.thaw();
  await second;
  await bench.quiet();
  expect(issueNow(bench).dirty).toBeUndefined();
});

test('marks that gather send one message', async () => {
  const bench = benchWithBoard();
  await pushed(bench, 'one', [{ id: 'a', things: { x: '1' } }]);
  for (let times = 0; times < 3; times += 1) await markDashboard(bench.world(), repository);
  expect(bench.queues.waiting()).toHaveLength(1);
});
