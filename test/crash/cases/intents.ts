/** An intent that somebody left, or that arrives late, while another scope wants the thing (P4): it is looked at together with its claim. */
import { pullHook } from '../hooks.ts';
import type { Simulator } from '../simulator.ts';
import { thingsAt } from '../story.ts';
import type { Worker } from '../worker.ts';
import { posts, writes } from './calls.ts';
import type { Case } from './case.ts';
import { closeOther, openOther } from './claims.ts';
import { close, deliverDue, deliverUntil, dieWithoutMessage, line, open, pastLease } from './deliveries.ts';

const one = [{ id: 'a', things: { a: '1' } }];

/** Pull request 7 has an intent for `a`, and its worker died before it sent anything. */
async function leftIntent(simulator: Simulator): Promise<void> {
  await open(simulator, one);
  const worker = await deliverUntil(simulator, line('a'));
  await worker.until(posts('a'));
  dieWithoutMessage(simulator, worker);
  simulator.bench.clock.advance(pastLease);
}

/** Pull request 7 is closed; the destroy of its line stands before its look at the provider. */
async function resolving(simulator: Simulator): Promise<Worker> {
  await close(simulator);
  const worker = await deliverUntil(simulator, line('a'));
  await worker.until(({ port }) => port === 'provider');
  return worker;
}

/** What pull request 8 has made is there as long as that is open. */
async function judgeOthers(simulator: Simulator): Promise<void> {
  const made = simulator.sent.find(({ method, done, run }) => method === 'POST' && done && run.scope === 'pr-8')?.id;
  await simulator.rest();
  if (made && simulator.bench.provider.find('a')?.id !== made) throw new Error('I5: pull request 8 has made a, and the destroy of 7 has deleted it');
  await closeOther(simulator);
  await simulator.rest();
  if (thingsAt(simulator.bench).length > 0) throw new Error(`I8: every pull request is closed, and ${thingsAt(simulator.bench).join()} is there`);
}

export const intentCases: readonly Case[] = [
  {
    name: 'an intent arrives when its lease is over, and another scope, which saw none, takes the claim and makes the thing',
    source: 'm2-claims 2-c2, findings 4',
    guards: ['I5', 'I8'],
    async play(simulator) {
      await open(simulator, one);
      const late = await deliverUntil(simulator, line('a'));
      await late.until(writes('LEDGER#a'));
      simulator.bench.clock.advance(pastLease);
      await openOther(simulator);
      const thief = await deliverUntil(simulator, line('a'));
      await thief.until(writes('CLAIM'));
      await late.step();
      dieWithoutMessage(simulator, late);
      await thief.run();
      await deliverDue(simulator);
      await close(simulator);
      await judgeOthers(simulator);
    },
  },
  {
    name: 'a destroy comes late to an intent that it found nothing of, when the next run of its scope has made the thing',
    source: 'm2-claims 2-c3, findings 4, 22',
    guards: ['I8', 'I9'],
    async play(simulator) {
      const { bench } = simulator;
      await leftIntent(simulator);
      const late = await resolving(simulator);
      await late.step();
      bench.clock.advance(pastLease);
      bench.pull(7, 'one', one);
      await simulator.hook(pullHook('reopened', 7, 'one'));
      await deliverDue(simulator);
      await late.run();
      await openOther(simulator);
      await simulator.rest();
      await close(simulator);
      await simulator.rest();
      if (thingsAt(bench).length > 0) throw new Error(`I8: the pull request that made it is closed, and ${thingsAt(bench).join()} is there`);
      await closeOther(simulator);
    },
  },
  {
    name: 'another scope wants what a dead run left an intent for, while that intent is being looked at',
    source: 'm2-claims 2-g, findings 4',
    guards: ['I5'],
    async play(simulator) {
      await leftIntent(simulator);
      const late = await resolving(simulator);
      simulator.bench.clock.advance(pastLease);
      await openOther(simulator);
      await deliverDue(simulator, (mail) => mail.queue === 'control' || line('a')(mail));
      await late.run();
      await judgeOthers(simulator);
    },
  },
];
