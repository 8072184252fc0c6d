/** What binds a question to what was planned, and a run to a person's stop (P7). */
import { cancelRun } from '../../../shared/run/cancel.ts';
import { runsOf } from '../../property/stage.ts';
import type { Simulator } from '../simulator.ts';
import { first, inProduction, next, pushed } from '../stories/approval.ts';
import { approveAll, newest } from '../story.ts';
import type { Case } from './case.ts';
import { untilAbout } from './deliveries.ts';

/** The first commit is applied in production, and the second one pushed. */
async function released(simulator: Simulator): Promise<void> {
  await inProduction(simulator, first);
  await pushed(simulator, 'two', next);
}

export const questionCases: readonly Case[] = [
  {
    name: 'somebody cancels a run in the moment in which it is found stale',
    source: 'combined gated GT 3b',
    guards: ['I12'],
    async play(simulator) {
      await released(simulator);
      await simulator.rest();
      simulator.bench.provider.remove('b');
      await simulator.click({ user: 'U0000ROBIN', button: 'Approve' });
      await (await untilAbout(simulator, 'table.write "sk":"STALE#')).run();
      const worker = await untilAbout(simulator, 'table.write "state":"closed"');
      const run = newest(simulator);
      if (run)
        await cancelRun({ ...simulator.bench.world(), table: simulator.bench.memory.table, queues: simulator.bench.queues.queues }, run, { name: 'olga' });
      await worker.run();
      await simulator.rest();
      if (runsOf(simulator.bench).some(({ phase }) => phase === 'awaiting')) throw new Error('I12: a run that was cancelled asks again');
    },
  },
  {
    name: 'somebody else releases between what a plan reads of a line and what is asked about it',
    source: 'm4-approval 4-g, combined gated GM ledger read last, combined gated GM guard does not compare the state digest',
    guards: ['I12'],
    async play(simulator) {
      const { bench } = simulator;
      await released(simulator);
      const worker = await untilAbout(simulator, 'objects.get /state-');
      // Another run of the scope writes down that it made of b what it is now.
      const found = bench.memory.items().find(({ sk, pk }) => sk === 'LEDGER#b' && pk.includes('production'));
      if (found) await bench.memory.table.write({ pk: found.pk, sk: found.sk }, { set: { version: 'of another run' } }, { is: 'always' });
      await worker.run();
      await simulator.rest();
      await simulator.click({ user: 'U0000ROBIN', button: 'Approve' });
      await simulator.rest();
      const run = newest(simulator);
      const asked = bench.memory.items().filter((item) => item.sk.startsWith('QUESTION#') && item['run'] === run?.id).length;
      if (asked < 2) throw new Error('I12: what had moved since it was planned was applied without another question');
      await approveAll(simulator);
    },
  },
];
