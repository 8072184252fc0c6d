/** A scan of a stack with one fault at each of its calls: it costs one interval at most, and its tool writes nothing (R2.7, P1, P9, I4). */
import { expect } from 'vitest';
import { rest, sweepFaults } from '../../test/ports/fault-sweep.ts';
import { announced, fire, hour, itemsOf, policyAt, quarter, scanned, scans } from '../../test/ports/scan-bench.ts';
import { type StackBench, stackLine, stacksOn, withRoot } from '../../test/ports/stack-bench.ts';
import { commitOf, type Workbench } from '../../test/ports/workbench.ts';

const benches = new WeakMap<Workbench, StackBench>();
const stacks = (bench: Workbench): StackBench => benches.get(bench) as StackBench;
const policy = { ...scanned, environments: { preview: { ...scanned.environments.preview, stacks: {} } } };

async function first(bench: Workbench): Promise<void> {
  benches.set(bench, stacksOn(bench));
  bench.code.history.push(commitOf('c1'));
  policyAt(bench, 'c1', policy);
  await bench.push('c1', [stackLine('net', { a: '1' })]);
  await bench.quiet();
  stacks(bench).state().live.set('thing.a', 'by hand');
}

const drifted = (bench: Workbench) => itemsOf(bench, 'DRIFT#net').map((item) => (item['drifted'] as { key: string }[] | undefined)?.map(({ key }) => key));

sweepFaults(
  'with one fault at each call',
  {
    'A scan of a stack': async (bench) => {
      const before = stacks(bench).jobs().length;
      await fire(bench);
      await rest(bench);
      bench.clock.advance(quarter);
      await fire(bench);
      await rest(bench);
      expect(scans(bench)).toHaveLength(1);
      const [scan] = scans(bench);
      expect(scan?.phase).toBe('done');
      if (scan?.outcome !== 'complete') {
        bench.clock.advance(hour);
        await fire(bench);
        await rest(bench);
        expect(scans(bench).at(-1)).toMatchObject({ phase: 'done', outcome: 'complete' });
      }
      expect(drifted(bench)).toEqual([['infra/net/thing.a']]);
      expect(new Set(announced(bench)).size).toBe(1);
      expect([...new Set(stacks(bench).jobs().slice(before))]).toEqual(['plan']);
      expect(stacks(bench).state().live.get('thing.a')).toBe('by hand');
    },
  },
  { first, registry: withRoot },
);
