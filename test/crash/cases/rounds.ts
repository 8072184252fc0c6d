/** A run that people approved and that was found stale in the middle of its work: its rounds, and what is taken back of them (P2, P4, P7). */
import type { Run } from '../../../shared/run/items.ts';
import { type Mail, receives } from '../../ports/redelivery.ts';
import { commitOf, planOf, planPath } from '../../ports/workbench.ts';
import { runsOf } from '../../property/stage.ts';
import type { Simulator } from '../simulator.ts';
import { inProduction, pushed } from '../stories/approval.ts';
import { approve, approveAll, newest, thingsAt } from '../story.ts';
import { writes } from './calls.ts';
import type { Case } from './case.ts';
import { control, deliverDue, deliverUntil, line, pastLease, untilAbout } from './deliveries.ts';
import { refused } from './refused.ts';

/** What production is to be: `a` is new, and `b` was there with another value. */
const next = [
  { id: 'a', things: { a: '1' } },
  { id: 'b', things: { b: '3' } },
];

/** Production has `b`; a release that makes `a` too is asked about. */
async function asked(simulator: Simulator): Promise<Run> {
  await inProduction(simulator, [{ id: 'b', things: { b: '1' } }]);
  await pushed(simulator, 'two', next);
  await simulator.rest();
  return newest(simulator) as Run;
}

/** It is approved, makes `a`, and finds that somebody has taken `b` away: its round is over. The step that plans again has not come. */
async function stale(simulator: Simulator): Promise<Run> {
  const run = await asked(simulator);
  await simulator.click(approve);
  await (await deliverUntil(simulator, line('a'))).run();
  simulator.bench.provider.remove('b');
  await (await deliverUntil(simulator, line('b'))).run();
  return run;
}

const now = (simulator: Simulator, { id }: Pick<Run, 'id'>): Run => runsOf(simulator.bench).find((run) => run.id === id) as Run;

/** It has asked again, and is approved again, up to the message of this line. */
async function secondRound(simulator: Simulator): Promise<Run> {
  const run = await stale(simulator);
  await simulator.rest();
  await simulator.click(approve);
  return run;
}

const questionsOf = (simulator: Simulator, { id }: Run): number =>
  simulator.bench.memory.items().filter((item) => item.sk.startsWith('QUESTION#') && item['run'] === id).length;

function mustEnd(simulator: Simulator, of: Pick<Run, 'id'>, outcome: Run['outcome'], invariant: string): void {
  const { phase, outcome: is } = now(simulator, of);
  if (phase !== 'done' || is !== outcome) throw new Error(`${invariant}: the run is ${is ?? 'not over'}, in ${phase}, and not ${outcome}`);
}

