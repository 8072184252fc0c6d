import { expect } from 'vitest';
import { mayFail, rest, sweepFaults } from '../../test/ports/fault-sweep.ts';
import type { Workbench } from '../../test/ports/workbench.ts';
import { effectOn, onMain, released, type ShownBox, showRow, tickAs, ticks } from './on-a-dashboard.fixture.ts';

const plan = [{ id: 'a', things: { x: '1' } }];

let box: ShownBox;

/** Released, then edited by hand, and the row shows it. */
async function first(bench: Workbench): Promise<void> {
  onMain(bench, 'one', plan);
  await released(bench, 'one');
  bench.provider.edit('x', 'by hand');
  box = (await showRow(bench, { drift: [{ id: 'a', effects: [effectOn('x', '1', 'by hand')] }] })).repair;
}

/** One tick, one run, one end that its person can see: nothing is lost, and nothing is done twice. */
async function repaired(bench: Workbench): Promise<void> {
  const sk = await ticks(bench, box);
  await rest(bench);
  for (let times = 0; times < 4 && (await tickAs(bench, sk)).state !== 'done'; times += 1) await bench.sweep();
  const tick = await tickAs(bench, sk);
  const runs = bench.memory.items().filter(({ sk: key, options }) => key === 'META' && (options as { ticked?: object } | undefined)?.ticked);
  expect(runs.map(({ id }) => id)).toEqual([tick.started]);
  if (mayFail(bench) && tick.state !== 'done') return expect(tick.say).toBeDefined();
  expect(tick.state).toBe('done');
  expect(bench.provider.names()).toEqual(['x=1']);
}

sweepFaults('ticked and repaired once, wherever one fault falls (I7, I10, I11)', { 'a tick of drift': repaired }, { first });
