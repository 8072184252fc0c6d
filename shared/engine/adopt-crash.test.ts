import { expect } from 'vitest';
import { mayFail, sweepFaults } from '../../test/ports/fault-sweep.ts';
import { scopeOf, type Workbench } from '../../test/ports/workbench.ts';
import { readLedgerLine } from '../ledger/ledger-line.ts';
import { sayBefore } from '../rulings/lift.ts';
import { runIdOf } from '../run/create-run.ts';

const lines = [{ id: 'a', things: { x: 'ours' } }];
const first = 'the first value';

/** A thing that somebody made, and the run of a person's word that line `a` may take it over. */
async function lifted(bench: Workbench): Promise<void> {
  bench.provider.edit('x', first);
  bench.pull(7, 'one', lines);
  const start = 'a command';
  const run = runIdOf(start, { plan: { name: 'main' }, environment: 'preview' });
  const by = { name: 'kim', through: 'machine' } as const;
  await sayBefore({ table: bench.memory.table, ids: bench.world().ids }, scopeOf(7), start, run, {
    kind: 'lift',
    line: 'a',
    by,
    at: '2026-01-01T00:00:00.000Z',
  });
  await bench.command({ start, commit: 'one', scope: 'pr-7', branch: 'feat-7', pullRequest: 7, options: { busy: 'fail', adopt: 'a' } });
  await bench.quiet();
}

const entry = async (bench: Workbench) => (await readLedgerLine(bench.memory.table, scopeOf(7), 'a'))?.entries[0];
const isOpen = (bench: Workbench) => bench.memory.items().some((item) => item['item'] === 'run' && item['phase'] !== 'done');

sweepFaults('a resource that is taken over, wherever one fault falls (P4, Overwrite)', {
  'keeps its first value, and gets it back': [
    async (bench) => {
      await lifted(bench);
      for (let times = 0; times < 4 && isOpen(bench); times += 1) await bench.sweep();
      expect(isOpen(bench)).toBe(false);
      if (bench.provider.names()[0] !== 'x=ours') expect(mayFail(bench)).toBe(true);
      return 'lifted';
    },
    async (bench) => {
      await bench.close(7, 'one');
      for (let times = 0; times < 4 && (await entry(bench)); times += 1) await bench.sweep();
      expect(await entry(bench)).toBeUndefined();
      expect(bench.provider.names()).toEqual([`x=${first}`]);
    },
  ],
});
