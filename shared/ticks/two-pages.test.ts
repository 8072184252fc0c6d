import { expect, test } from 'vitest';
import { repository, type Workbench } from '../../test/ports/workbench.ts';
import { benchWithBoard, bodyNow, boxesNow, edited, pushed, theIssue, ticking, ticksNow, told } from '../dashboard/dashboard-bench.fixture.ts';
import { startScan } from '../scans/start-scan.ts';

/** Released, edited by hand, and found. */
async function drifted(): Promise<Workbench> {
  const bench = benchWithBoard('{drift: {enabled: true}}');
  bench.code.people.set('mona', 'write').set('kim', 'write').set('sam', 'read');
  await pushed(bench, 'one', [{ id: 'a', things: { x: '1' } }]);
  bench.provider.edit('x', 'by hand');
  bench.clock.advance(60_000);
  const commit = bench.code.tips.get('main') as string;
  const scan = { by: 'schedule', slot: 'first' } as const;
  await startScan(bench.world(), { repository, plan: { name: 'main', path: 'release.plan.yaml' }, environment: 'staging', commit, scan });
  await bench.quiet();
  return bench;
}

const comments = (bench: Workbench): string => [...bench.code.comments.values()].join('\n');

/** Each saves the page as they opened it, ticked: what stood there by then is written over. */
function saved(bench: Workbench, login: string, opened: string, box: string): void {
  bench.code.issues.edit(theIssue(bench).number, login, () => ticking(box)(opened));
  bench.clock.advance(1000);
}

test.each([
  ['mona', 'sam'],
  ['sam', 'mona'],
])('two people’s ticks of one box, in pages that show no tick, are two: %s’s, then %s’s', async (first, second) => {
  const bench = await drifted();
  const opened = bodyNow(bench);
  saved(bench, first, opened, 'repair');
  bench.code.issues.edit(theIssue(bench).number, 'lockkeeper[bot]', () => opened);
  saved(bench, second, opened, 'repair');
  await told(bench);
  await bench.quiet();
  expect(bench.provider.names()).toEqual(['x=1']);
  expect(comments(bench)).toMatch(/@sam: .*NOT_AN_APPROVER/);
  expect(
    ticksNow(bench)
      .map(({ by, state }) => `${by?.login} ${state}`)
      .toSorted(),
  ).toEqual(['mona done', 'sam refused']);
});

test('both of two who may start one run', async () => {
  const bench = await drifted();
  const opened = bodyNow(bench);
  saved(bench, 'mona', opened, 'repair');
  bench.code.issues.edit(theIssue(bench).number, 'lockkeeper[bot]', () => opened);
  saved(bench, 'kim', opened, 'repair');
  await told(bench);
  await bench.quiet();
  expect(new Set(ticksNow(bench).map(({ started }) => started)).size).toBe(1);
  expect(ticksNow(bench)).toMatchObject([
    { by: { login: 'mona' }, state: 'done' },
    { by: { login: 'kim' }, state: 'done' },
  ]);
  expect(bench.provider.writes).toHaveLength(2);
});

test('a tick in a page that was opened before its box was answered starts nothing, and whoever saved it is told', async () => {
  const bench = await drifted();
  const opened = bodyNow(bench);
  await edited(bench, 'sam', ticking('repair'));
  await bench.quiet();
  saved(bench, 'mona', opened, 'repair');
  await told(bench);
  await bench.quiet();
  expect(bench.provider.names()).toEqual(['x=by hand']);
  expect(comments(bench)).toMatch(/@mona: .*TICK_STALE/);
  expect(boxesNow(bench).filter(({ ticked }) => ticked)).toEqual([]);
  await told(bench);
  await bench.quiet();
  expect(ticksNow(bench)).toHaveLength(2);
});

test('ticks of both are taken back by whoever clears the box before anybody looks', async () => {
  const bench = await drifted();
  const opened = bodyNow(bench);
  saved(bench, 'mona', opened, 'repair');
  bench.code.issues.edit(theIssue(bench).number, 'lockkeeper[bot]', () => opened);
  saved(bench, 'kim', opened, 'repair');
  saved(bench, 'kim', opened, 'none');
  await told(bench);
  await bench.quiet();
  expect(bench.provider.names()).toEqual(['x=by hand']);
});
