import { describe, expect, test } from 'vitest';
import { openWorkbench, repository, scopeOf, type Workbench } from '../../test/ports/workbench.ts';
import { decide } from '../approvals/decision.ts';
import { readLedgerLine } from '../ledger/ledger-line.ts';
import { sayBefore } from '../rulings/lift.ts';
import type { NewRuling } from '../rulings/ruling.ts';
import { rulingOfSaid } from '../rulings/said.ts';
import { runIdOf } from '../run/create-run.ts';
import type { Run } from '../run/items.ts';

const lines = (value = 'ours') => [{ id: 'a', things: { x: value } }];
const first = 'the first value';

/** A thing that somebody made, and the run of a person's word that line `a` may take it over. */
async function lifted(bench: Workbench, found = first, at = new Date(bench.clock.now()).toISOString()): Promise<Run> {
  bench.provider.edit('x', found);
  bench.pull(7, 'one', lines());
  const start = 'a command';
  const run = runIdOf(start, { plan: { name: 'main' }, environment: 'preview' });
  const by = { name: 'kim', through: 'machine' } as const;
  await sayBefore(bench.world(), scopeOf(7), start, run, rulingOfSaid({ verb: 'adopt', line: 'a' }, by, at) as NewRuling);
  await bench.command({ start, commit: 'one', scope: 'pr-7', branch: 'feat-7', pullRequest: 7, options: { busy: 'fail', adopt: 'a' } });
  await bench.quiet();
  return bench.run(run);
}

const entry = async (bench: Workbench) => (await readLedgerLine(bench.memory.table, scopeOf(7), 'a'))?.entries[0];
const everything = (bench: Workbench) =>
  JSON.stringify([
    bench.memory.items(),
    bench.bucket.keys().map((key) => bench.bucket.bodies(key)),
    bench.logged,
    [...bench.code.comments],
    [...bench.code.checks],
  ]);

/** A gated run, answered. */
async function approve(bench: Workbench, run: Run): Promise<Run> {
  const { q, digest } = run.question as NonNullable<Run['question']>;
  await decide(bench.world(), { q, digest, run: run.id }, { verdict: 'approve', person: { name: 'kim', through: 'machine' }, at: '2026-01-01T00:00:00.000Z' });
  await bench.world().queues.control({ format: 1, run: run.id, group: repository.id });
  await bench.quiet();
  return bench.run(run.id);
}

async function production(bench: Workbench, value = 'ours'): Promise<Run> {
  bench.pull(7, 'one', lines(value));
  const id = await bench.command({ commit: 'one', environment: 'production', scope: 'main' });
  await bench.quiet();
  return bench.run(id);
}

