import { expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { openWorkbench, type Workbench } from '../../test/ports/workbench.ts';
import { sweep } from './sweep.ts';

const chain = [
  { id: 'a', things: { a: '1' } },
  { id: 'b', things: { b: { from: 'a.id' } } },
];

/** Loses every message that lies in a queue. */
function loseMessages(bench: Workbench): number {
  let lost = 0;
  while (bench.queues.take()) lost += 1;
  return lost;
}

async function opened(): Promise<{ bench: Workbench; id: string }> {
  const bench = openWorkbench();
  bench.pull(7, 'one', chain);
  return { bench, id: await bench.event('opened', 7, 'one') };
}

test('an intake that was recorded and never queued is woken (P2, P6)', async () => {
  const { bench, id } = await opened();
  expect(loseMessages(bench)).toBe(1);
  await bench.sweep();
  expect((await bench.run(id)).outcome).toBe('complete');
});

test.each(Array.from({ length: 8 }, (_, at) => at))('a run goes on although every message was lost after %i deliveries (I11)', async (deliveries) => {
  const { bench, id } = await opened();
  for (let at = 0; at < deliveries; at += 1) {
    const next = bench.queues.take();
    if (next) await bench.deliver(next);
  }
  loseMessages(bench);
  for (let times = 0; times < 3; times += 1) await bench.sweep();
  expect((await bench.run(id)).outcome).toBe('complete');
  expect(disagreements(bench)).toEqual([]);
});

test('a dependency whose line is final is taken out of the sets', async () => {
  const { bench, id } = await opened();
  const tail = (call: { op: string; change?: object }) => call.op === 'write' && 'drop' in (call.change ?? {});
  bench.memory.faults.fail(tail, new Error('died in its tail'), 5);
  for (let next = bench.queues.take(); next && bench.provider.writes.length === 0; next = bench.queues.take()) await bench.deliver(next);
  bench.memory.faults.clear();
  loseMessages(bench);
  for (let times = 0; times < 3; times += 1) await bench.sweep();
  expect((await bench.run(id)).outcome).toBe('complete');
});

test('the sweep itself writes nothing, and wakes nothing that is fresh or at rest', async () => {
  const { bench } = await opened();
  await bench.quiet();
  const items = bench.memory.items();
  const world = bench.world();
  expect(await sweep(world)).toEqual({ still: 0, due: 0, parked: 0 });
  bench.clock.advance(3_600_000);
  expect(await sweep(world)).toEqual({ still: 0, due: 0, parked: 0 });
  expect(bench.memory.items()).toEqual(items);
});
