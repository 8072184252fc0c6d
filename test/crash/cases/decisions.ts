/** A question, the answers to it, and the record of what made it stale (P7): who comes late to which of them. */
import { decide } from '../../../shared/approvals/decision.ts';
import type { Run } from '../../../shared/run/items.ts';
import { runsOf } from '../../property/stage.ts';
import type { Simulator } from '../simulator.ts';
import { inProduction, pushed } from '../stories/approval.ts';
import { approve, approveAll, newest, thingsAt } from '../story.ts';
import { posts, writes } from './calls.ts';
import type { Case } from './case.ts';
import { deliverDue, deliverUntil, dieWithoutMessage, line, pastClaim, untilAbout } from './deliveries.ts';
import { refused } from './refused.ts';

const before = [
  { id: 'b', things: { b: '1' } },
  { id: 'c', things: { c: '1' } },
];

/** `a` is new, the others are changed; no line waits for another. */
const next = [
  { id: 'a', things: { a: '1' } },
  { id: 'b', things: { b: '2' } },
  { id: 'c', things: { c: '2' } },
];

/** Production has `b` and `c`, and a release that changes them and makes `a` is pushed. */
async function released(simulator: Simulator): Promise<void> {
  await inProduction(simulator, before);
  await pushed(simulator, 'two', next);
}

/** And asked about. */
async function asked(simulator: Simulator): Promise<Run> {
  await released(simulator);
  await simulator.rest();
  return newest(simulator) as Run;
}

const own = (simulator: Simulator, { id }: Run) => runsOf(simulator.bench).find((run) => run.id === id) as Run;

const counted = (simulator: Simulator, { id }: Run, prefix: string): number =>
  simulator.bench.memory.items().filter((item) => item.sk.startsWith(prefix) && (item['run'] === id || item.pk === `RUN#${id}`)).length;

function mustHave(simulator: Simulator, run: Run, { stops, questions }: { stops: number; questions: number }): void {
  const found = [counted(simulator, run, 'STALE#'), counted(simulator, run, 'QUESTION#')];
  if (found.join() !== `${stops},${questions}`)
    throw new Error(`I12: ${found[0]} records of a stop and ${found[1]} questions, and not ${stops} and ${questions}`);
}

/** Somebody approves what has no card yet, by its digest. */
async function answerAtOnce({ bench, answers }: Simulator, run: Run): Promise<void> {
  const { q, digest } = run.question as NonNullable<Run['question']>;
  const at = bench.clock.now();
  const person = { name: 'robin', through: 'github' } as const;
  const made = { verdict: 'approve', person, at: new Date(at).toISOString() } as const;
  await decide({ table: bench.memory.table, ids: { fresh: () => 'of a click' } }, { q, digest, run: run.id }, made);
  answers.push({ run: run.id, q, digest, verdict: 'approve', inTime: true, at });
  await bench.queues.queues.control({ format: 1, run: run.id, group: run.repository.id });
}

/** Somebody else of the scope writes down another version of a line, or the one that there was. */
async function setVersion({ bench }: Simulator, version: unknown): Promise<unknown> {
  const found = bench.memory.items().find(({ sk, pk }) => sk === 'LEDGER#b' && pk.includes('production'));
  if (found) await bench.memory.table.write({ pk: found.pk, sk: found.sk }, { set: { version } }, { is: 'always' });
  return found?.['version'];
}

/** The guard has found the ledger moved, has recorded that, and dies. What the ledger was before is returned. */
async function diedAfterItsRecord(simulator: Simulator): Promise<{ readonly run: Run; readonly version: unknown }> {
  const run = await asked(simulator);
  const version = await setVersion(simulator, 'of another run');
  await simulator.click(approve);
  await (await untilAbout(simulator, 'table.write "sk":"STALE#')).step('after');
  return { run, version };
}

