import { expect, test } from 'vitest';
import { announced, itemsOf, released, scans } from '../../test/ports/scan-bench.ts';
import { commitOf, openWorkbench, planPath, repository, type Workbench } from '../../test/ports/workbench.ts';
import { startScan } from './start-scan.ts';

async function start(bench: Workbench, slot: string): Promise<void> {
  bench.clock.advance(1_000);
  const plan = { name: 'main', path: planPath };
  await startScan(bench.world(), { repository, plan, environment: 'preview', commit: commitOf('c1'), scan: { by: 'schedule', slot } });
}

/** A scan that stands still right before it stores what it found, and all that happens meanwhile. */
async function late(meanwhile: (bench: Workbench) => Promise<void>): Promise<Workbench> {
  const bench = openWorkbench('deployed');
  await released(bench);
  bench.provider.edit('a', 'by hand');
  await start(bench, 'first');
  bench.fates.plan(1, 'frozen', (name) => name === 'objects.put');
  const still = bench.fates.frozen();
  const first = bench.quiet();
  await still;
  await meanwhile(bench);
  bench.fates.thaw();
  await first;
  await bench.quiet();
  expect(scans(bench).map(({ phase }) => phase)).not.toContain('planning');
  return bench;
}

test('of two scans that see the same drift at once one tells of it', async () => {
  const bench = await late(async (at) => {
    await start(at, 'second');
    await at.quiet();
  });
  expect(scans(bench)).toHaveLength(2);
  expect(new Set(announced(bench)).size).toBe(1);
  expect(itemsOf(bench, 'DRIFT#a')).toMatchObject([{ told: [expect.any(String)] }]);
});

test('drift that another look has seen to be gone is not told of by an older one', async () => {
  const bench = await late(async (at) => {
    at.provider.edit('a', 'one');
    await start(at, 'second');
    await at.quiet();
  });
  expect(announced(bench)).toEqual([]);
});
