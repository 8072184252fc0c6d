import { expect } from 'vitest';
import { mayFail, rest, sweepFaults } from '../../test/ports/fault-sweep.ts';
import { putPolicy, wake, writeAnswer } from '../../test/ports/people.ts';
import type { Workbench } from '../../test/ports/workbench.ts';
import type { Run } from '../run/items.ts';

const open = (bench: Workbench) => bench.memory.items().filter((item) => item.sk.startsWith('QUESTION#') && item['state'] === 'open');

/** Comes to rest at its question. Undefined: a provider's lost answer failed it on the way. */
async function parked(bench: Workbench, id: string, q: number): Promise<Run | undefined> {
  await bench.quiet();
  for (let times = 0; times < 4 && (await bench.run(id)).phase !== 'awaiting'; times += 1) await bench.sweep();
  const run = await bench.run(id);
  if (run.outcome === 'failed' && mayFail(bench)) return undefined;
  expect(run).toMatchObject({ phase: 'awaiting', question: { q } });
  if (open(bench).length === 0) await bench.sweep();
  expect(open(bench).map((item) => [item['run'], item['q']])).toEqual([[id, q]]);
  return run;
}

async function answered(bench: Workbench, run: Run): Promise<void> {
  await writeAnswer(bench, run, 'approve');
  await wake(bench, run);
}

/** One line, so that every fault is tried in little time: what is rechecked is the same for one and for many. */
sweepFaults('wherever one fault falls (I7, I11, I12)', {
  'a recheck that finds another plan asks about that one, and one that finds the same lets it go on': [
    async (bench) => {
      putPolicy(bench, JSON.stringify({ version: 1, environments: { production: { recheck: true } } }));
      bench.provider.edit('x', '2');
      bench.pull(7, 'one', [{ id: 'a', things: { x: '1' } }]);
      const id = await bench.command({ commit: 'one', environment: 'production', scope: 'main', options: { busy: 'wait' } });
      return (await parked(bench, id, 1)) && id;
    },
    async (bench, id) => {
      bench.provider.remove('x');
      await answered(bench, await bench.run(id));
      if (!(await parked(bench, id, 2))) return undefined;
      expect(bench.provider.writes).toEqual([]);
      return id;
    },
    async (bench, id) => {
      const again = await bench.run(id);
      await writeAnswer(bench, again, 'approve');
      await rest(bench);
      for (let times = 0; times < 3 && (await bench.run(id)).phase !== 'done'; times += 1) await bench.sweep();
      if ((await bench.run(id)).outcome !== 'complete' && mayFail(bench)) return;
      expect((await bench.run(id)).outcome).toBe('complete');
      expect([bench.provider.names(), open(bench), [...bench.states.open]]).toEqual([['x=1'], [], []]);
      expect((await bench.report(id)).stops).toMatchObject([{ step: 'guard', cause: 'drift', differs: true, replanned: again.question?.digest }]);
      expect(bench.logged.filter(({ message }) => message === 'plan.stale').length).toBeGreaterThan(0);
    },
  ],
});