export const decisionCases: readonly Case[] = [
  {
    name: 'the step that brings a question’s token is late, and people’s answer is found by another one meanwhile',
    source: 'm4-approval 4-a, findings 27, combined gated GM decisions looked at before the token is stored',
    guards: ['I11'],
    async play(simulator) {
      await released(simulator);
      const late = await deliverUntil(simulator, ({ message }) => 'step' in message && message.step === 'ask');
      await late.until(({ port, method, about }) => port === 'table' && method === 'query' && about.includes('DECISION#'));
      await late.step();
      const run = newest(simulator) as Run;
      simulator.bench.clock.advance(pastClaim);
      await answerAtOnce(simulator, run);
      await deliverDue(simulator);
      await late.run();
      await simulator.rest();
      const { open } = simulator.bench.states;
      if (own(simulator, run).phase === 'done' && open.size > 0) throw new Error(`I11: the run is over, and ${open.size} executions wait for its answer`);
    },
  },
  {
    name: 'whoever writes a decision down dies before the run is woken, and the click comes again',
    source: 'm4-approval 4-b, findings 27',
    guards: ['I11'],
    async play(simulator) {
      const run = await asked(simulator);
      await simulator.click(approve);
      const deciding = await untilAbout(simulator, 'table.write DECISION#');
      await deciding.step('after');
      await simulator.rest();
      if (own(simulator, run).phase !== 'done') throw new Error(`I11: the run was approved, and rests in ${own(simulator, run).phase}`);
    },
  },
  {
    name: 'a plan is approved, its question runs out before anybody hears that, and the same plan is asked about anew',
    source: 'm4-approval 4-c, findings 28, combined gated GM decision keyed by digest and person only',
    guards: ['I7'],
    async play(simulator) {
      const run = await asked(simulator);
      await simulator.click(approve);
      const deciding = await untilAbout(simulator, 'table.write DECISION#');
      await deciding.step();
      dieWithoutMessage(simulator, deciding);
      simulator.bench.clock.set(Number(run.question?.expiresAt) + 1000);
      await simulator.rest();
      if (own(simulator, run).outcome !== 'expired') throw new Error(`I7: the question had run out, and its run ended ${own(simulator, run).outcome}`);
      await pushed(simulator, 'two', next);
      await simulator.rest();
      const again = newest(simulator) as Run;
      if (again.question?.digest !== run.question?.digest) throw new Error('the same plan has another digest, and this case shows nothing');
      if (again.phase !== 'awaiting') throw new Error(`I7: nobody has answered the new question, and its run is ${again.outcome ?? again.phase}`);
      await approveAll(simulator);
      if (own(simulator, again).outcome !== 'complete')
        throw new Error(`I11: the new question was approved, and its run ended ${own(simulator, again).outcome}`);
    },
  },
  {
    name: 'what was approved is found stale, and nobody has answered what is asked instead',
    source: 'combined gated GM decision keyed by run only',
    guards: ['I7'],
    async play(simulator) {
      const run = await asked(simulator);
      simulator.bench.provider.remove('b');
      await simulator.click(approve);
      await simulator.rest();
      if (own(simulator, run).phase !== 'awaiting') throw new Error(`I7: nobody has answered the second question, and its run is ${own(simulator, run).phase}`);
      await approveAll(simulator);
      mustHave(simulator, run, { stops: 1, questions: 2 });
    },
  },
  {
    name: 'the guard records that a plan is stale, and dies',
    source: 'm4-approval 4-d, findings 29, combined gated GM stale entry under a fresh id',
    guards: ['I12'],
    async play(simulator) {
      const { run } = await diedAfterItsRecord(simulator);
      await simulator.rest();
      await approveAll(simulator);
      mustHave(simulator, run, { stops: 1, questions: 2 });
    },
  },
  {
    name: 'two lines find at once that what they would do is not what was approved',
    source: 'm4-approval 4-d2, findings 29',
    guards: ['I12'],
    async play(simulator) {
      const run = await asked(simulator);
      await simulator.click(approve);
      const first = await deliverUntil(simulator, line('b'));
      for (const name of ['b', 'c']) simulator.bench.provider.remove(name);
      const second = await simulator.take(line('c'));
      for (const worker of [first, second]) await worker.until('table.write "sk":"STALE#');
      await first.run();
      await second.run();
      await simulator.rest();
      await approveAll(simulator);
      mustHave(simulator, run, { stops: 1, questions: 2 });
    },
  },
  {
    name: 'the guard records that a plan is stale and dies, and what had moved goes back',
    source: 'm4-approval 4-e, findings 30',
    guards: ['I12'],
    async play(simulator) {
      const { run, version } = await diedAfterItsRecord(simulator);
      await setVersion(simulator, version);
      await simulator.rest();
      await approveAll(simulator);
      mustHave(simulator, run, { stops: 1, questions: 2 });
    },
  },
  {
    name: 'a line records that its effects moved and dies, and what had moved goes back',
    source: 'm4-approval 4-e, findings 30, combined gated GM stale entry not looked at',
    guards: ['I12'],
    async play(simulator) {
      const run = await asked(simulator);
      await simulator.click(approve);
      const worker = await deliverUntil(simulator, line('b'));
      simulator.bench.provider.edit('b', 'by hand');
      await worker.until('table.write "sk":"STALE#');
      await worker.step('after');
      simulator.bench.provider.edit('b', '1');
      await simulator.rest();
      if (simulator.bench.provider.find('b')?.value === '2') throw new Error('I12: a stop was recorded, and its line was applied under the decision of before');
      await approveAll(simulator);
      mustHave(simulator, run, { stops: 1, questions: 2 });
    },
  },
  {
    name: 'a line writes what was approved and dies before it records that',
    source: 'm4-approval 4-f, findings 31, combined gated GM effects equal instead of among',
    guards: ['I12'],
    async play(simulator) {
      const run = await asked(simulator);
      await simulator.click(approve);
      const worker = await deliverUntil(simulator, line('a'));
      await worker.until(posts('a'));
      await worker.step('after');
      await simulator.rest();
      mustHave(simulator, run, { stops: 0, questions: 1 });
    },
  },
  {
    name: 'one line is refused after another has found the plan stale',
    source: 'findings 34, combined gated GM stale wins over a failed line',
    guards: ['I2', 'I12'],
    async play(simulator) {
      const run = await asked(simulator);
      simulator.bench.provider.faults.fail(({ method, name }) => method === 'PATCH' && name === 'c', refused);
      await simulator.click(approve);
      const failing = await deliverUntil(simulator, line('c'));
      await failing.until(({ port, about }) => port === 'provider' && about.includes('"method":"PATCH"'));
      await (await simulator.take(line('a'))).run();
      simulator.bench.provider.remove('b');
      const stale = await simulator.take(line('b'));
      await stale.until(writes('STALE#1'));
      await stale.run();
      await failing.run();
      await simulator.rest();
      if (own(simulator, run).outcome !== 'failed')
        throw new Error(`I12: a line was refused, and the run is ${own(simulator, run).outcome ?? own(simulator, run).phase}`);
      if (thingsAt(simulator.bench).includes('a')) throw new Error('I2: the run failed and was rolled back, and a, which it made, is there');
      if (counted(simulator, run, 'QUESTION#') > 1) throw new Error('I12: a line was refused, and somebody was asked again');
    },
  },
];
