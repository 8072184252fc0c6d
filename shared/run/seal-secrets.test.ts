import { beforeEach, expect, test } from 'vitest';
import { written } from '../../test/ports/memory-table.ts';
import { openWorkbench, type Workbench } from '../../test/ports/workbench.ts';
import { Again } from './again.ts';
import type { Run } from './items.ts';
import { sealForRemoval } from './seal-secrets.ts';

let bench: Workbench;
let run: Run;
beforeEach(async () => {
  bench = openWorkbench();
  bench.pull(7, 'one', [{ id: 'a', things: { a: '1' } }]);
  run = await bench.run(await bench.command({ commit: 'one', scope: 'pr-7' }));
});

const salt = () => bench.memory.items().find(({ sk }) => sk === 'SEALED')?.['salt'];
const sealing = written('RUN#', 'SEALED');

test('a step that seals late does not take the run the key under which its lines have sealed what they saw: it comes back (P1, I1)', async () => {
  let standing: unknown;
  bench.memory.faults.before(sealing, async () => {
    await sealForRemoval(bench.world(), run, []);
    standing = salt();
  });
  await expect(sealForRemoval(bench.world(), run, [])).rejects.toThrow(Again);
  expect(salt()).toBe(standing);
});

test.each(['done', 'never'] as const)('a seal whose answer is lost (%s) is recognised as its own', async (effect) => {
  bench.memory.faults.loseAnswer(sealing, effect);
  await sealForRemoval(bench.world(), run, []);
  expect(salt()).toEqual(expect.any(String));
});

test('a second step of the run keeps the key of the first: what lines have sealed stays readable', async () => {
  await sealForRemoval(bench.world(), run, []);
  const first = salt();
  await sealForRemoval(bench.world(), run, []);
  expect(salt()).toBe(first);
});

test.each([
  ['after the run is over', 'done', []],
  ['while it waits for an event', 'waiting', []],
  ['while its lines are at work', 'applying', ['SEALED']],
])('a step that stood still past its claim and seals %s leaves no set behind that nobody takes away (P1, I1)', async (_when, phase, left) => {
  const stale = { ...run, step: { attempt: 1, until: bench.clock.now() - 1 } };
  await bench.memory.table.write({ pk: `RUN#${run.id}`, sk: 'META' }, { set: { phase } }, { is: 'always' });
  const sealed = sealForRemoval(bench.world(), stale, []);
  if (left.length === 0) await expect(sealed).rejects.toThrow(Again);
  else await sealed;
  expect(bench.memory.items().flatMap(({ sk }) => (sk === 'SEALED' ? [sk] : []))).toEqual(left);
});

test('within its claim a step seals without another look at its run', async () => {
  const before = bench.memory.itemsRead();
  await sealForRemoval(bench.world(), { ...run, step: { attempt: 1, until: bench.clock.now() + 1 } }, []);
  expect(bench.memory.itemsRead()).toBe(before);
});
