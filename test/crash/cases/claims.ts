/** Who owns an identity (P4): two scopes, a person at the console, and workers that come late. */
import { commitOf } from '../../ports/workbench.ts';
import type { Call } from '../gate.ts';
import { pullHook } from '../hooks.ts';
import type { Simulator } from '../simulator.ts';
import { thingsAt } from '../story.ts';
import { deletes, posts, writes } from './calls.ts';
import type { Case } from './case.ts';
import { close, deliverDue, deliverUntil, dieWithoutMessage, isOfRun, line, open, pastLease } from './deliveries.ts';

const one = [{ id: 'a', things: { a: '1' } }];

/** Pull request 8 wants the same thing. */
export async function openOther(simulator: Simulator): Promise<void> {
  simulator.bench.clock.advance(1_000);
  simulator.bench.pull(8, 'other', one);
  await simulator.hook(pullHook('opened', 8, 'other'));
}

export async function closeOther(simulator: Simulator): Promise<void> {
  const pull = simulator.bench.code.pulls.get(8);
  if (pull) simulator.bench.code.pulls.set(8, { ...pull, open: false, head: { ...pull.head, sha: commitOf('other') } });
  await simulator.hook(pullHook('closed', 8, 'other'));
}

const readsClaim = ({ port, method, about }: Call): boolean => port === 'table' && method === 'get' && about.includes('"CLAIM"');

/** Every pull request is closed, and nothing that was made for them is there. */
async function judgeGone(simulator: Simulator, commit = 'one'): Promise<void> {
  await close(simulator, commit);
  if (simulator.bench.code.pulls.has(8)) await closeOther(simulator);
  await simulator.rest();
  const left = thingsAt(simulator.bench);
  if (left.length > 0) throw new Error(`I8: every pull request is closed, and ${left.join()} is there`);
}

export const claimCases: readonly Case[] = [
  {
    name: 'two scopes want one thing, and while the second looks whether the first has it, the first makes it and ends',
    source: 'm2-claims 2-a, findings 5, combined scopes SM ledger read before lease when stealing',
    guards: ['I5', 'I8'],
    async play(simulator) {
      await open(simulator, one);
      const owner = await deliverUntil(simulator, line('a'));
      await owner.until(writes('CLAIM'));
      await openOther(simulator);
      const thief = await deliverUntil(simulator, line('a'));
      // It has found the thing free, and comes to take it.
      await thief.until(readsClaim);
      await thief.step();
      await thief.until(readsClaim);
      await owner.step();
      // It reads the claim, then the first of lease and ledger.
      await thief.step();
      await thief.step();
      await owner.run();
      await deliverDue(simulator);
      await thief.run();
      await simulator.rest();
      await judgeGone(simulator);
    },
  },
  {
    name: 'a scope finds a claim that was left, and before it takes it the next run of its owner makes the thing',
    source: 'm2-claims 2-b, findings 5, combined scopes SM re-claim without a fresh writeId',
    guards: ['I5', 'I8'],
    async play(simulator) {
      await open(simulator, one);
      const owner = await deliverUntil(simulator, line('a'));
      await owner.until(writes('LEDGER#a'));
      dieWithoutMessage(simulator, owner);
      simulator.bench.clock.advance(pastLease);
      await openOther(simulator);
      const thief = await deliverUntil(simulator, line('a'));
      await thief.until(writes('CLAIM'));
      simulator.bench.pull(7, 'two', one);
      await simulator.hook(pullHook('synchronize', 7, 'two'));
      await deliverDue(simulator);
      await thief.run();
      await simulator.rest();
      await judgeGone(simulator, 'two');
    },
  },
  {
    name: 'a destroy comes late to the claim it has to remove, and the scope has made its thing again',
    source: 'm2-claims 2-e, findings 6, combined scopes SM claim removed by owner instead of writeId',
    guards: ['I5', 'I8'],
    async play(simulator) {
      await open(simulator, one);
      await simulator.rest();
      await close(simulator);
      const late = await deliverUntil(simulator, line('a'));
      await late.until(writes('CLAIM', '"delete"'));
      simulator.bench.clock.advance(pastLease);
      simulator.bench.pull(7, 'one', one);
      await simulator.hook(pullHook('reopened', 7, 'one'));
      await deliverDue(simulator);
      await late.run();
      await simulator.rest();
      await judgeGone(simulator, 'one');
    },
  },
  {
    name: 'somebody makes the thing between a line’s look and its intent, and the line dies before it sends anything',
    source: 'combined scopes ST 2, protocol P4 (found with our mark)',
    guards: ['I5'],
    async play(simulator) {
      const { bench } = simulator;
      await open(simulator, one);
      const worker = await deliverUntil(simulator, line('a'));
      await worker.until(writes('CLAIM'));
      bench.provider.edit('a', 'theirs');
      // Longer than clocks are off: what is older than an intent is not of it (P4).
      bench.clock.advance(40_000);
      await worker.until(posts('a'));
      worker.die();
      await simulator.rest();
      await close(simulator);
      await simulator.rest();
      if (bench.provider.names().join() !== 'a=theirs') throw new Error(`I5: somebody made a, and there is ${bench.provider.names().join() || 'nothing'}`);
    },
  },
  {
    name: 'somebody makes the thing right before its create arrives, which is refused because it exists',
    source: 'combined scopes ST 2b',
    guards: ['I5'],
    async play(simulator) {
      const { bench } = simulator;
      await open(simulator, one);
      const worker = await deliverUntil(simulator, line('a'));
      await worker.until(posts('a'));
      bench.provider.edit('a', 'theirs');
      await worker.run();
      await simulator.rest();
      await close(simulator);
      await simulator.rest();
      if (bench.provider.names().join() !== 'a=theirs') throw new Error(`I5: somebody made a, and there is ${bench.provider.names().join() || 'nothing'}`);
    },
  },
  {
    name: 'a destroy dies between its claim and its entry, and another scope makes the thing meanwhile',
    source: 'm2-claims 2-d, findings 6, combined scopes SM claim removed before the entry',
    guards: ['I5', 'I8'],
    // The provider names a thing by what it is: made again, it has the id that it had.
    options: { thingId: () => 'id-a-' },
    async play(simulator) {
      await open(simulator, one);
      await simulator.rest();
      await close(simulator);
      const destroying = await deliverUntil(simulator, line('a'));
      await destroying.until(deletes);
      await destroying.step();
      await destroying.step();
      destroying.die();
      await openOther(simulator);
      await deliverDue(simulator);
      const made = simulator.bench.provider.find('a') !== undefined;
      await simulator.rest();
      if (made && !simulator.bench.provider.find('a')) throw new Error('I5: the thing that pull request 8 has made was deleted by the destroy of 7');
    },
  },
  {
    name: 'a deployment is noted between the look at the notes and the end of its run',
    source: 'm6-wakeup 6-e, findings 25',
    guards: ['I11'],
    async play(simulator) {
      await open(simulator, [...one, { id: 'w', depends_on: ['a'], things: { w: { from: 'a.url' } } }]);
      await (await deliverUntil(simulator, line('w'))).run();
      const settling = await deliverUntil(simulator, isOfRun(simulator));
      await settling.until(writes('HEAD'));
      await simulator.bench.deployed('one', 'success');
      await (await deliverUntil(simulator, (mail) => mail.queue === 'control' && !isOfRun(simulator)(mail))).run();
      await settling.run();
      await simulator.rest();
      if (!simulator.bench.provider.find('w')) throw new Error('I11: the deployment is ready, and the line that waits for it was never made');
    },
  },
];
