import { describe, expect, it } from 'vitest';
import { repository, type Workbench } from '../../test/ports/workbench.ts';
import { LockkeeperError } from '../errors/error.ts';
import { queueStep } from '../run/phase.ts';
import { startScan } from '../scans/start-scan.ts';
import { benchWithBoard, bodyNow, edited, pushed, rowsNow, ticking } from './dashboard-bench.fixture.ts';
import { stateOf } from './row.ts';

const released = [
  { id: 'a', things: { x: '1' } },
  { id: 'b', things: { y: '2' } },
];
const newer = [released[0] as object, { id: 'b', things: { y: '3' } }];
const refused = new LockkeeperError({ code: 'PROVIDER_AUTH', message: 'The provider refuses the key.' });

let slots = 0;
async function scanned(bench: Workbench): Promise<void> {
  bench.clock.advance(60_000);
  const commit = bench.code.tips.get('main') ?? '';
  slots += 1;
  const scan = { by: 'schedule', slot: `slot ${slots}` } as const;
  await startScan(bench.world(), { repository, plan: { name: 'main', path: 'release.plan.yaml' }, environment: 'staging', commit, scan });
  await bench.quiet();
}

const benchWithScans = (staging = '{drift: {enabled: true}}'): Workbench => {
  const bench = benchWithBoard(staging);
  bench.code.people.set('mona', 'write');
  return bench;
};

/** `x` was edited outside and put back by a tick; `y` is pending: its push met the edit. */
async function pendingAfterRepair(): Promise<Workbench> {
  const bench = benchWithScans();
  await pushed(bench, 'one', released);
  bench.provider.edit('x', 'by hand');
  await pushed(bench, 'two', newer);
  await scanned(bench);
  await edited(bench, 'mona', ticking('repair'));
  await bench.quiet();
  return bench;
}

const stateNow = (bench: Workbench): string => rowsNow(bench).map(stateOf).join();

