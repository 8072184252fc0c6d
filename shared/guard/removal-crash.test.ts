import { expect } from 'vitest';
import { mayFail, rest, sweepFaults } from '../../test/ports/fault-sweep.ts';
import { putPolicy, wake, writeAnswer } from '../../test/ports/people.ts';
import type { Workbench } from '../../test/ports/workbench.ts';
import type { Run } from '../run/items.ts';

const open = (bench: Workbench) => bench.memory.items().filter((item) => item.sk.startsWith('QUESTION#') && item['state'] === 'open');

/** A removal at rest at its question: exactly one is open, and it is the one the run puts (I12). */
async function parked(bench: Workbench, id: string): Promise<Run> {
  await bench.quiet();
  for (let times = 0; times < 4 && (await bench.run(id)).phase !== 'awaiting'; times += 1) await bench.sweep();
  const run = await bench.run(id);
  expect(run).toMatchObject({ phase: 'awaiting', kind: 'destroy' });
  if (open(bench).length === 0) await bench.sweep();
  expect(open(bench).map((item) => [item['run'], item['q']])).toEqual([[id, run.question?.q]]);
  return run;
}

async function approved(bench: Workbench, run: Run): Promise<void> {
  await writeAnswer(bench, run, 'approve');
  await wake(bench, run);
  await bench.quiet();
}

/** The removal of a pull request's preview, asked about; one of its two resources has been edited since. */
async function askedThenMoved(bench: Workbench): Promise<void> {
  await bench.release(7, 'one', [
    { id: 'a', things: { a: '1' } },
    { id: 'b', things: { b: '1' }, depends_on: ['a'] },
  ]);
  putPolicy(bench, JSON.stringify({ version: 1, environments: { preview: { protected: true } } }));
  bench.clock.advance(1000);
  await bench.close(7, 'one');
  bench.provider.edit('a', 'by hand');
}

const removal = (bench: Workbench): Run => bench.memory.items().find((item) => item['kind'] === 'destroy' && item.sk === 'META') as unknown as Run;

sweepFaults(
  'wherever one fault falls (I7, I8, I11, I12)',
  {
    'a removal is approved, finds one line moved, is asked about again, and takes everything away once': [
      async (bench) => {
        const { id } = removal(bench);
        await approved(bench, await parked(bench, id));
        await parked(bench, id);
        expect(bench.provider.names()).toContain('a=by hand');
        return id;
      },
      async (bench, id) => {
        await approved(bench, await bench.run(id));
        for (let times = 0; times < 4 && (await bench.run(id)).outcome !== 'complete'; times += 1) {
          await bench.sweep();
          // A removal that failed is tried again by the schedule, and asks again about what is left.
          if (mayFail(bench) && (await bench.run(id)).phase === 'awaiting') await approved(bench, await parked(bench, id));
        }
        await rest(bench);
        expect((await bench.run(id)).outcome).toBe('complete');
        expect([bench.provider.names(), open(bench), [...bench.states.open]]).toEqual([[], [], []]);
        if (!mayFail(bench)) expect(await bench.report(id)).toMatchObject({ stops: [{ step: 'a', cause: 'drift' }] });
      },
    ],
  },
  { first: askedThenMoved },
);
