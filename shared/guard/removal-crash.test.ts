import { expect } from 'vitest';
import { mayFail, rest, sweepFaults } from '../../test/ports/fault-sweep.ts';
import { putPolicy, wake, writeAnswer } from '../../test/ports/people.ts';
import type { Workbench } from '../../test/ports/workbench.ts';
import type { Run } from '../run/items.ts';

const open = (bench: Workbench) => bench.memory.items().filter((item) => item.sk.startsWith('QUESTION#') && item['state'] === 'open');
const deleted = (bench: Workbench) => bench.provider.writes.filter(({ method }) => method === 'DELETE').map(({ name }) => name);

/** A removal at rest at its question: exactly one is open. Undefined: a provider's lost answer failed it on the way. */
async function parked(bench: Workbench, id: string, q: number): Promise<Run | undefined> {
  await bench.quiet();
  for (let times = 0; times < 4 && (await bench.run(id)).phase !== 'awaiting'; times += 1) await bench.sweep();
  const run = await bench.run(id);
  if (run.outcome === 'failed' && mayFail(bench)) return undefined;
  expect(run).toMatchObject({ phase: 'awaiting', kind: 'destroy', question: { q } });
  if (open(bench).length === 0) await bench.sweep();
  expect(open(bench).map((item) => [item['run'], item['q']])).toEqual([[id, q]]);
  return run;
}

sweepFaults('wherever one fault falls (I7, I8, I11, I12)', {
  async 'a removal is asked about, finds one line moved, is asked about again, and takes everything away once'(bench) {
    await bench.release(7, 'one', [
      { id: 'a', things: { a: '1' } },
      { id: 'b', things: { b: '1' }, depends_on: ['a'] },
    ]);
    await rest(bench);
    if (bench.provider.names().length < 2) return;
    putPolicy(bench, JSON.stringify({ version: 1, environments: { preview: { protected: true } } }));
    bench.clock.advance(1000);
    const { id } = await bench.close(7, 'one');
    const asked = await parked(bench, id, 1);
    if (!asked) return;
    expect(deleted(bench)).toEqual([]);
    bench.provider.edit('a', 'by hand');
    await writeAnswer(bench, asked, 'approve');
    await wake(bench, asked);
    const again = await parked(bench, id, 2);
    if (!again) return;
    expect(bench.provider.names()).toEqual(['a=by hand']);
    await writeAnswer(bench, again, 'approve');
    await rest(bench);
    for (let times = 0; times < 3 && (await bench.run(id)).phase !== 'done'; times += 1) await bench.sweep();
    if ((await bench.run(id)).outcome !== 'complete' && mayFail(bench)) return;
    expect((await bench.run(id)).outcome).toBe('complete');
    expect([bench.provider.names(), open(bench), [...bench.states.open]]).toEqual([[], [], []]);
    expect((await bench.report(id)).stops).toMatchObject([{ step: 'a', cause: 'drift' }]);
  },
});
