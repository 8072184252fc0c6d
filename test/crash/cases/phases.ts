/** How a phase begins, goes on and ends (P1.5, P2): items, swap, queue; the tail of each line; rounds. */
import { thingsAt } from '../story.ts';
import { deletesOpenWork, posts, writes, writesResult } from './calls.ts';
import type { Case } from './case.ts';
import { close, control, deliverDue, deliverUntil, dieWithoutMessage, isOfRun, line, open, pastClaim, pastLease, runOf } from './deliveries.ts';
import { refused } from './refused.ts';

const chain = [
  { id: 'a', things: { a: '1' } },
  { id: 'b', depends_on: ['a'], things: { b: '1' } },
];
const beside = [
  { id: 'a', things: { a: '1' } },
  { id: 'b', things: { b: '1' } },
];
const twoThenOne = [
  { id: 'a', things: { a: '1' } },
  { id: 'b', things: { b: '1' } },
  { id: 'c', depends_on: ['a', 'b'], things: { c: '1' } },
];
/** The second line waits for the deployment of its commit. */
const waiting = [
  { id: 'a', things: { a: '1' } },
  { id: 'w', depends_on: ['a'], things: { w: { from: 'a.url' } } },
];

export const phaseCases: readonly Case[] = [
  {
    name: 'a worker dies between the result of its line and what follows from it',
    source: 'm3-phase 3-a, combined exec EM tail not repeated',
    guards: ['I11'],
    async play(simulator) {
      await open(simulator, chain);
      const worker = await deliverUntil(simulator, line('a'));
      await worker.until(writesResult('a'));
      await worker.step('after');
    },
  },
  {
    name: 'a worker takes its line out of the set of a line that is over, and dies before it says so; its message was acknowledged by another',
    source: 'm3-phase 3-b',
    guards: ['I11'],
    async play(simulator) {
      await open(simulator, chain);
      const first = await deliverUntil(simulator, line('a'));
      const [mail] = simulator.delivered.slice(-1);
      await first.until(writes('OPEN#1#applying#b'));
      if (mail) simulator.again(mail);
      await (await simulator.take(line('a'))).run();
      await (await simulator.take(line('b'))).run();
      await first.step();
      dieWithoutMessage(simulator, first);
    },
  },
  {
    name: 'of the two lines that a third waits for both are at their tails at once, and the one that empties its set dies',
    source: 'm3-phase 3-h',
    guards: ['I11'],
    async play(simulator) {
      await open(simulator, twoThenOne);
      const first = await deliverUntil(simulator, line('a'));
      const second = await simulator.take(line('b'));
      await first.until(writes('OPEN#1#applying#c'));
      await second.until(writes('OPEN#1#applying#c'));
      await first.step();
      await second.step('after');
      await first.run();
    },
  },
  {
    name: 'the step that begins a phase dies right after the swap, before it queues what is ready',
    source: 'm3-phase 3-c, 3-g',
    guards: ['I11'],
    async play(simulator) {
      await open(simulator, chain);
      const worker = await deliverUntil(simulator, isOfRun(simulator));
      await worker.until(writes('META', '"phase":"applying"'));
      await worker.step('after');
    },
  },
  {
    name: 'a line is delivered while the items of its phase are still being put',
    source: 'm3-phase 3-d',
    guards: ['I11'],
    async play(simulator) {
      await open(simulator, chain);
      const preparing = await deliverUntil(simulator, isOfRun(simulator));
      await preparing.until(writes('OPEN#1#applying#b'));
      const run = runOf(preparing);
      simulator.again({ queue: 'lines', message: { format: 1, run, round: 1, phase: 'applying', line: 'a', group: '7101' }, at: 0 });
      await deliverDue(simulator);
      await preparing.run();
    },
  },
  {
    name: 'a step that put no item yet goes on when its claim is over, and a line of its phase is at work',
    source: 'combined exec ET 6',
    guards: ['I9', 'I11'],
    async play(simulator) {
      await open(simulator, waiting);
      await deliverDue(simulator);
      await simulator.bench.deployed('one', 'success');
      const late = await deliverUntil(simulator, isOfRun(simulator));
      const [mail] = simulator.delivered.slice(-1);
      await late.until(writes('LINE#w'));
      simulator.bench.clock.advance(pastClaim);
      if (mail) simulator.again(mail);
      const worker = await deliverUntil(simulator, line('w'));
      await worker.until(posts('w'));
      await late.run();
      await deliverDue(simulator);
      await worker.run();
    },
  },
  {
    name: 'a run’s lease runs out while it begins its phase, and another run has it, ends, and gives it back before a line comes',
    source: 'combined exec ET 4',
    guards: ['I8', 'I9'],
    async play(simulator) {
      await open(simulator, chain);
      const preparing = await deliverUntil(simulator, isOfRun(simulator));
      await preparing.until(writes('META', '"phase":"applying"'));
      simulator.bench.clock.advance(pastLease);
      await close(simulator);
      await deliverDue(simulator);
      await preparing.run();
      await simulator.rest();
      const left = thingsAt(simulator.bench);
      if (left.length > 0) throw new Error(`I8: the pull request is closed, and ${left.join()} is there`);
    },
  },
  {
    name: 'the step that begins the rollback dies right after the swap',
    source: 'm3-phase 3-c, combined exec EM phase swap before the items',
    guards: ['I2', 'I11'],
    async play(simulator) {
      await open(simulator, chain);
      simulator.bench.provider.faults.fail(({ method, name }) => method === 'POST' && name === 'b', refused);
      await (await deliverUntil(simulator, line('b'))).run();
      const worker = await deliverUntil(simulator, isOfRun(simulator));
      await worker.until(writes('META', '"phase":"rolling-back"'));
      await worker.step('after');
    },
  },
  {
    name: 'the end of a phase is told while its lines are at work, again and again',
    source: 'm3-phase 3-i',
    guards: ['I9', 'I10', 'I11'],
    async play(simulator) {
      await open(simulator, chain);
      for (const id of ['a', 'b']) {
        const worker = await deliverUntil(simulator, line(id));
        await worker.until(posts(id));
        const run = runOf(worker);
        for (let times = 0; times < 2; times += 1) simulator.again({ queue: 'control', message: { format: 1, run, group: '7101' }, at: 0 });
        await deliverDue(simulator, control(run));
        await worker.run();
      }
    },
  },
  {
    name: 'one line is made, another is refused, and what was made is taken back',
    source: 'combined exec ET 1',
    guards: ['I2'],
    async play(simulator) {
      await open(simulator, beside);
      simulator.bench.provider.faults.fail(({ method, name }) => method === 'POST' && name === 'b', refused);
    },
  },
  {
    name: 'a worker of one round is at its tail when its line is at work in the next',
    source: 'm3-phase 3-k, 3-l, 3-m',
    guards: ['I9', 'I11'],
    async play(simulator) {
      await open(simulator, waiting);
      const first = await deliverUntil(simulator, line('w'));
      const [mail] = simulator.delivered.slice(-1);
      await first.until(deletesOpenWork('w'));
      if (mail) simulator.again(mail);
      await deliverDue(simulator);
      await simulator.bench.deployed('one', 'success');
      const next = await deliverUntil(simulator, line('w'));
      await next.until(posts('w'));
      await first.run();
      await deliverDue(simulator);
      await next.run();
    },
  },
  {
    name: 'the step that raises the round dies before it queues the next one, and its own message says the round before',
    source: 'combined gated GT 1',
    guards: ['I11'],
    async play(simulator) {
      await open(simulator, waiting);
      await (await deliverUntil(simulator, line('w'))).run();
      const settling = await deliverUntil(simulator, isOfRun(simulator));
      await settling.until(writes('META', '"phase":"waiting"'));
      await simulator.bench.deployed('one', 'success');
      await (await deliverUntil(simulator, (mail) => mail.queue === 'control' && !isOfRun(simulator)(mail))).run();
      await settling.until(writes('META', '"round":2'));
      await settling.step('after');
    },
  },
  {
    name: 'a line of the second round is refused: what the first one made is taken back, too',
    source: 'findings 13, protocol P4 (rollback over rounds)',
    guards: ['I2'],
    async play(simulator) {
      await open(simulator, waiting);
      simulator.bench.provider.faults.fail(({ method, name }) => method === 'POST' && name === 'w', refused);
      await deliverDue(simulator);
      await simulator.bench.deployed('one', 'success');
      await deliverDue(simulator);
    },
  },
];
