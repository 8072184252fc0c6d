/** What can happen next: one thing, by one of those who act. */
import { type Decision, decide, withdraw } from '../../shared/approvals/decision.ts';
import type { Question } from '../../shared/approvals/question.ts';
import { LockkeeperError } from '../../shared/errors/error.ts';
import { freeze } from '../../shared/freeze/freeze.ts';
import { grantLease, releaseLease } from '../../shared/lease/lease.ts';
import type { Item } from '../../shared/ports/table.ts';
import { answerQuestion } from '../../shared/run/answer-question.ts';
import { cancelRun } from '../../shared/run/cancel.ts';
import type { Run } from '../../shared/run/items.ts';
import { queueStep } from '../../shared/run/phase.ts';
import type { Queued } from '../ports/memory-queues.ts';
import { throughAws } from '../ports/people.ts';
import { repository } from '../ports/workbench.ts';
import type { Budget } from './settings.ts';
import { deliver, push, runOfCommit, type Said, type Stage, scope } from './stage.ts';

export interface Move {
  readonly actor: string;
  /** What happens, for people. */
  readonly says: string;
  readonly costs?: keyof Budget;
  /** The message it delivers: what may die on the way. */
  readonly delivers?: Queued;
  make(stage: Stage): Promise<void>;
}

const itemsOf = ({ bench }: Stage): readonly Item[] => bench.memory.each();
const runsIn = (stage: Stage): Run[] => itemsOf(stage).flatMap((item) => (item['item'] === 'run' ? [item as unknown as Run] : []));
const questionsIn = (stage: Stage): (Question & { pk: string })[] =>
  itemsOf(stage).flatMap((item) => (item.sk.startsWith('QUESTION#') ? [item as unknown as Question & { pk: string }] : []));

/** Every move that the present state allows, but deaths and stand-stills, which befall deliveries. */
export function movesFrom(stage: Stage, left: Budget): Move[] {
  const all = [
    ...deliveries(stage),
    ...answers(stage),
    ...edits(stage),
    ...records(stage),
    ...commits(stage),
    ...deployments(stage),
    ...cancels(stage),
    ...freezes(stage),
    ...passing(stage),
  ];
  return all.filter(({ costs }) => costs === undefined || left[costs] > 0);
}

/** A message that is due, of those that are alike the first; and one that the queue delivers although it keeps it. */
function deliveries({ bench }: Stage): Move[] {
  const now = bench.clock.now() + 500;
  const seen = new Set<string>();
  return bench.queues.waiting().flatMap((message, at): Move[] => {
    if (message.at > now) return [];
    const text = JSON.stringify(message.message);
    if (seen.has(text)) return [];
    seen.add(text);
    const says = sayMessage(message);
    return [
      { actor: 'queue', says: `delivers ${says}`, delivers: message, make: (stage) => deliver(stage, take(stage, at)) },
      { actor: 'queue', says: `delivers ${says}, and keeps it`, costs: 'twice', make: (stage) => deliver(stage, message) },
    ];
  });
}

function take({ bench }: Stage, at: number): Queued {
  const message = bench.queues.waiting()[at] as Queued;
  if (message.at > bench.clock.now()) bench.clock.set(message.at);
  const due = bench.queues.waiting().filter((one) => one.at <= bench.clock.now());
  return bench.queues.takeAt(due.indexOf(message)) as Queued;
}

function sayMessage({ queue, message }: Queued): string {
  const named = message as { run?: string; step?: string; line?: string; phase?: string; round?: number };
  const run = named.run === runOfCommit('two') ? 'two' : 'one';
  return queue === 'lines' ? `line ${named.line} of ${run}, ${named.phase} ${named.round}` : `${named.step ?? 'a step'} of ${run}`;
}

/** People answer the open question that they see; whoever saw one that is closed by now may still answer it. */
function answers(stage: Stage): Move[] {
  const runs = new Map(runsIn(stage).map((run) => [run.id, run]));
  return questionsIn(stage).flatMap((question) => {
    const run = runs.get(question.run) as Run;
    return ['ann', 'bob', 'mona'].flatMap((person) => (['approve', 'reject'] as const).flatMap((verdict) => answer(stage, run, question, person, verdict)));
  });
}

