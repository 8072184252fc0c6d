/** A settle that comes late to what it stores (P5): the chain has no gap, and nothing goes back. */
import { repository } from '../../ports/workbench.ts';
import { pullHook } from '../hooks.ts';
import type { Simulator } from '../simulator.ts';
import { newest } from '../story.ts';
import { writes } from './calls.ts';
import type { Case } from './case.ts';
import { deliverDue, deliverUntil, isOfRun, line, open, pastLease } from './deliveries.ts';

const latest = `receipts/${repository.id}/main/preview/pr-7/latest.json`;

/** The first commit's settle stands at a call, its lease runs out, the second commit is released to its end, and the settle goes on. */
function overtakenAt(name: string, source: string, at: Parameters<Awaited<ReturnType<Simulator['take']>>['until']>[0]): Case {
  return {
    name,
    source,
    guards: ['I6', 'I9'],
    async play(simulator) {
      const { bench } = simulator;
      await open(simulator, [{ id: 'a', things: { a: '1' } }]);
      await (await deliverUntil(simulator, line('a'))).run();
      const late = await deliverUntil(simulator, isOfRun(simulator));
      await late.until(at);
      bench.clock.advance(pastLease);
      bench.pull(7, 'two', [{ id: 'a', things: { a: '2' } }]);
      await simulator.hook(pullHook('synchronize', 7, 'two'));
      await deliverDue(simulator);
      await late.run();
      await simulator.rest();
      const run = newest(simulator);
      const top = JSON.parse(bench.bucket.bodies(latest).at(-1) ?? '{}') as { run?: string };
      if (top.run !== run?.id) throw new Error(`I6: run ${run?.id} has settled last, and the newest receipt is of ${top.run ?? 'nobody'}`);
      const head = bench.memory.items().find(({ sk }) => sk === 'HEAD');
      const last = (head?.['history'] as { sha: string }[] | undefined)?.at(-1)?.sha;
      if (last !== run?.commit) throw new Error(`I9: commit ${run?.commit} was applied last, and the head names ${String(last)}`);
    },
  };
}

export const receiptCases: readonly Case[] = [
  overtakenAt(
    'a settle comes late to its own receipt',
    'm7-small 7b-5, findings 20',
    ({ port, method, about }) => port === 'objects' && method === 'put' && !about.includes('latest.json'),
  ),
  overtakenAt(
    'a settle comes late to the newest receipt',
    'm7-small 7b-2, 7b-3, 7b-4, findings 20',
    ({ port, method, about }) => port === 'objects' && method === 'put' && about.includes('latest.json'),
  ),
  overtakenAt('a settle comes late to the head', 'm7-small 7b-1, 7b-6, findings 20', writes('HEAD', '"history"')),
];
