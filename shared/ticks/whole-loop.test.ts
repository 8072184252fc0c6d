import { expect, test } from 'vitest';
import { repository, type Workbench } from '../../test/ports/workbench.ts';
import { benchWithBoard, bodyNow, boxesNow, edited, pushed, rowsNow, setPolicy, theIssue, ticking, ticksNow } from '../dashboard/dashboard-bench.fixture.ts';
import { stateOf } from '../dashboard/row.ts';
import { startScan } from '../scans/start-scan.ts';

const plan = [
  { id: 'a', things: { x: '1' } },
  { id: 'b', things: { y: '2' } },
];

let scans = 0;

/** Looks at everything, as a schedule would. */
async function scanned(bench: Workbench): Promise<void> {
  bench.clock.advance(60_000);
  const commit = bench.code.tips.get('main') as string;
  const scan = { by: 'schedule', slot: `slot ${++scans}` } as const;
  await startScan(bench.world(), { repository, plan: { name: 'main', path: 'release.plan.yaml' }, environment: 'staging', commit, scan });
  await bench.quiet();
}

async function released(): Promise<Workbench> {
  const bench = benchWithBoard('{drift: {enabled: true}}');
  bench.code.people.set('mona', 'write').set('sam', 'read');
  await pushed(bench, 'one', plan);
  expect(bench.provider.names()).toEqual(['x=1', 'y=2']);
  return bench;
}

const states = (bench: Workbench): string[] => rowsNow(bench).map(stateOf);

test('edited by hand, found by a scan, ticked, repaired, in sync (R2.17, R2.24)', async () => {
  const bench = await released();
  bench.provider.edit('x', 'by hand');
  await scanned(bench);
  expect(states(bench)).toEqual(['drift']);
  await edited(bench, 'mona', ticking('repair'));
  await bench.quiet();
  expect(bench.provider.names()).toEqual(['x=1', 'y=2']);
  expect(states(bench)).toEqual(['in-sync']);
  expect(ticksNow(bench)).toMatchObject([{ box: 'repair', state: 'done', by: { login: 'mona' } }]);
  expect(boxesNow(bench).filter(({ ticked }) => ticked)).toEqual([]);
});

test('drift that moved: the row shows the fresh difference, its box is clear, and the person is told once (R2.21)', async () => {
  const bench = await released();
  bench.provider.edit('x', 'by hand');
  await scanned(bench);
  const [before] = rowsNow(bench);
  bench.provider.edit('x', 'by somebody else');
  await edited(bench, 'mona', ticking('repair'));
  await bench.quiet();
  expect(bench.provider.names()).toEqual(['x=by somebody else', 'y=2']);
  const [after] = rowsNow(bench);
  expect(after?.drift?.digest).toMatch(/^[0-9a-f]{64}$/);
  expect(after?.drift?.digest).not.toBe(before?.drift?.digest);
  expect(boxesNow(bench).filter(({ ticked }) => ticked)).toEqual([]);
  expect([...bench.code.comments.values()].filter((body) => body.includes('@mona') && body.includes('TICK_STALE'))).toHaveLength(1);
  await edited(bench, 'mona', ticking('repair'));
  await bench.quiet();
  expect(bench.provider.names()).toEqual(['x=1', 'y=2']);
  expect(states(bench)).toEqual(['in-sync']);
});

test('a stranger’s tick is answered and cleared, and nothing is written', async () => {
  const bench = await released();
  bench.provider.edit('x', 'by hand');
  await scanned(bench);
  await edited(bench, 'sam', ticking('repair'));
  await bench.quiet();
  expect(bench.provider.names()).toEqual(['x=by hand', 'y=2']);
  expect(states(bench)).toEqual(['drift']);
  expect(boxesNow(bench).filter(({ ticked }) => ticked)).toEqual([]);
  expect([...bench.code.comments.values()].join()).toContain('NOT_AN_APPROVER');
});

test('a person’s rescan looks at everything, and its box is clear again', async () => {
  const bench = await released();
  bench.provider.edit('x', 'by hand');
  bench.clock.advance(60_000);
  await edited(bench, 'mona', ticking('rescan'));
  await bench.quiet();
  expect(states(bench)).toEqual(['drift']);
  expect(boxesNow(bench).filter(({ ticked }) => ticked)).toEqual([]);
});

test('nothing is applied by a tick where the dashboard was turned off meanwhile', async () => {
  const bench = await released();
  bench.provider.edit('x', 'by hand');
  await scanned(bench);
  setPolicy(bench, '{drift: {enabled: true}}', '{enabled: false}');
  await edited(bench, 'mona', ticking('repair'));
  await bench.quiet();
  expect(bench.provider.names()).toEqual(['x=by hand', 'y=2']);
  expect(theIssue(bench).number).toBeGreaterThan(0);
  expect(ticksNow(bench)).toEqual([]);
  expect(bodyNow(bench)).toContain('This dashboard is off');
});
