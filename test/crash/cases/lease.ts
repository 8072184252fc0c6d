/** Whoever had the lease, and comes late (P3, P4): seal, fence, deadlines. */
import { receives } from '../../ports/redelivery.ts';
import { scopeOf } from '../../ports/workbench.ts';
import { pullHook } from '../hooks.ts';
import type { Simulator } from '../simulator.ts';
import type { Worker } from '../worker.ts';
import { posts, writes } from './calls.ts';
import type { Case } from './case.ts';
import { close, deliverDue, deliverUntil, isOfRun, line, open, pastClaim, pastLease } from './deliveries.ts';
import { refuseInsertsWithoutLease } from './inserts.ts';
import { refused } from './refused.ts';

const one = [{ id: 'a', things: { a: '1' } }];
const chain = [...one, { id: 'b', depends_on: ['a'], things: { b: '1' } }];

/** The run of the next commit, its first step standing before its first call; the lease of the one before has run out. */
async function nextRun(simulator: Simulator): Promise<Worker> {
  simulator.bench.clock.advance(pastLease);
  simulator.bench.pull(7, 'two', [{ id: 'a', things: { a: '2' } }]);
  await simulator.hook(pullHook('synchronize', 7, 'two'));
  return deliverUntil(simulator, isOfRun(simulator));
}

/** A worker of the first run, whose record of what it made is on its way. */
async function recording(simulator: Simulator): Promise<Worker> {
  await open(simulator, one);
  const worker = await deliverUntil(simulator, line('a'));
  await worker.until(posts('a'));
  await worker.until(writes('LEDGER#a'));
  return worker;
}

export const leaseCases: readonly Case[] = [
  {
    name: 'a record arrives when another run has taken the lease over and has begun to read',
    source: 'm1-lease 1a, 1b, 1i, 1j, combined exec EM seal off, combined scopes SM seal off',
    guards: ['I9'],
    async play(simulator) {
      const late = await recording(simulator);
      await (await nextRun(simulator)).run();
      await late.run();
    },
  },
  {
    name: 'whoever took the lease over dies before it has sealed it, and then the record arrives',
    source: 'm1-lease 1f, 1g, findings 7, combined exec EM seal skipped after a crash',
    guards: ['I9'],
    async play(simulator) {
      const late = await recording(simulator);
      const taking = await nextRun(simulator);
      await taking.until(writes('LEASE', '"holder"'));
      await taking.step('after');
      await (await simulator.take(isOfRun(simulator))).run();
      await late.run();
    },
  },
  {
    name: 'a step that has the lease is delivered again when its claim is over',
    source: 'm1-lease 1d, 1l, findings 8',
    guards: ['I9', 'I11'],
    async play(simulator) {
      await open(simulator, chain);
      const first = await deliverUntil(simulator, isOfRun(simulator));
      const [mail] = simulator.delivered.slice(-1);
      await first.until(writes('LEDGER#a'));
      simulator.bench.clock.advance(pastClaim);
      if (mail) simulator.again(mail);
      await (await simulator.take(isOfRun(simulator))).run();
      await first.run();
      const fence = simulator.bench.memory.peek(`SCOPE#${scopeOf(7)}`, 'LEASE')?.['fence'];
      if (fence !== 1) throw new Error(`I9: nobody took the lease, and a duplicate has fenced its run out of it: it goes by fence ${String(fence)}`);
    },
  },
  {
    name: 'a line comes to its ledger when its lease was taken, and what it reads has been cleared away',
    source: 'm1-lease 1e, m2-claims 2-f, combined exec EM insert ignores the deadline',
    guards: ['I9'],
    async play(simulator) {
      await open(simulator, one);
      const late = await deliverUntil(simulator, line('a'));
      await late.until(({ port, method, about }) => port === 'table' && method === 'get' && about.includes('"sk":"LEDGER#a"'));
      simulator.bench.clock.advance(pastLease);
      await close(simulator);
      await deliverDue(simulator);
      const before = simulator.bench.memory.writes.length;
      await late.run();
      refuseInsertsWithoutLease(simulator, before);
    },
  },
  {
    name: 'a step of one phase comes to its items when a later phase is at work',
    source: 'combined exec ET 6',
    guards: ['I2', 'I11'],
    async play(simulator) {
      await open(simulator, chain);
      simulator.bench.provider.faults.fail(({ method, name }) => method === 'POST' && name === 'b', refused);
      const late = await deliverUntil(simulator, isOfRun(simulator));
      const [mail] = simulator.delivered.slice(-1);
      await late.until('table.query LINE#');
      simulator.bench.clock.advance(pastClaim);
      if (mail) simulator.again(mail);
      const undoing = await deliverUntil(simulator, line('a', 'rolling-back'));
      await undoing.until(({ port }) => port === 'provider');
      await late.run();
      await undoing.run();
    },
  },
  {
    name: 'an intent is being resolved when another run takes the lease over',
    source: 'combined scopes ST 1, ST 3, findings 22',
    guards: ['I9'],
    async play(simulator) {
      await open(simulator, one);
      const first = await deliverUntil(simulator, line('a'));
      await first.until(posts('a'));
      first.die();
      for (let times = 1; times < receives.lines; times += 1) {
        const again = await simulator.take(line('a'));
        await again.until(posts('a'));
        again.die();
      }
      // The first time the claim of whoever died last is live still.
      for (let times = 0; times < 2; times += 1) await (await simulator.take(({ dead }) => dead === true)).run();
      const late = await deliverUntil(simulator, line('a', 'rolling-back'));
      await late.until(({ port }) => port === 'provider');
      await (await nextRun(simulator)).run();
      await late.run();
    },
  },
];
