import { expect } from 'vitest';
import { mayFail, rest, sweepFaults } from '../../test/ports/fault-sweep.ts';
import { commitOf, mona, type Workbench } from '../../test/ports/workbench.ts';
import type { Run } from '../run/items.ts';

const lines = [{ id: 'a', things: { x: '1' } }];
const runsOf = (bench: Workbench): Run[] => bench.memory.items().filter((item) => item['item'] === 'run') as unknown as Run[];
const intakes = (bench: Workbench) => bench.memory.items().filter((item) => item['kind'] === 'intake');

/** Quiet, and the schedule a few times while an intake or run stands. */
async function settled(bench: Workbench, stands: () => boolean): Promise<void> {
  await bench.quiet();
  for (let times = 0; times < 4 && stands(); times += 1) await bench.sweep();
  expect(intakes(bench).filter((intake) => intake['status'] !== 'done')).toEqual([]);
  expect(bench.logged.filter(({ message }) => / died$/.test(message))).toEqual([]);
}

const unheard = (bench: Workbench) => intakes(bench).some((intake) => intake['status'] !== 'done');

/** A failed run of a pull request: what asks for it again comes next. */
async function failed(bench: Workbench): Promise<Run> {
  bench.provider.faults.fail((call) => call.method === 'POST', new Error('refused'), 40);
  const run = await bench.release(7, 'one', lines);
  bench.provider.faults.clear();
  return run;
}

sweepFaults('wherever one fault falls (P6, I10, I11)', {
  'a push asks one question, shown on its commit and on the merged pull request': async (bench) => {
    bench.code.merged.set(commitOf('one'), 7);
    const id = await bench.push('one', lines);
    await settled(bench, () => unheard(bench) || !runsOf(bench).some((run) => run.phase === 'awaiting'));
    if ((await bench.run(id)).outcome === 'failed' && mayFail(bench)) return;
    expect(runsOf(bench)).toMatchObject([{ id, phase: 'awaiting', question: { q: 1 } }]);
    expect(bench.code.checks.get(`${commitOf('one')} lockkeeper / production`)).toMatchObject({ conclusion: 'action_required', externalId: id });
    expect([...bench.code.comments.keys()]).toEqual([expect.stringContaining('7 <!-- lockkeeper after the merge: main/production')]);
    expect(bench.provider.writes).toEqual([]);
  },

  'a broken policy is a failed check and starts nothing': async (bench) => {
    bench.code.commit(commitOf('one'), 'lockkeeper.yaml', 'version: 2\n');
    await bench.push('one', lines);
    await settled(bench, () => unheard(bench));
    expect(runsOf(bench)).toEqual([]);
    expect([...bench.code.checks.values()]).toMatchObject([{ name: 'lockkeeper / policy', conclusion: 'failure' }]);
  },

  'a re-run runs once': async (bench) => {
    const first = await failed(bench);
    await bench.happens({ format: 2, event: 'check_run', action: 'rerequested', ...mona, check: { sha: commitOf('one'), externalId: first.id } });
    await settled(bench, () => unheard(bench) || runsOf(bench).some((run) => run.phase !== 'done'));
    await rest(bench);
    const again = runsOf(bench).filter(({ retryOf }) => retryOf === first.id);
    expect(again).toHaveLength(1);
    if (again[0]?.outcome === 'failed' && mayFail(bench)) return;
    expect(bench.provider.names()).toEqual(['x=1']);
    expect(bench.code.checks.get(`${commitOf('one')} lockkeeper / preview`)).toMatchObject({ status: 'completed' });
  },

  'an untold pull request is released once, however often the schedule looks': async (bench) => {
    await bench.happens({ format: 2, event: 'push', ...mona, push: { branch: 'elsewhere', sha: commitOf('zero') } });
    await settled(bench, () => unheard(bench));
    bench.pull(7, 'one', lines);
    bench.code.updated.set(7, bench.clock.now() - 20 * 60_000);
    for (let times = 0; times < 3; times += 1) {
      bench.queues.deliver({ queue: 'control', at: bench.clock.now(), message: { format: 3, look: 'lost', group: 'schedule' } });
      await settled(bench, () => unheard(bench) || runsOf(bench).some((run) => run.phase !== 'done'));
    }
    await rest(bench);
    expect(runsOf(bench)).toHaveLength(1);
    if (runsOf(bench)[0]?.outcome === 'failed' && mayFail(bench)) return;
    expect(bench.provider.names()).toEqual(['x=1']);
  },
});
