/** What stops a run, and what a stop leaves alone (P1): failures, dead letters, dependencies that did not end well. */
import { type Mail, receives } from '../../ports/redelivery.ts';
import type { Simulator } from '../simulator.ts';
import { thingsAt } from '../story.ts';
import { posts, writes } from './calls.ts';
import type { Case } from './case.ts';
import { close, control, deliverDue, deliverUntil, isOfRun, line, open } from './deliveries.ts';
import { refused } from './refused.ts';

const chain = [
  { id: 'a', things: { a: '1' } },
  { id: 'b', depends_on: ['a'], things: { b: '1' } },
];

export const stopCases: readonly Case[] = [
  {
    name: 'the last line of a chain is refused, and the rollback begins while the stop is still written down',
    source: 'combined exec ET 3',
    guards: ['I2'],
    async play(simulator) {
      await open(simulator, chain);
      refuse(simulator, 'POST', 'b');
    },
  },
  {
    name: 'the step after the last line dies as often as its queue allows',
    source: 'combined exec ET 5',
    guards: ['I2', 'I11'],
    async play(simulator) {
      await open(simulator, chain);
      await (await deliverUntil(simulator, line('b'))).run();
      await deliverUntil(simulator, isOfRun(simulator)).then((worker) => worker.die());
      await dieToTheEnd(simulator);
      await simulator.rest();
      const left = thingsAt(simulator.bench);
      if (left.length > 0) throw new Error(`I2: the run died and failed, and ${left.join()} is still there`);
    },
  },
  {
    name: 'the line that a waiting one needs fails, and the schedule takes it out of its set before the stop is written',
    source: 'combined exec ET 2',
    guards: ['I2'],
    async play(simulator) {
      await open(simulator, chain);
      refuse(simulator, 'POST', 'a');
      const worker = await deliverUntil(simulator, line('a'));
      await worker.until(writes('META', '"stopping"'));
      simulator.bench.clock.advance(2 * 60_000);
      await (await simulator.schedule()).run();
      await deliverDue(simulator);
      if (simulator.sent.some(({ name }) => name === 'b')) throw new Error('I2: b, which needs a, was made, and a was refused');
      await worker.run();
    },
  },
  {
    name: 'the line that a waiting one needs is refused in a destroy, which stops nothing by itself',
    source: 'combined exec ET 2b, ET 2c, findings 12',
    guards: ['I8'],
    async play(simulator) {
      const { bench } = simulator;
      await open(simulator, chain);
      await simulator.rest();
      // What lives in another thing can be deleted as long as that one is there.
      refuse(simulator, 'DELETE', 'b');
      bench.provider.faults.fail(({ method, name }) => method === 'DELETE' && name === 'b' && !bench.provider.find('a'), refused, Number.POSITIVE_INFINITY);
      await close(simulator);
      await simulator.rest();
      const left = thingsAt(bench);
      if (left.length > 0) throw new Error(`I8: the pull request is closed, and ${left.join()} can never be deleted: what it stands on went first`);
    },
  },
  {
    name: 'a message of a line is a dead letter while another worker is at the line',
    source: 'm3-phase 3-n, 3-o, 3-p',
    guards: ['I2', 'I11'],
    async play(simulator) {
      await open(simulator, chain);
      const worker = await deliverUntil(simulator, line('a'));
      const [mail] = simulator.delivered.slice(-1);
      await worker.until(posts('a'));
      if (mail) simulator.again({ ...mail, received: 0, dead: true } as Mail);
      await deliverDue(simulator);
      if (lineOf(simulator, 'a')?.['result'] !== undefined) throw new Error('I11: a dead letter failed a line that a worker is at');
      await worker.run();
    },
  },
  {
    name: 'a line dies as often as its queue allows, and the handler of dead letters dies before it says so',
    source: 'm3-phase 3-n, 3-p',
    guards: ['I2', 'I11'],
    async play(simulator) {
      await open(simulator, chain);
      (await deliverUntil(simulator, line('b'))).die();
      for (let times = 1; times < receives.lines; times += 1) (await simulator.take(line('b'))).die();
      const handler = await simulator.take(({ dead }) => dead === true);
      await handler.until(writes('OPEN#1#applying#b'));
      handler.die();
    },
  },
  {
    name: 'a line of the rollback is refused: what it stands on stays, and both are named',
    source: 'combined exec ET 2c',
    guards: ['I2', 'I8'],
    async play(simulator) {
      await open(simulator, [...chain, { id: 'c', depends_on: ['b'], things: { c: '1' } }]);
      refuse(simulator, 'POST', 'c');
      refuse(simulator, 'DELETE', 'b');
      await simulator.rest();
      const left = thingsAt(simulator.bench);
      if (left.join() !== 'a,b') throw new Error(`I2: b could not be taken back, and what is left is ${left.join()}`);
      await close(simulator);
      await simulator.rest();
      if (thingsAt(simulator.bench).length > 0) throw new Error(`I8: after the destroy ${thingsAt(simulator.bench).join()} is there`);
    },
  },
];

function refuse({ bench }: Simulator, method: 'POST' | 'DELETE', thing: string): void {
  bench.provider.faults.fail((call) => call.method === method && call.name === thing, refused);
}

const lineOf = ({ bench }: Simulator, id: string) => bench.memory.items().find(({ sk }) => sk === `LINE#${id}`);

/** The run's own message, until it is a dead letter. */
async function dieToTheEnd(simulator: Simulator): Promise<void> {
  const isAlive = control();
  for (;;) {
    const worker = await simulator.take((mail) => isAlive(mail) || mail.dead === true);
    if (worker.what.startsWith('dead letter')) return worker.run();
    worker.die();
  }
}
