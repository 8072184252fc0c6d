import { expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import type { Queued } from '../../test/ports/memory-queues.ts';
import type { TableCall, WriteCall } from '../../test/ports/memory-table.ts';
import { openWorkbench, type Workbench } from '../../test/ports/workbench.ts';
import { enterPhase } from './enter-phase.ts';

const many = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `l${at}`, things: at % 100 === 0 ? { [`t${at}`]: '1' } : {} }));
const putting = (call: TableCall | WriteCall) => call.op === 'write' && call.key.sk.startsWith('LINE#') && 'put' in call.change;

/** Lets time pass while items are put, so that a step does not get through. */
function slow(bench: Workbench, times: number): void {
  bench.memory.faults.before(putting, () => bench.clock.advance(40), times);
}

test('a plan of a thousand lines is prepared in several steps, each going on where the last one stopped', async () => {
  const bench = openWorkbench();
  slow(bench, 1_000);
  bench.pull(7, 'one', many(1_000));
  const id = await bench.event('opened', 7, 'one');
  await bench.quiet();
  const run = await bench.run(id);
  expect(run.outcome).toBe('complete');
  expect(run).not.toHaveProperty('cursor');
  const cursors = bench.memory.writes.filter((one) => one.key.sk === 'META' && 'set' in one.change && one.change.set?.['cursor'] !== undefined);
  expect(cursors.length).toBeGreaterThan(5);
  expect(bench.memory.writes.filter((one) => putting(one) && one.applied)).toHaveLength(1_000);
  expect(bench.provider.names()).toHaveLength(10);
  expect(disagreements(bench)).toEqual([]);
});

test('a pull request that closes between two steps of a long prepare is destroyed in the order of a destroy (P6, I8)', async () => {
  const bench = openWorkbench();
  const lines = [
    { id: 'base', things: { base: '1' } },
    ...Array.from({ length: 60 }, (_, at) => ({ id: `l${at}`, things: { [`t${at}`]: { from: 'base.id' } } })),
  ];
  await bench.release(7, 'one', lines);
  slow(bench, 40);
  bench.pull(7, 'two', lines);
  const id = await bench.event('synchronize', 7, 'two');
  for (;;) {
    const next = bench.queues.take('control');
    if (!next) throw new Error('the prepare went through in one step');
    await bench.deliver(next);
    const run = await bench.run(id).catch(() => undefined);
    if (run?.cursor !== undefined) break;
  }
  const pull = bench.code.pulls.get(7);
  if (pull) bench.code.pulls.set(7, { ...pull, open: false });
  await bench.quiet();
  expect(await bench.run(id)).toMatchObject({ kind: 'destroy', outcome: 'complete' });
  expect(bench.provider.names()).toEqual([]);
  expect(bench.provider.writes.at(-1)).toMatchObject({ method: 'DELETE', name: 'base' });
  expect(disagreements(bench)).toEqual([]);
});

test('opened again between two steps of a long destroy, the same run applies', async () => {
  const bench = openWorkbench();
  const lines = Array.from({ length: 60 }, (_, at) => ({ id: `l${at}`, things: { [`t${at}`]: at === 0 ? '1' : { from: 'l0.id' } } }));
  await bench.release(7, 'one', lines);
  bench.memory.faults.before(
    (call) => call.op === 'write' && call.key.sk.startsWith('LINE#'),
    () => bench.clock.advance(40),
    40,
  );
  const pull = bench.code.pulls.get(7);
  if (pull) bench.code.pulls.set(7, { ...pull, open: false });
  const id = await bench.event('closed', 7, 'one');
  for (;;) {
    const next = bench.queues.take('control');
    if (!next) throw new Error('the prepare went through in one step');
    await bench.deliver(next);
    const run = await bench.run(id).catch(() => undefined);
    if (run?.cursor !== undefined) break;
  }
  if (pull) bench.code.pulls.set(7, { ...pull, open: true });
  await bench.quiet();
  expect(await bench.run(id)).toMatchObject({ kind: 'apply', outcome: 'complete' });
  expect(bench.provider.names()).toHaveLength(60);
  expect(disagreements(bench)).toEqual([]);
});

test('a step whose claim could run out before its items are put puts none: by then they may be another step’s (P1.2)', async () => {
  const bench = openWorkbench();
  bench.pull(7, 'one', many(2));
  const id = await bench.event('opened', 7, 'one');
  await bench.deliver(bench.queues.takeAt(0) as Queued);
  const run = { ...(await bench.run(id)), step: { attempt: 1, until: bench.clock.now() + 100 } };
  const lines = [{ spec: { id: 'l0', order: 0, adapter: 'example', op: 'things', params: {}, provider: {}, needs: [], dependants: [] }, after: [] }];
  await expect(enterPhase(bench.world(), run, { phase: 'planning', lines, change: {}, fence: 0 })).rejects.toThrow(/late/);
  expect(Object.keys(await bench.lines(id))).toEqual([]);
});
