import { describe, expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { openWorkbench, scopeOf, type Workbench } from '../../test/ports/workbench.ts';
import { readLedgerLine } from '../ledger/ledger-line.ts';
import { present } from '../table/condition.ts';
import { ledgerKey } from '../table/keys.ts';

const lines = (value = '1') => [{ id: 'a', things: { x: value } }];

async function command(bench: Workbench, commit: string, more: object = {}) {
  const id = await bench.command({ commit, scope: 'pr-7', branch: 'feat-7', pullRequest: 7, ...more });
  await bench.quiet();
  return bench.run(id);
}
const entry = async (bench: Workbench, line = 'a') => (await readLedgerLine(bench.memory.table, scopeOf(7), line))?.entries[0];

describe('a resource that was edited outside', () => {
  test('is refused with DRIFT_CHANGED and left as it is (R0.4)', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', lines());
    bench.provider.edit('x', 'by hand');
    const run = await bench.release(7, 'two', lines('2'));
    const report = await bench.report(run.id);
    expect(report.lines[0]).toMatchObject({ status: 'blocked', problem: { code: 'DRIFT_CHANGED' } });
    expect(report.drift).toMatchObject([{ kind: 'changed', line: 'a', resource: { key: 'thing:x' } }]);
    expect(bench.provider.names()).toEqual(['x=by hand']);
    expect(disagreements(bench)).toEqual([]);
  });

  test('is foretold by a plan (R0.8)', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', lines());
    bench.provider.edit('x', 'by hand');
    const run = await command(bench, 'one', { intent: 'plan' });
    expect((await bench.report(run.id)).lines[0]).toMatchObject({ status: 'blocked', problem: { code: 'DRIFT_CHANGED' } });
  });

  test('is put back by --reconcile, and the line says so (R0.10, R0.11)', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', lines());
    bench.provider.edit('x', 'by hand');
    const run = await command(bench, 'one', { options: { busy: 'fail', reconcile: true } });
    expect(run.outcome).toBe('complete');
    expect((await bench.report(run.id)).lines[0]?.notes).toMatchObject({ reconciled: 'true' });
    expect(bench.provider.names()).toEqual(['x=1']);
  });

  test('to what the plan wants is accepted without a word (R0.7)', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', lines());
    bench.provider.edit('x', '2');
    const writes = bench.provider.writes.length;
    const run = await bench.release(7, 'two', lines('2'));
    expect(await bench.statuses(run.id)).toEqual({ a: 'unchanged' });
    expect((await bench.report(run.id)).drift).toEqual([]);
    expect(bench.provider.writes.length).toBe(writes);
    expect((await bench.release(7, 'three', lines('3'))).outcome).toBe('complete');
  });
});

describe('a resource that was deleted and made again outside', () => {
  test('is another thing of the same name: refused (R1.78)', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', lines());
    bench.provider.remove('x');
    bench.provider.edit('x', 'other');
    const run = await bench.release(7, 'two', lines('2'));
    expect((await bench.report(run.id)).drift).toMatchObject([{ kind: 'changed', replaced: true }]);
    expect(run.outcome).toBe('failed');
  });

  test('is adopted when it is reconciled, so that a destroy leaves it, as it was found (R0.12, R1.69)', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', lines());
    bench.provider.remove('x');
    bench.provider.edit('x', 'other');
    await command(bench, 'one', { options: { busy: 'fail', reconcile: true } });
    expect(bench.provider.names()).toEqual(['x=1']);
    expect(await entry(bench)).toMatchObject({ createdBy: 'adopted' });
    await bench.close(7, 'one');
    expect(bench.provider.names()).toEqual(['x=other']);
  });
});

describe('a resource that is gone', () => {
  test('is created again, and reported as missing (R0.5)', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', lines());
    bench.provider.remove('x');
    const run = await bench.release(7, 'two', lines());
    expect((await bench.report(run.id)).drift).toMatchObject([{ kind: 'missing' }]);
    expect(bench.provider.names()).toEqual(['x=1']);
    expect(disagreements(bench)).toEqual([]);
  });
});

describe('a resource no ledger knows', () => {
  test('is adopted as it is when it is what the plan wants (R1.77)', async () => {
    const bench = openWorkbench();
    bench.provider.edit('x', '1');
    const run = await bench.release(7, 'one', lines());
    expect(await bench.statuses(run.id)).toEqual({ a: 'unchanged' });
    expect(await entry(bench)).toMatchObject({ createdBy: 'adopted', id: bench.provider.find('x')?.id });
    expect(bench.provider.writes).toEqual([]);
  });

  test('is refused with ADOPT_REQUIRED where the line would change it (I5)', async () => {
    const bench = openWorkbench();
    bench.provider.edit('x', 'theirs');
    const run = await bench.release(7, 'one', lines());
    expect((await bench.report(run.id)).lines[0]?.problem?.code).toBe('ADOPT_REQUIRED');
    expect(bench.provider.names()).toEqual(['x=theirs']);
  });

  test('not even --reconcile touches it (R0.2, R0.10)', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', [{ id: 'b', things: { b: '1' } }]);
    bench.provider.edit('x', 'theirs');
    bench.pull(7, 'two', lines());
    const run = await command(bench, 'two', { options: { busy: 'fail', reconcile: true } });
    expect(run.outcome).toBe('failed');
    expect(bench.provider.find('x')?.value).toBe('theirs');
  });

  test('is listed as unmanaged by a plan, and what other scopes own is not (R0.13, R0.24, R1.39)', async () => {
    const bench = openWorkbench();
    bench.provider.edit('stranger', '1');
    await bench.release(8, 'eight', [{ id: 'o', things: { others: '1' } }]);
    await bench.release(7, 'one', lines());
    const run = await command(bench, 'one', { intent: 'plan' });
    expect((await bench.report(run.id)).drift).toMatchObject([{ kind: 'unmanaged', resource: { key: 'thing:stranger' } }]);
  });
});

test('a fingerprint under another key is not comparable, never drift: the next clean read renews it (R1.79)', async () => {
  const bench = openWorkbench();
  await bench.release(7, 'one', lines());
  const older = [{ ...(await entry(bench)), fingerprint: { key: 'older', mac: 'x' } }];
  const plant = () => bench.memory.table.write(ledgerKey(scopeOf(7), 'a'), { set: { entries: older } }, present);
  await plant();
  const run = await bench.release(7, 'two', lines());
  expect((await bench.report(run.id)).drift).toEqual([]);
  expect((await entry(bench))?.fingerprint?.key).not.toBe('older');
  await plant();
  expect((await bench.release(7, 'three', lines('3'))).outcome).toBe('complete');
});