describe('a row', () => {
  it('R2.9 keeps what is pending, and its box, while nothing can be looked at', async () => {
    const bench = await pendingAfterRepair();
    const [before] = rowsNow(bench);
    expect(before?.pending?.digest).toBeDefined();
    for (const times of [1, 2]) {
      bench.provider.faults.fail(() => true, refused, 500);
      await scanned(bench);
      bench.provider.faults.clear();
      const [row] = rowsNow(bench);
      expect(row).toMatchObject({ pending: before?.pending, seen: before?.seen, check: { code: 'PROVIDER_AUTH', times } });
      expect(bodyNow(bench)).toContain('### Pending (1)');
      expect(bodyNow(bench)).toContain('with `PROVIDER_AUTH`: what is shown is older.');
      expect(bodyNow(bench)).toContain(`digest="${before?.pending?.digest}"`);
    }
    await scanned(bench);
    expect(rowsNow(bench)[0]?.check).toBeUndefined();
    expect(stateNow(bench)).toBe('pending');
  });

  it('R2.9 of which the first look failed is not looked at yet, and not in sync', async () => {
    const bench = benchWithScans();
    await pushed(bench, 'one', released);
    await bench.memory.table.write({ pk: `DASH#${repository.id}`, sk: 'ROW#main#staging' }, { remove: ['seen', 'applied'] }, { is: 'always' });
    bench.provider.faults.fail(() => true, refused, 500);
    await scanned(bench);
    expect(stateNow(bench)).toBe('unknown');
    bench.provider.faults.clear();
    await scanned(bench);
    expect(stateNow(bench)).toBe('in-sync');
  });

  it('keeps a preview that failed until a look has seen every line', async () => {
    const bench = benchWithScans();
    await pushed(bench, 'one', released);
    await pushed(bench, 'two', [{ id: 'a', op: 'nonsense' }]);
    expect(stateNow(bench)).toBe('preview-failed');
    bench.code.tips.set('main', bench.code.history[0] ?? '');
    bench.provider.faults.fail(() => true, refused, 500);
    await scanned(bench);
    expect(stateNow(bench)).toBe('preview-failed');
  });

  it('is not in sync once it was destroyed: a look tells what is missing', async () => {
    const bench = benchWithBoard();
    await pushed(bench, 'one', released);
    await bench.command({ intent: 'destroy', commit: 'one', environment: 'staging', scope: 'main', branch: 'main' });
    await bench.quiet();
    expect(bench.provider.names()).toEqual([]);
    expect(stateNow(bench)).toBe('pending');
    expect(rowsNow(bench)[0]?.pending?.counts).toEqual({ create: 2 });
    expect(bodyNow(bench)).not.toContain('Recently deployed');
  });

  it('is looked at by whoever repeats the end of the run, where a death cut the look off, and once (P1)', async () => {
    const bench = benchWithBoard();
    await pushed(bench, 'one', released);
    const id = await bench.command({ intent: 'destroy', commit: 'one', environment: 'staging', scope: 'main', branch: 'main' });
    await bench.quiet();
    const looks = () => bench.memory.items().filter(({ sk, kind }) => sk === 'META' && kind === 'drift');
    const [look, ...others] = looks();
    expect(others).toEqual([]);
    await bench.memory.table.write({ pk: String(look?.pk), sk: 'META' }, { delete: true }, { is: 'always' });
    for (const _again of [1, 2]) {
      await queueStep(bench.world(), { id, repository });
      await bench.quiet();
    }
    expect(looks().map(({ pk }) => pk)).toEqual([look?.pk]);
  });

  it('is not in sync where the newest commit failed: a look tells what of it is pending', async () => {
    const bench = benchWithBoard();
    await pushed(bench, 'one', released);
    bench.provider.faults.fail(({ method }) => method !== 'GET', refused, 1);
    await pushed(bench, 'two', newer);
    const [row] = rowsNow(bench);
    expect(row?.lastFailed).toMatchObject({ status: 'failed' });
    expect(row?.pending).toMatchObject({ counts: { update: 1 } });
    expect(bodyNow(bench)).toMatch(/\*\*Apply\*\* 1 pending change/);
  });

  it('is not in sync either where that look is refused', async () => {
    const bench = benchWithBoard();
    await pushed(bench, 'one', released);
    bench.provider.faults.fail(({ method }) => method !== 'GET', refused, 500);
    await pushed(bench, 'two', newer);
    expect(stateNow(bench)).not.toBe('in-sync');
  });

  it('R2.18 is pending beside what drifted, and no failed preview, where a push met drift that is known: what it would have read is read', async () => {
    const bench = benchWithScans();
    await pushed(bench, 'one', released);
    bench.provider.edit('x', 'by hand');
    await scanned(bench);
    await pushed(bench, 'two', newer);
    expect(stateNow(bench)).toBe('pending');
    expect(bodyNow(bench)).toMatch(/❌ Its last run, .*, ended `failed` with `DRIFT_CHANGED`/);
    expect(bodyNow(bench)).toContain('**Repair** 1 drifted resource');
    expect(rowsNow(bench)).toMatchObject([{ pending: { counts: { update: 1 } }, drift: { counts: { changed: 1 } } }]);
  });

  it('shows both where a push met drift that nobody knew of, scheduled scans or not, and looks once for it', async () => {
    const bench = benchWithBoard();
    await pushed(bench, 'one', released);
    bench.provider.edit('x', 'by hand');
    await pushed(bench, 'two', newer);
    expect(rowsNow(bench)).toMatchObject([{ pending: { counts: { update: 1 } }, drift: { counts: { changed: 1 } } }]);
    expect(bodyNow(bench)).toContain('**Repair** 1 drifted resource, and nothing else');
    expect(bench.memory.items().filter(({ sk, kind }) => sk === 'META' && kind === 'drift')).toHaveLength(1);
  });

  it('names no commit as deployed for a repair, which deploys none', async () => {
    const bench = await pendingAfterRepair();
    expect(bench.provider.find('x')?.value).toBe('1');
    expect(rowsNow(bench)[0]?.applied?.commit).toBe(bench.code.history[0]);
  });

  it('says which run repaired it and for whom, until something is deployed', async () => {
    const bench = await pendingAfterRepair();
    expect(rowsNow(bench)[0]).toMatchObject({ repaired: { by: 'mona' } });
    expect(bodyNow(bench)).toMatch(/🔧 Run `\w{12}` repaired what was ticked on .* by `mona`\./);
    await edited(bench, 'mona', ticking('apply'));
    await bench.quiet();
    expect(bodyNow(bench)).not.toContain('🔧');
  });

  it('keeps the run that deployed something where a later one found nothing to do', async () => {
    const bench = benchWithBoard();
    await pushed(bench, 'one', released);
    const [before] = rowsNow(bench);
    bench.clock.advance(60_000);
    await pushed(bench, 'two', released);
    const [row] = rowsNow(bench);
    expect(row?.seen?.run).not.toBe(before?.seen?.run);
    expect(row?.applied).toEqual(before?.applied);
  });

  it('counts what is left of lines that the plan does not have any more', async () => {
    const bench = benchWithScans();
    await pushed(bench, 'one', released);
    await pushed(bench, 'two', released.slice(0, 1));
    expect(bodyNow(bench)).toContain(
      '🧹 1 resource of lines that the plan does not have any more is left: `lockkeeper prune --env staging --branch main` shows it.',
    );
    await scanned(bench);
    expect(rowsNow(bench)[0]?.orphans).toBe(1);
    await pushed(bench, 'three', released);
    expect(rowsNow(bench)[0]?.orphans).toBeUndefined();
  });
});
