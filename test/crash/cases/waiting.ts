/** Who waits for a lease, or for an event, and hears of it (P3, P5). */
import { pullHook } from '../hooks.ts';
import type { Simulator } from '../simulator.ts';
import { newest } from '../story.ts';
import { posts, writes } from './calls.ts';
import type { Case } from './case.ts';
import { deliverDue, deliverUntil, isOfRun, line, open } from './deliveries.ts';

const one = [{ id: 'a', things: { a: '1' } }];
const two = [{ id: 'a', things: { a: '2' } }];
const afterDeployment = [
  { id: 'a', things: { a: '1' } },
  { id: 'w', depends_on: ['a'], things: { w: { from: 'a.url' } } },
];

/** The second commit's run, standing right before it notes that it waits for the lease of the first's. */
async function aboutToWait(simulator: Simulator) {
  simulator.bench.clock.advance(1_000);
  simulator.bench.pull(7, 'two', two);
  await simulator.hook(pullHook('synchronize', 7, 'two'));
  const waiter = await deliverUntil(simulator, isOfRun(simulator));
  await waiter.until(writes('LEASE', '"waiters"'));
  return waiter;
}

/** Nobody who could go on stands still until a timer rings: a bound of no time at all (I11). */
function judgeWoken(simulator: Simulator): void {
  const run = newest(simulator);
  const next = simulator.bench.queues.nextAt();
  if (run?.phase !== 'done')
    throw new Error(
      `I11: the lease is free, and run ${run?.id} waits for it in ${run?.phase}, ${next === undefined ? 'for ever' : `for ${(next - simulator.bench.clock.now()) / 1000} s still`}`,
    );
}

export const waitingCases: readonly Case[] = [
  {
    name: 'the lease is given back between a run’s try and its note that it waits',
    source: 'm6-wakeup 6-a, 6-b, findings 24',
    guards: ['I11'],
    async play(simulator) {
      await open(simulator, one);
      const holder = await deliverUntil(simulator, line('a'));
      await holder.until(posts('a'));
      const waiter = await aboutToWait(simulator);
      await holder.run();
      await deliverDue(simulator);
      await waiter.run();
      await deliverDue(simulator);
      judgeWoken(simulator);
    },
  },
  {
    name: 'a run notes that it waits right before the lease is given back',
    source: 'm6-wakeup 6-c, 6-d',
    guards: ['I11'],
    async play(simulator) {
      await open(simulator, one);
      const holder = await deliverUntil(simulator, line('a'));
      await holder.until(posts('a'));
      const waiter = await aboutToWait(simulator);
      await holder.run();
      const settling = await deliverUntil(simulator, isOfRun(simulator));
      await settling.until(writes('LEASE', '"released"'));
      await waiter.run();
      await settling.run();
      await deliverDue(simulator);
      judgeWoken(simulator);
    },
  },
  {
    name: 'a deployment is ready before its run says that it waits for it',
    source: 'm6-wakeup 6-e, 6-f, findings 25',
    guards: ['I11'],
    async play(simulator) {
      await open(simulator, afterDeployment);
      await (await deliverUntil(simulator, line('w'))).run();
      const settling = await deliverUntil(simulator, isOfRun(simulator));
      await settling.until(writes('META', '"phase":"waiting"'));
      await simulator.bench.deployed('one', 'success');
      await (await deliverUntil(simulator, (mail) => mail.queue === 'control' && !isOfRun(simulator)(mail))).run();
      await settling.run();
      await simulator.rest();
      const run = newest(simulator);
      if (run?.outcome !== 'complete') throw new Error(`I11: the deployment is ready, and the run that waits for it is ${run?.outcome} in ${run?.phase}`);
    },
  },
  {
    name: 'a deployment is noted, and whoever has it dies before it wakes the run that waits',
    source: 'm6-wakeup 6-f',
    guards: ['I11'],
    async play(simulator) {
      await open(simulator, afterDeployment);
      await deliverDue(simulator);
      await simulator.bench.deployed('one', 'success');
      const intake = await simulator.take();
      await intake.until(writes('HEAD', '"notes"'));
      await intake.step('after');
      await simulator.rest();
      const run = newest(simulator);
      if (run?.outcome !== 'complete') throw new Error(`I11: the deployment is ready, and the run that waits for it is ${run?.outcome} in ${run?.phase}`);
    },
  },
];
