import { expect, test } from 'vitest';
import type { Workbench } from '../../test/ports/workbench.ts';
import { benchWithBoard, bodyNow, edited, issueNow, pushed, ticking } from './dashboard-bench.fixture.ts';

const plan = [{ id: 'a', things: { x: '1' } }];

/** What follows goes on while one call stands still, for longer than any function lives; then that call is made, too. */
async function late(bench: Workbench, call: string, story: () => Promise<void>): Promise<void> {
  bench.fates.plan(0, 'frozen', (name) => name === call);
  const still = bench.fates.frozen();
  const first = story();
  await still;
  await bench.sweep();
  await bench.sweep();
  const written = bodyNow(bench);
  bench.fates.thaw();
  await first;
  await bench.quiet();
  await bench.sweep();
  expect(issueNow(bench).dirty).toBeUndefined();
  expect(bodyNow(bench)).toBe(written);
}

const open = (bench: Workbench) => bench.code.issues.kept.filter(({ open, gone }) => open && !gone).map(({ number }) => number);

test.each(['table.list', 'issues.write'])('a writer that stood still at %s and comes late leaves no older body behind', async (call) => {
  const bench = benchWithBoard();
  bench.code.people.set('mona', 'write');
  await pushed(bench, 'one', plan);
  const look = async () => {
    await edited(bench, 'mona', ticking('rescan'));
    await bench.quiet();
  };
  await late(bench, call, look);
});

test('of two issues that two writers made the first is kept, and the other is closed', async () => {
  const bench = benchWithBoard();
  await late(bench, 'issues.create', () => pushed(bench, 'one', plan));
  expect(open(bench)).toEqual([issueNow(bench).number]);
});