export const roundCases: readonly Case[] = [
  {
    name: 'a line finds its round stale, and nobody waits for the run any more: whoever asks again has an execution of its own',
    source: 'combined gated GT 2',
    guards: ['I11'],
    async play(simulator) {
      const run = await stale(simulator);
      await simulator.rest();
      if (simulator.bench.states.open.size !== 1)
        throw new Error(`I11: a question is open, and ${simulator.bench.states.open.size} executions wait for its answer`);
      await approveAll(simulator);
      mustEnd(simulator, run, 'complete', 'I11');
    },
  },
  {
    name: 'what stopped the first round stands in the table while the second one is applied',
    source: 'combined gated GT 3',
    guards: ['I12'],
    async play(simulator) {
      const run = await stale(simulator);
      await simulator.rest();
      await approveAll(simulator);
      mustEnd(simulator, run, 'complete', 'I12');
      if (questionsOf(simulator, run) !== 2) throw new Error(`I12: ${questionsOf(simulator, run)} questions for one stop`);
    },
  },
  {
    name: 'another run takes the place of one that asks, before the token of its question is stored',
    source: 'combined gated GT 4, GT 4b',
    guards: ['I11'],
    async play(simulator) {
      await pushed(simulator, 'one', next);
      const asking = await untilAbout(simulator, ({ port, method, about }) => port === 'machine' && method === 'start' && about.includes('"ask"'));
      const run = newest(simulator) as Run;
      simulator.bench.clock.advance(1000);
      await pushed(simulator, 'two', next);
      await deliverDue(simulator, (mail) => !isFor(mail, run));
      await asking.run();
      await simulator.rest();
      mustEnd(simulator, run, 'superseded', 'I11');
    },
  },
  {
    name: 'nobody answers until the question has run out',
    source: 'combined gated GT 5',
    guards: ['I11'],
    async play(simulator) {
      const run = await asked(simulator);
      simulator.bench.clock.set(Number(run.question?.expiresAt) + 1000);
      await simulator.rest();
      mustEnd(simulator, run, 'expired', 'I11');
    },
  },
  {
    name: 'the state that asks was entered twice, and the earlier entry’s message is delivered last',
    source: 'combined gated GT 6',
    guards: ['I11'],
    async play(simulator) {
      await pushed(simulator, 'one', next);
      const fits = (mail: Mail): boolean => mail.queue === 'control' && 'step' in mail.message && mail.message.step === 'ask';
      await (await deliverUntil(simulator, fits)).run();
      const [mail] = simulator.delivered.slice(-1);
      if (mail) simulator.again({ ...mail, message: { ...mail.message, token: 'token of an entry before', entered: '2020-01-01T00:00:00.000Z#0' } } as Mail);
      await (await deliverUntil(simulator, fits)).run();
      await simulator.click(approve);
      await simulator.quiet();
      mustEnd(simulator, newest(simulator) as Run, 'complete', 'I11');
      if (simulator.bench.states.open.size > 0) throw new Error('I11: the run is over, and an execution waits for its answer');
    },
  },
  {
    name: 'a line of the second round is refused: what the first one made, and nobody has since, is taken back',
    source: 'combined gated GT 7b',
    guards: ['I2'],
    async play(simulator) {
      const run = await secondRound(simulator);
      simulator.bench.provider.faults.fail(({ method, name }) => method === 'POST' && name === 'b', refused);
      await simulator.rest();
      mustEnd(simulator, run, 'failed', 'I2');
      if (thingsAt(simulator.bench).includes('a')) throw new Error('I2: the run failed and was rolled back, and a, which its first round made, is there');
    },
  },
  {
    name: 'another run settles between two rounds of a run, and the second of them is refused',
    source: 'combined gated GT 7',
    guards: ['I5'],
    async play(simulator) {
      const run = await stale(simulator);
      await (await untilAbout(simulator, ({ port, about }) => port === 'machine' && about.includes('"replan"'))).run();
      simulator.bench.clock.advance(1000);
      // What somebody else has released is there already: their run asks nobody, takes nobody's place, and reports what is there as managed.
      const { bench } = simulator;
      bench.code.commit(commitOf('three'), planPath, planOf([{ id: 'a', things: { a: '1' } }]));
      const by = await bench.command({ commit: 'three', environment: 'production', scope: 'main', branch: 'main', options: { busy: 'wait' } });
      await deliverDue(simulator, (mail) => !isFor(mail, run));
      mustEnd(simulator, { id: by }, 'complete', 'I11');
      await simulator.rest();
      simulator.bench.provider.faults.fail(({ method, name }) => method === 'POST' && name === 'b', refused);
      await approveAll(simulator);
      mustEnd(simulator, run, 'failed', 'I2');
      if (!thingsAt(simulator.bench).includes('a')) throw new Error('I5: a rollback has taken away what another run had reported as managed');
    },
  },
  {
    name: 'the step after the last line of a later round dies as often as its queue allows',
    source: 'combined gated GT 8',
    guards: ['I2', 'I11'],
    async play(simulator) {
      const run = await secondRound(simulator);
      for (const id of ['a', 'b']) await (await deliverUntil(simulator, line(id))).run();
      const isAlive = control(run.id);
      for (let times = 0; times < receives.control; times += 1) (await simulator.take(isAlive)).die();
      await simulator.rest();
      mustEnd(simulator, run, 'failed', 'I2');
      if (thingsAt(simulator.bench).includes('a')) throw new Error('I2: the run died and failed, and a, which its first round made, is there');
    },
  },
  {
    name: 'the step that is told to plan again dies once it has noted that, and its message comes again',
    source: 'combined gated GT 9',
    guards: ['I12'],
    async play(simulator) {
      const run = await stale(simulator);
      const told = await deliverUntil(simulator, ({ message }) => 'step' in message && message.step === 'replan');
      await told.until(writes('META', '"replan"'));
      await told.step('after');
      await simulator.rest();
      await approveAll(simulator);
      mustEnd(simulator, run, 'complete', 'I12');
      if (now(simulator, run).round !== 2) throw new Error(`I12: round ${now(simulator, run).round} after one stop`);
      if (questionsOf(simulator, run) !== 2) throw new Error(`I12: ${questionsOf(simulator, run)} questions for one stop`);
    },
  },
  {
    name: 'a run’s lease runs out between its guard’s judgement and its lines, and another run has it, changes the ledger and gives it back',
    source: 'combined gated GT 10',
    guards: ['I12'],
    async play(simulator) {
      const run = await asked(simulator);
      await simulator.click(approve);
      const guarding = await untilAbout(simulator, writes('META', '"honoured"'));
      await guarding.run();
      simulator.bench.clock.advance(pastLease);
      // Nothing of it is in the way of what was approved, but the ledger is not what it was.
      await pushed(simulator, 'three', [
        { id: 'b', things: { b: '1' } },
        { id: 'c', things: { c: '1' } },
      ]);
      const others = (mail: Mail): boolean => !isFor(mail, run);
      await deliverDue(simulator, others);
      await simulator.click(approve);
      await deliverDue(simulator, others);
      mustEnd(simulator, newest(simulator) as Run, 'complete', 'I11');
      await simulator.rest();
    },
  },
];

const isFor = ({ message }: Mail, { id }: Run): boolean => 'run' in message && message.run === id;