describe('a resource that exists and nobody has claimed', () => {
  test('is not written over where nobody is asked, and the ways on are said', async () => {
    const bench = openWorkbench();
    bench.provider.edit('x', first);
    const run = await bench.release(7, 'one', lines());
    const [line] = (await bench.report(run.id)).lines;
    expect(line).toMatchObject({ status: 'blocked', problem: { code: 'ADOPT_REQUIRED', details: { line: 'a', key: 'thing:x', restorable: true } } });
    expect(line?.problem?.hint).toContain('`lockkeeper adopt a --pr 7`');
    expect(bench.provider.names()).toEqual([`x=${first}`]);
  });

  test('says so before anything is lost when what it holds cannot be read', async () => {
    const bench = openWorkbench();
    bench.provider.edit('x', 'hidden');
    const run = await bench.release(7, 'one', lines());
    expect((await bench.report(run.id)).lines[0]?.problem?.message).toContain('nothing can put it back');
  });

  test('is taken over by a line that a person lifted the refusal for, once', async () => {
    const bench = openWorkbench();
    const run = await lifted(bench);
    expect(run.outcome).toBe('complete');
    expect((await bench.report(run.id)).lines[0]).toMatchObject({ status: 'applied', notes: { adopted: 'thing x' } });
    expect(await entry(bench)).toMatchObject({ createdBy: 'adopted', lift: { by: 'kim' }, updatedBy: run.id });
    bench.provider.edit('y', 'another');
    const next = await bench.release(7, 'two', [{ id: 'a', things: { x: 'ours', y: 'too' } }]);
    expect((await bench.report(next.id)).lines[0]).toMatchObject({ status: 'blocked', problem: { code: 'ADOPT_REQUIRED' } });
  });

  test('is not taken over by a run that comes to the line a day after its lift was said', async () => {
    const bench = openWorkbench();
    const late = await lifted(bench, first, new Date(bench.clock.now() - 24 * 3_600_000).toISOString());
    expect((await bench.report(late.id)).lines[0]).toMatchObject({ status: 'blocked', problem: { code: 'ADOPT_REQUIRED' } });
    expect(bench.provider.names()).toEqual([`x=${first}`]);
  });

  test('gets its first value back from a destroy, however often it was updated since (R1.69)', async () => {
    const bench = openWorkbench();
    await lifted(bench);
    await bench.release(7, 'two', lines('ours again'));
    expect(bench.provider.names()).toEqual(['x=ours again']);
    const run = await bench.close(7, 'two');
    expect(bench.provider.names()).toEqual([`x=${first}`]);
    expect(await bench.report(run.id)).toMatchObject({ status: 'complete', managed: 0, kept: ['thing x (its first value is back)'] });
  });

  test('and keeps what somebody made of it since, which is named', async () => {
    const bench = openWorkbench();
    await lifted(bench);
    bench.provider.edit('x', 'by hand');
    const run = await bench.close(7, 'one');
    expect(bench.provider.names()).toEqual(['x=by hand']);
    expect((await bench.report(run.id)).kept).toEqual(['thing x (edited outside, left as it is)']);
  });

  test('that was made again outside is somebody’s, even with our value in it', async () => {
    const bench = openWorkbench();
    await lifted(bench);
    bench.provider.remove('x');
    bench.provider.edit('x', 'ours');
    await bench.close(7, 'one');
    expect(bench.provider.names()).toEqual(['x=ours']);
  });

  test('with a value that nobody can read stays as it was written, and that is said', async () => {
    const bench = openWorkbench();
    await lifted(bench, 'hidden');
    const run = await bench.close(7, 'one');
    expect(bench.provider.names()).toEqual(['x=ours']);
    expect((await bench.report(run.id)).kept).toEqual(['thing x (its first value could not be read, so what was written stays)']);
  });

  test('that was adopted as it was is captured when it is first written over', async () => {
    const bench = openWorkbench();
    bench.provider.edit('x', first);
    await bench.release(7, 'one', [{ id: 'a', things: { x: { keep: true } } }]);
    expect(await entry(bench)).toMatchObject({ createdBy: 'adopted' });
    expect(await entry(bench)).not.toHaveProperty('original');
    await bench.release(7, 'two', [{ id: 'a', things: { x: 'ours' } }]);
    expect(bench.provider.names()).toEqual(['x=ours']);
    await bench.close(7, 'two');
    expect(bench.provider.names()).toEqual([`x=${first}`]);
  });

  test('that no line wants any more waits as an orphan for its first value', async () => {
    const bench = openWorkbench();
    await lifted(bench);
    await bench.release(7, 'two', []);
    expect(await entry(bench)).toMatchObject({ createdBy: 'adopted', orphan: true });
    await bench.close(7, 'two');
    expect(bench.provider.names()).toEqual([`x=${first}`]);
  });

  test('that was made again outside and reconciled is somebody’s: a destroy puts their value back (R0.12)', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', lines());
    bench.provider.remove('x');
    bench.provider.edit('x', 'theirs');
    bench.clock.advance(1000);
    await bench.command({ commit: 'one', scope: 'pr-7', branch: 'feat-7', pullRequest: 7, options: { busy: 'fail', reconcile: ['a'] } });
    await bench.quiet();
    expect(bench.provider.names()).toEqual(['x=ours']);
    await bench.close(7, 'one');
    expect(bench.provider.names()).toEqual(['x=theirs']);
  });
});

describe('a resource that is taken over', () => {
  test('shows its first value nowhere: it lies sealed in ledger and receipt, and nowhere in clear (I1)', async () => {
    const bench = openWorkbench();
    const run = await lifted(bench);
    expect((await entry(bench))?.original?.sealed).toMatch(/^lk1\./);
    const receipt = JSON.stringify(
      bench.bucket
        .keys()
        .filter((key) => key.includes('receipts/'))
        .map((key) => bench.bucket.bodies(key)),
    );
    expect(receipt).toContain((await entry(bench))?.original?.sealed);
    await bench.close(7, 'one');
    expect(run.outcome).toBe('complete');
    expect(everything(bench)).not.toContain(first);
  });
});

describe('where people are asked', () => {
  test('a plan says adopt, shows the change, and asks; approved, it is taken over', async () => {
    const bench = openWorkbench();
    bench.provider.edit('x', first);
    const run = await production(bench);
    expect(await bench.statuses(run.id)).toEqual({ a: 'adopt' });
    expect((await bench.lines(run.id))['a']?.result?.effects).toMatchObject([{ action: 'adopt', paths: [{ path: 'value' }] }]);
    expect(bench.provider.names()).toEqual([`x=${first}`]);
    expect((await approve(bench, run)).outcome).toBe('complete');
    expect(bench.provider.names()).toEqual(['x=ours']);
  });

  test('a plan alone foretells it the same way (R1.36)', async () => {
    const bench = openWorkbench();
    bench.provider.edit('x', 'hidden');
    bench.pull(7, 'one', lines());
    const id = await bench.command({ commit: 'one', environment: 'production', scope: 'main', intent: 'plan' });
    await bench.quiet();
    const [line] = (await bench.report(id)).lines;
    expect(line).toMatchObject({ status: 'adopt', notes: { adopts: expect.stringContaining('nothing can put it back') } });
  });

  test('a value that is another one by the time it is written is not what was approved (I7)', async () => {
    const bench = openWorkbench();
    bench.provider.edit('x', first);
    const run = await production(bench);
    bench.provider.edit('x', 'another first value');
    const again = await approve(bench, run);
    expect(again).toMatchObject({ phase: 'awaiting', question: { q: 2 } });
    expect(bench.provider.names()).toEqual(['x=another first value']);
  });
});
