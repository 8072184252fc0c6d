import { expect } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { mayFail, rest, sweepFaults } from '../../test/ports/fault-sweep.ts';
import { ownersOf, watchOwners } from '../../test/ports/owners.ts';
import { commitOf, planOf } from '../../test/ports/workbench.ts';

const lines = [{ id: 'a', things: { x: '1', y: '1' } }];

sweepFaults('wherever one fault falls (P4, R1.30, R1.97, I8)', {
  'a pull request takes over its branch’s scope, and removes it once': [
    async (bench) => {
      bench.code.tips.set('feat-7', commitOf('zero'));
      bench.code.commit(commitOf('zero'), 'release.plan.yaml', planOf(lines));
      const first = await bench.command({ commit: 'zero', branch: 'feat-7', scope: 'branch-feat-7' });
      await rest(bench);
      return (await bench.run(first)).outcome === 'failed' && mayFail(bench) ? undefined : first;
    },
    async (bench) => {
      const unwatch = watchOwners(bench, ['x', 'y']);
      try {
        bench.pull(7, 'one', lines);
        const id = await bench.event('opened', 7, 'one');
        await rest(bench);
        const { outcome } = await bench.run(id);
        if (outcome === 'failed' && mayFail(bench)) return undefined;
        expect(outcome).toBe('complete');
        expect(disagreements(bench)).toEqual([]);
        expect(['x', 'y'].flatMap((name) => ownersOf(bench, name))).toEqual(['pr-7 a', 'pr-7 a']);
        return id;
      } finally {
        unwatch();
      }
    },
    async (bench) => {
      const pull = bench.code.pulls.get(7);
      if (pull) bench.code.pulls.set(7, { ...pull, open: false });
      const closed = await bench.event('closed', 7, 'one');
      await rest(bench);
      for (let times = 0; mayFail(bench) && times < 2 && (await bench.run(closed)).outcome === 'failed'; times += 1) await bench.sweep(60);
      expect(bench.provider.names()).toEqual([]);
      expect(disagreements(bench)).toEqual([]);
      const deleted = bench.provider.writes.filter(({ method }) => method === 'DELETE').map(({ name }) => name);
      if (!mayFail(bench)) expect(new Set(deleted)).toEqual(new Set(['x', 'y']));
    },
  ],
});
