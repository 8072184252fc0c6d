/** Every call of a run with a stack dies before, dies after, loses its answer or is not sent: one tool run, whose result is recorded (P9). */
import { expect } from 'vitest';
import { rest, sweepFaults } from '../../test/ports/fault-sweep.ts';
import { answer } from '../../test/ports/people.ts';
import { type StackBench, stackLine, stacksOn, withRoot } from '../../test/ports/stack-bench.ts';
import type { Workbench } from '../../test/ports/workbench.ts';

const benches = new WeakMap<Workbench, StackBench>();
const stacks = (bench: Workbench): StackBench => benches.get(bench) as StackBench;

/** Jobs of the tool by what they do: what was begun twice was begun by two processes. */
const jobs = (bench: Workbench): string[] => stacks(bench).jobs();

const registry = withRoot;

sweepFaults(
  'with a fault',
  {
    async 'a stack is asked about, and applied as it was approved'(bench) {
      bench.pull(7, 'one', [stackLine('net', { a: '1' })]);
      const id = await bench.command({ commit: 'one', environment: 'production', scope: 'main' });
      await bench.quiet();
      for (let times = 0; times < 4 && (await bench.run(id)).phase !== 'awaiting'; times += 1) await bench.sweep();
      const run = await bench.run(id);
      expect(run.phase).toBe('awaiting');
      await bench.sweep();
      await answer(bench, run);
      await rest(bench);
      expect(await bench.run(id)).toMatchObject({ phase: 'done', outcome: 'complete' });
      expect([...stacks(bench).state().live]).toEqual([['thing.a', '1']]);
      expect(jobs(bench).filter((job) => job === 'apply')).toHaveLength(1);
    },
  },
  {
    registry,
    async first(bench) {
      benches.set(bench, stacksOn(bench));
    },
  },
);

sweepFaults(
  'with a fault',
  {
    async 'a stack is taken down with its pull request'(bench) {
      const gone = await bench.close(7, 'one');
      await rest(bench);
      if ((await bench.run(gone.id)).outcome !== 'complete') await bench.sweep(120);
      expect(await bench.run(gone.id)).toMatchObject({ phase: 'done', outcome: 'complete' });
      expect(stacks(bench).state().live.size).toBe(0);
      expect(jobs(bench)).toEqual(['plan-and-apply', 'plan-and-apply of a destroy']);
    },
  },
  {
    registry,
    async first(bench) {
      benches.set(bench, stacksOn(bench));
      await bench.release(7, 'one', [stackLine('net', { a: '1' })]);
      expect([...stacks(bench).state().live]).toEqual([['thing.a', '1']]);
    },
  },
);
