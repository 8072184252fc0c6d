/** A scan with one fault at each of its calls: what it costs is one interval at most, and never the next scan (R2.3, P1, I4, I10). */
import { expect } from 'vitest';
import { mayFail, rest, sweepFaults } from '../../test/ports/fault-sweep.ts';
import { announced, fire, hour, itemsOf, quarter, released, scans } from '../../test/ports/scan-bench.ts';
import type { Workbench } from '../../test/ports/workbench.ts';

async function first(bench: Workbench): Promise<void> {
  await released(bench);
  bench.provider.edit('a', 'by hand');
}

const drifted = (bench: Workbench) => itemsOf(bench, 'DRIFT#a').map((item) => (item['drifted'] as { key: string }[] | undefined)?.map(({ key }) => key));

sweepFaults(
  'with one fault at each call',
  {
    'A scan that the schedule starts': async (bench) => {
      const wrote = bench.provider.writes.length;
      await fire(bench);
      await rest(bench);
      // Whatever befell the first look: the next one finds the same slot due, or seen to.
      bench.clock.advance(quarter);
      await fire(bench);
      await rest(bench);
      expect(scans(bench)).toHaveLength(1);
      for (const later of [hour, quarter]) {
        bench.clock.advance(later);
        await fire(bench);
        await rest(bench);
      }
      const all = scans(bench);
      expect(all.map(({ phase }) => phase)).toEqual(['done', 'done']);
      if (!mayFail(bench)) expect(all.map(({ outcome }) => outcome)).toEqual(['complete', 'complete']);
      expect(drifted(bench)).toEqual([['thing:a']]);
      expect(new Set(announced(bench)).size).toBe(1);
      expect(itemsOf(bench, 'DRIFT#a')).toMatchObject([{ told: [expect.any(String)] }]);
      expect(bench.provider.writes).toHaveLength(wrote);
    },
  },
  { first },
);
