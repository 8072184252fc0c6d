import { expect, test } from 'vitest';
import { commitOf, planOf, planPath, repository, type Workbench } from '../../test/ports/workbench.ts';
import { benchWithBoard, edited, pushed, rowsNow, setPolicy, ticking, ticksNow } from '../dashboard/dashboard-bench.fixture.ts';
import { stateOf } from '../dashboard/row.ts';
import { startScan } from '../scans/start-scan.ts';

const staging = '{drift: {enabled: true}}';
let scans = 0;

async function scanned(bench: Workbench): Promise<void> {
  bench.clock.advance(60_000);
  const commit = bench.code.tips.get('main') as string;
  const scan = { by: 'schedule', slot: `slot ${++scans}` } as const;
  await startScan(bench.world(), { repository, plan: { name: 'main', path: planPath }, environment: 'staging', commit, scan });
  await bench.quiet();
}

/** Released, edited by hand, and then the branch wants something else, which no push has told of: a scan sees both. */
async function drifted(before: readonly object[], edits: readonly string[], after: readonly object[]): Promise<Workbench> {
  const bench = benchWithBoard(staging);
  bench.code.people.set('mona', 'write');
  await pushed(bench, 'one', before);
  for (const name of edits) bench.provider.edit(name, 'by hand');
  const tip = commitOf('two');
  bench.code.history.push(tip);
  bench.code.commit(tip, planPath, planOf(after, { environments: ['staging'] }));
  bench.code.tips.set('main', tip);
  setPolicy(bench, staging);
  await scanned(bench);
  return bench;
}

async function ticked(bench: Workbench, box: string): Promise<void> {
  await edited(bench, 'mona', ticking(box));
  await bench.quiet();
  expect(ticksNow(bench)).toMatchObject([{ box, state: 'done' }]);
}

const found = (bench: Workbench, line: string) => bench.memory.items().find(({ sk }) => sk === `DRIFT#${line}`);
const notices = (bench: Workbench): number => bench.logged.filter(({ level, message }) => level === 'bus' && message === 'drift.found').length;
const state = (bench: Workbench): string => rowsNow(bench).map(stateOf).join();

test.each([
  [
    'a line that it only looked at',
    [
      { id: 'a', things: { x: '1' } },
      { id: 'b', things: { y: '1' }, depends_on: ['a'] },
    ],
    [
      { id: 'a', things: { x: '1' } },
      { id: 'b', things: { y: '2' }, depends_on: ['a'] },
    ],
  ],
  ['another resource of the line', [{ id: 'a', things: { x: '1', y: '1' } }], [{ id: 'a', things: { x: '1', y: '2' } }]],
])('what a tick left of %s has drifted still, and nobody is told of it twice', async (_what, before, after) => {
  const bench = await drifted(before, ['x'], after);
  const known = found(bench, 'a');
  expect(known).toMatchObject({ drifted: [{ key: 'thing:x' }], told: [expect.any(String)] });
  await ticked(bench, 'apply');
  expect(bench.provider.names()).toEqual(['x=by hand', 'y=2']);
  expect(found(bench, 'a')).toMatchObject({ drifted: known?.['drifted'], told: known?.['told'] });
  expect(state(bench)).toBe('drift');
  await scanned(bench);
  expect(notices(bench)).toBe(1);
});

test('what had drifted and had something pending, too, has not drifted any more once that is applied', async () => {
  const bench = await drifted([{ id: 'a', things: { x: '1', y: '1' } }], ['x'], [{ id: 'a', things: { x: '2', y: '1' } }]);
  await ticked(bench, 'apply');
  expect(bench.provider.names()).toEqual(['x=2', 'y=1']);
  expect(state(bench)).toBe('in-sync');
  expect(found(bench, 'a')).not.toHaveProperty('drifted');
});

test('a repair leaves the drift of what has something pending, and the row says so', async () => {
  const bench = await drifted([{ id: 'a', things: { x: '1', y: '1' } }], ['x', 'y'], [{ id: 'a', things: { x: '2', y: '1' } }]);
  await ticked(bench, 'repair');
  expect(bench.provider.names()).toEqual(['x=by hand', 'y=1']);
  expect(rowsNow(bench)).toMatchObject([{ pending: { changes: [{ change: { label: 'thing x' }, drifted: 'changed' }] } }]);
  expect(rowsNow(bench)[0]).not.toHaveProperty('drift');
  await scanned(bench);
  expect(notices(bench)).toBe(1);
});
