import { type DomainBench, linesOf, openDomain } from '../bench/domain/runs.ts';
import { atMost } from '../bench/row.ts';
import type { Part } from './part.ts';

const scopes = 500;
const linesEach = 20;

/** A ledger of ten thousand entries: one scope's run, and the schedule, read no more than in an empty table. */
export const largeLedger: Part = {
  about: `a ledger of ${scopes * linesEach} entries over ${scopes} scopes`,
  async measure(tell) {
    const empty = openDomain();
    const full = openDomain();
    for (let scope = 0; scope < scopes; scope += 1) {
      const { run } = await full.run(linesOf(`s${scope}`, linesEach), { intent: 'apply', name: `s${scope}` });
      if (run.outcome !== 'complete') throw new Error(`scope ${scope} ended ${run.outcome}`);
      if ((scope + 1) % 100 === 0) tell(`${scope + 1} scopes, ${(scope + 1) * linesEach} entries`);
    }
    const entries = full.workbench.memory.each().filter(({ sk }) => sk.startsWith('LEDGER#')).length;
    const [without, among] = [await measured(empty), await measured(full)];
    return [
      atMost('ledger lines that are missing', 0, { value: scopes * linesEach - entries, details: [`${entries} are there`] }),
      atMost('items read by a run of 20 lines, against an empty table', 1.05, {
        value: among.run / without.run,
        digits: 2,
        unit: ' ×',
        details: [`${without.run} and ${among.run}`],
      }),
      atMost('items read by the schedule when nothing is to be done', without.sweep + 5, { value: among.sweep }),
    ];
  },
};

async function measured(bench: DomainBench): Promise<{ readonly run: number; readonly sweep: number }> {
  const { itemsRead } = await bench.run(linesOf('last', linesEach), { intent: 'apply', name: 'last' });
  bench.workbench.clock.advance(3_600_000);
  const before = bench.workbench.memory.itemsRead();
  await bench.workbench.sweepOnce();
  return { run: itemsRead, sweep: bench.workbench.memory.itemsRead() - before };
}