function answer(stage: Stage, run: Run, question: Question, person: string, verdict: Said['verdict']): Move[] {
  const { q, digest } = question;
  if (person === 'mona' && (verdict === 'reject' || question.state !== 'open')) return [];
  const mine = (one: Said): boolean => one.run === run.id && one.q === q && one.digest === digest && one.person === person;
  const before = stage.past.said.filter(mine);
  if (before.some((one) => one.verdict === 'reject' || one.verdict === verdict)) return [];
  const which = `question ${q} of ${run.id === runOfCommit('two') ? 'two' : 'one'}${question.state === 'open' ? '' : ', which is closed'}`;
  const by = throughAws(person);
  /** What the guard has not let go on by then it has to hear; an answer that does not stand has never been given. */
  const say = async (where: Stage, answering: () => Promise<Decision>): Promise<void> => {
    const now = where.bench.memory.peek(`RUN#${run.id}`, 'META') as unknown as Run;
    const inTime = now.honoured?.q !== q && now.phase !== 'done';
    if ((await answering()).verdict !== verdict) return;
    where.past = { ...where.past, said: [...where.past.said.filter((one) => !mine(one)), { run: run.id, q, digest, person, verdict, inTime }] };
  };
  const whole: Move = {
    actor: person,
    says: `${verdict}s ${which}`,
    costs: 'answers',
    make: (where) => say(where, () => answerQuestion(where.bench.world(), run, { q, digest }, { verdict, person: by })),
  };
  const cut: Move = {
    actor: person,
    says: `${verdict}s ${which}, and dies before the run is woken`,
    costs: 'deaths',
    make: (where) =>
      say(where, () => decide(where.bench.world(), { run: run.id, q, digest }, { verdict, person: by, at: new Date(where.bench.clock.now()).toISOString() })),
  };
  const back: Move = {
    actor: person,
    says: `takes back the answer to ${which}`,
    costs: 'withdrawals',
    async make(where) {
      const at = new Date(where.bench.clock.now()).toISOString();
      if ((await withdraw(where.bench.world(), { run: run.id, q, digest }, by, at)) !== 'withdrawn') return;
      where.past = { ...where.past, said: where.past.said.filter((one) => !mine(one)) };
      await queueStep(where.bench.world(), run);
    },
  };
  const more = person === 'ann' ? [cut] : [];
  return before.length > 0 && verdict === 'reject' ? [whole, back, ...more] : [whole, ...more];
}

/** A person stops a run that is not over. */
const cancels = (stage: Stage): Move[] =>
  runsIn(stage)
    .filter(({ phase, stopping }) => phase !== 'done' && stopping === undefined)
    .map((run) => ({
      actor: 'olga',
      says: `cancels ${run.id === runOfCommit('two') ? 'two' : 'one'}`,
      costs: 'cancels',
      make: (where) => cancelRun(where.bench.world(), run, { name: 'olga' }).then(() => undefined, refused),
    }));

/** Its lines have what was approved, in this round or an earlier one under the same decision. */
const isLetGo = ({ phase, honoured }: Run): boolean => honoured?.begun === true || !['guarding', 'preparing', 'planning'].includes(phase);

const freezes = ({ past }: Stage): Move[] =>
  past.frozen
    ? []
    : [
        {
          actor: 'olga',
          says: 'freezes production',
          costs: 'freezes',
          async make(where) {
            const frozen = runsIn(where).flatMap((run) => (run.honoured && isLetGo(run) ? [`${run.id} ${run.honoured.q}`] : []));
            where.past = { ...where.past, frozen };
            const word = { by: { name: 'olga', through: 'github' as const }, start: 'freeze', at: new Date(where.bench.clock.now()).toISOString() };
            await freeze(where.bench.world(), repository.id, 'production', word, '20d', 'it is late');
          },
        },
      ];

/** It was over meanwhile, or on its way there. */
function refused(error: unknown): void {
  if (!(error instanceof LockkeeperError)) throw error;
}

