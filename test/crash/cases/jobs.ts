/** What one claim, its end and its attempts keep apart (P1): two workers at one job. */
import { deletes, posts, writes, writesResult } from './calls.ts';
import type { Case } from './case.ts';
import { close, deliverDue, deliverUntil, dieWithoutMessage, isOfRun, line, open, pastClaim } from './deliveries.ts';
import { refuseInsertsWithoutLease } from './inserts.ts';
import { refused } from './refused.ts';

const one = [{ id: 'a', things: { a: '1' } }];
const chain = [...one, { id: 'b', depends_on: ['a'], things: { b: '1' } }];

export const jobCases: readonly Case[] = [
  {
    name: 'a line is delivered again while its create is under way, and the pull request is closed meanwhile',
    source: 'm1-lease 1c, m1b-zombie 1b-1, combined exec EM until ignored, combined scopes SM until ignored',
    guards: ['I8', 'I9'],
    async play(simulator) {
      await open(simulator, one);
      const first = await deliverUntil(simulator, line('a'));
      const [mail] = simulator.delivered.slice(-1);
      await first.until(posts('a'));
      if (mail) simulator.again(mail);
      await deliverDue(simulator);
      await close(simulator);
      await deliverDue(simulator);
      await first.run();
    },
  },
  {
    name: 'a worker writes the result of its line after its claim has run out, while the next attempt is at work',
    source: 'm1b-zombie 1b-2, combined exec EM result not on attempt',
    guards: ['I2', 'I9'],
    async play(simulator) {
      await open(simulator, one);
      simulator.bench.provider.faults.fail(({ method }) => method === 'POST', refused);
      const first = await deliverUntil(simulator, line('a'));
      const [mail] = simulator.delivered.slice(-1);
      await first.until(writesResult('a'));
      simulator.bench.clock.advance(pastClaim);
      if (mail) simulator.again(mail);
      const second = await simulator.take(line('a'));
      await second.until(posts('a'));
      await first.run();
      await deliverDue(simulator);
      await second.run();
    },
  },
  {
    name: 'a worker of the apply writes its result while the rollback of its line is at work',
    source: 'combined exec ET 7',
    guards: ['I2', 'I9'],
    async play(simulator) {
      await open(simulator, [{ id: 'a', things: { a: '1', twin: '1' } }]);
      simulator.bench.provider.faults.fail(({ method, name }) => method === 'POST' && name === 'twin', refused, 2);
      const first = await deliverUntil(simulator, line('a'));
      const [mail] = simulator.delivered.slice(-1);
      await first.until(writesResult('a'));
      simulator.bench.clock.advance(pastClaim);
      if (mail) simulator.again(mail);
      const undoing = await deliverUntil(simulator, line('a', 'rolling-back'));
      await undoing.until(deletes);
      await first.run();
      await deliverDue(simulator);
      await undoing.run();
    },
  },
  {
    name: 'two deliveries of one prepare: the first has ledger lines to make still when the pull request is closed',
    source: 'm1b-zombie 1b-4, m3-phase 3-A, combined exec EM control step unclaimed',
    guards: ['I9', 'I11'],
    async play(simulator) {
      await open(simulator, chain);
      const first = await deliverUntil(simulator, isOfRun(simulator));
      const [mail] = simulator.delivered.slice(-1);
      await first.until(writes('LEDGER#b'));
      if (mail) simulator.again(mail);
      await deliverDue(simulator);
      await close(simulator);
      await deliverDue(simulator);
      const before = simulator.bench.memory.writes.length;
      await first.step();
      refuseInsertsWithoutLease(simulator, before);
    },
  },
  {
    name: 'a message is delivered twice, whoever has the second goes, and whoever has the claim dies',
    source: 'm3-phase 3-e, combined exec EM duplicate acknowledged under a live claim',
    guards: ['I11'],
    async play(simulator) {
      await open(simulator, one);
      const first = await deliverUntil(simulator, line('a'));
      const [mail] = simulator.delivered.slice(-1);
      await first.until(posts('a'));
      if (mail) simulator.again(mail);
      await (await simulator.take(line('a'))).run();
      dieWithoutMessage(simulator, first);
    },
  },
];
