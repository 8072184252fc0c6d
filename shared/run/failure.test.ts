import { describe, expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { openWorkbench } from '../../test/ports/workbench.ts';
import { LockkeeperError } from '../errors/error.ts';

const refused = new LockkeeperError({ code: 'PROVIDER_INVALID', message: 'The provider refuses this.' });
const chain = [
  { id: 'a', things: { a: '1' } },
  { id: 'b', things: { b: { from: 'a.id' } } },
  { id: 'c', things: { c: { from: 'b.id' } } },
];
const posting = (name: string) => (call: { method: string; name?: string }) => call.method === 'POST' && call.name === name;
const deleting = (name: string) => (call: { method: string; name?: string }) => call.method === 'DELETE' && call.name === name;

describe('a line that fails', () => {
  test('takes back what its run created, newest first, and leaves nothing (I2, R1.57, R1.59)', async () => {
    const bench = openWorkbench();
    bench.provider.faults.fail(posting('c'), refused);
    const run = await bench.release(7, 'one', chain);
    expect(run.outcome).toBe('failed');
    expect(await bench.statuses(run.id)).toEqual({ a: 'rolled_back', b: 'rolled_back', c: 'failed' });
    expect(bench.provider.writes.map((one) => `${one.method} ${one.name}`)).toEqual(['POST a', 'POST b', 'DELETE b', 'DELETE a']);
    expect(disagreements(bench)).toEqual([]);
  });

  test('stops its run: what has not begun is skipped, what runs finishes (R1.57)', async () => {
    const bench = openWorkbench();
    bench.provider.faults.fail(posting('a'), refused);
    const run = await bench.release(7, 'one', [...chain, { id: 'z', things: { z: '1' }, depends_on: ['a'] }]);
    expect(await bench.statuses(run.id)).toEqual({ a: 'failed', b: 'skipped', c: 'skipped', z: 'skipped' });
  });

  test('leaves alone what earlier runs made, and names every update it does not undo (I2)', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', [{ id: 'a', things: { old: '1' } }]);
    bench.provider.faults.fail(posting('c'), refused);
    const changes = [
      { id: 'a', things: { old: '2', young: '1' } },
      { id: 'c', things: { c: { from: 'a.id' } } },
    ];
    const run = await bench.release(7, 'two', changes);
    expect(run.outcome).toBe('failed');
    expect(bench.provider.names()).toEqual(['old=2']);
    expect((await bench.report(run.id)).notUndone).toEqual(['thing old']);
    expect(disagreements(bench)).toEqual([]);
  });

  test('after the provider did its work all the same: what it made is found and taken back (R1.58)', async () => {
    const bench = openWorkbench();
    bench.provider.faults.loseAnswer(posting('c'));
    const run = await bench.release(7, 'one', chain);
    expect(run.outcome).toBe('failed');
    expect(bench.provider.names()).toEqual([]);
    expect(disagreements(bench)).toEqual([]);
  });

  test('because the thing exists: it is not ours, and stays (I5)', async () => {
    const bench = openWorkbench();
    bench.provider.faults.before(posting('c'), () => bench.provider.edit('c', 'theirs'));
    const run = await bench.release(7, 'one', chain);
    expect(await bench.statuses(run.id)).toEqual({ a: 'rolled_back', b: 'rolled_back', c: 'failed' });
    expect(bench.provider.names()).toEqual(['c=theirs']);
    expect(disagreements(bench, ['c'])).toEqual([]);
  });

  test('runs again when the cause is gone', async () => {
    const bench = openWorkbench();
    bench.provider.faults.fail(posting('c'), refused);
    await bench.release(7, 'one', chain);
    expect((await bench.release(7, 'one', chain)).outcome).toBe('complete');
    expect(disagreements(bench)).toEqual([]);
  });
});

test('a refusal stops the run and rolls back exactly as a failure (R1.50)', async () => {
  const bench = openWorkbench();
  bench.provider.edit('c', 'made by hand');
  const run = await bench.release(7, 'one', chain);
  expect(run.outcome).toBe('failed');
  expect(await bench.statuses(run.id)).toEqual({ a: 'rolled_back', b: 'rolled_back', c: 'blocked' });
  expect((await bench.report(run.id)).lines[2]?.problem?.code).toBe('ADOPT_REQUIRED');
  expect(bench.provider.names()).toEqual(['c=made by hand']);
});

describe('a rollback that fails', () => {
  test('names what is still there, and keeps what that stands on (R1.60)', async () => {
    const bench = openWorkbench();
    bench.provider.faults.fail(posting('c'), refused);
    bench.provider.faults.fail(deleting('b'), refused);
    const run = await bench.release(7, 'one', chain);
    expect(await bench.statuses(run.id)).toEqual({ a: 'rollback_failed', b: 'rollback_failed', c: 'failed' });
    const [a, b] = (await bench.report(run.id)).lines;
    expect(b?.problem).toMatchObject({ code: 'ROLLBACK_FAILED', message: expect.stringContaining('thing b') });
    expect(a?.problem).toMatchObject({ code: 'DEPENDENCY_BLOCKED', details: { line: 'b' } });
    expect(bench.provider.names().map((name) => name[0])).toEqual(['a', 'b']);
    expect(disagreements(bench)).toEqual([]);
  });

  test('is made good by the destroy', async () => {
    const bench = openWorkbench();
    bench.provider.faults.fail(posting('c'), refused);
    bench.provider.faults.fail(deleting('b'), refused);
    await bench.release(7, 'one', chain);
    expect((await bench.close(7, 'one')).outcome).toBe('complete');
    expect(bench.provider.names()).toEqual([]);
  });

  test('does not look whether the run is stopping: a second failure does not cut it off', async () => {
    const bench = openWorkbench();
    bench.provider.faults.fail(posting('c'), refused);
    bench.provider.faults.fail(posting('e'), refused);
    const run = await bench.release(7, 'one', [...chain, { id: 'd', things: { d: '1' } }, { id: 'e', things: { e: '1' } }]);
    expect(run.outcome).toBe('failed');
    expect(bench.provider.names()).toEqual([]);
  });
});

describe('a provider that asks for a pause while a run undoes', () => {
  const pauseOf = (bench: ReturnType<typeof openWorkbench>, seconds: number) =>
    new LockkeeperError({ code: 'PROVIDER_AGAIN', message: 'later', details: { at: bench.clock.now() + seconds * 1000 } });

  test('gets a short one', async () => {
    const bench = openWorkbench();
    bench.provider.faults.fail(posting('c'), refused);
    bench.provider.faults.fail(deleting('b'), pauseOf(bench, 4));
    const run = await bench.release(7, 'one', chain);
    expect(await bench.statuses(run.id)).toEqual({ a: 'rolled_back', b: 'rolled_back', c: 'failed' });
    expect(bench.provider.names()).toEqual([]);
  });

  test('a long one ends the rollback of that line, which says so and is not called rolled back', async () => {
    const bench = openWorkbench();
    bench.provider.faults.fail(posting('c'), refused);
    bench.provider.faults.fail(deleting('b'), pauseOf(bench, 3_600));
    const run = await bench.release(7, 'one', chain);
    expect(await bench.statuses(run.id)).toEqual({ a: 'rollback_failed', b: 'rollback_failed', c: 'failed' });
    expect(bench.provider.names().map((name) => name[0])).toEqual(['a', 'b']);
  });
});