function edits({ bench }: Stage): Move[] {
  const y = bench.provider.find('y');
  if (!y) return [];
  return [
    {
      actor: 'console',
      says: 'writes over y by hand',
      costs: 'edits',
      async make(stage) {
        stage.bench.provider.edit('y', 'by hand');
        stage.past = { ...stage.past, moved: true };
      },
    },
    {
      actor: 'console',
      says: 'removes y',
      costs: 'edits',
      async make(stage) {
        stage.bench.provider.remove('y');
        stage.past = { ...stage.past, moved: true };
      },
    },
    {
      actor: 'provider',
      says: 'takes nothing about x any more',
      costs: 'refusals',
      async make(stage) {
        stage.past = { ...stage.past, refusing: true };
      },
    },
  ];
}

/** Another run of the scope, unknown to this world, writes something down: under a lease of its own, which it cannot have while ours is live. */
function records({ bench }: Stage): Move[] {
  const lease = bench.memory.peek(`SCOPE#${scope}`, 'LEASE');
  const live = lease !== undefined && lease['released'] !== true && Number(lease['expiresAt']) >= bench.clock.now();
  const line = bench.memory.peek(`SCOPE#${scope}`, 'LEDGER#b');
  if (live || !line) return [];
  return [
    {
      actor: 'another writer',
      says: 'writes down something about line b',
      costs: 'records',
      async make(stage) {
        const world = stage.bench.world();
        const grant = await grantLease(world, scope, 'another');
        if (!grant.granted) throw new Error('the lease was free');
        const set = { version: world.ids.fresh(), fence: grant.tenure.fence, lastRun: 'another' };
        await stage.bench.memory.table.write({ pk: line.pk, sk: line.sk }, { set }, { is: 'always' });
        await releaseLease(world, scope, 'another');
        stage.past = { ...stage.past, moved: true };
      },
    },
  ];
}

function commits(stage: Stage): Move[] {
  if (runsIn(stage).some(({ id }) => id === runOfCommit('two'))) return [];
  const later = async (where: Stage, commit: string): Promise<void> => {
    where.bench.clock.advance(1);
    await push(where, 'two', commit);
  };
  return [
    { actor: 'author', says: 'pushes a newer commit', costs: 'commits', make: (where) => later(where, 'two') },
    { actor: 'author', says: 'starts the same commit again', costs: 'again', make: (where) => later(where, 'one') },
  ];
}

/** Commit one is deployed at last: some line may wait for it by then, or not yet. */
const deployments = ({ past }: Stage): Move[] =>
  past.deployed
    ? []
    : [
        {
          actor: 'platform',
          says: 'has deployed commit one, and says so',
          costs: 'deployments',
          async make(stage) {
            await stage.bench.deployed('one', 'success');
            stage.past = { ...stage.past, deployed: true };
          },
        },
      ];

/** Until when people may answer, or what they said holds for a run that waits. */
const endOfTime = (stage: Stage): number =>
  Math.max(
    0,
    ...stage.bench.states.waiting().map(({ until }) => until),
    ...runsIn(stage).flatMap(({ phase, honoured }) => (phase === 'waiting' && honoured ? [honoured.expiresAt] : [])),
  );

function passing(here: Stage): Move[] {
  const expiry = endOfTime(here);
  return [
    { actor: 'time', says: 'a minute passes', costs: 'minutes', make: async (stage) => stage.bench.clock.advance(61_000) },
    { actor: 'schedule', says: 'the sweep looks', costs: 'sweeps', make: (stage) => stage.bench.sweepOnce() },
    {
      actor: 'time',
      says: 'a question’s time runs out',
      costs: 'days',
      async make(stage) {
        const waited = runsIn(stage).flatMap(({ id, phase, honoured }) => (phase === 'waiting' && honoured ? [`${id} ${honoured.q}`] : []));
        stage.past = { ...stage.past, over: waited };
        stage.bench.clock.set(Math.max(stage.bench.clock.now(), expiry) + 1000);
        stage.bench.states.expire();
      },
    },
  ];
}
