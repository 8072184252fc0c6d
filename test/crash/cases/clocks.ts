/** Clocks that are as far apart as they may be (P1.2, P3): whoever has a lease stops before anybody else can take it. */
import { houseTiming } from '../../house/house.ts';
import { scopeOf } from '../../ports/workbench.ts';
import type { Simulator } from '../simulator.ts';
import type { Worker } from '../worker.ts';
import { writes } from './calls.ts';
import type { Case } from './case.ts';
import { close, deliverDue, deliverUntil, line, open } from './deliveries.ts';

const { skew, leaseTtl } = houseTiming;

/** A worker on a clock that is behind, about to write its intent, under a lease that was granted by such a clock, too. */
async function behind(simulator: Simulator, wait: number): Promise<Worker> {
  simulator.skew = () => -skew;
  await open(simulator, [{ id: 'a', things: { a: '1' } }]);
  const worker = await deliverUntil(simulator, line('a'));
  simulator.bench.clock.advance(wait);
  await worker.until(writes('LEDGER#a'));
  return worker;
}

/** Its create leaves right before a run whose clock is ahead takes the lease, and arrives after that: no later than its time-out. */
function betweenClocks(name: string, source: string, wait: number): Case {
  return {
    name,
    source,
    guards: ['I8', 'I9'],
    async play(simulator) {
      const { bench } = simulator;
      const late = await behind(simulator, wait);
      const expiresAt = Number(bench.memory.peek(`SCOPE#${scopeOf(7)}`, 'LEASE')?.['expiresAt']);
      bench.clock.set(expiresAt - skew - 1000);
      await late.step();
      bench.clock.advance(2000);
      simulator.skew = () => skew;
      await close(simulator);
      await deliverDue(simulator);
      await late.run();
      simulator.skew = () => 0;
    },
  };
}

export const clockCases: readonly Case[] = [
  betweenClocks('a line that knows its lease from the table writes at the end of it, and clocks differ', 'm7-small 7d sibling, findings 16', 0),
  betweenClocks('a line that has renewed its lease writes at the end of it, and clocks differ', 'm7-small 7d own clock, findings 16', leaseTtl / 2),
];
