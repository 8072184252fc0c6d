/** What must hold in every state, and from one state to the next; and where nothing is left to be delivered. */
import type { Question } from '../../shared/approvals/question.ts';
import type { Item } from '../../shared/ports/table.ts';
import type { Run, RunLine } from '../../shared/run/items.ts';
import type { PlanStale } from '../../shared/run/report.ts';
import { enough } from './on-write.ts';
import { quiet, runOfCommit, type Stage } from './stage.ts';

/** What the judges look at. */
export interface Seen {
  readonly runs: ReadonlyMap<string, Run>;
  readonly questions: readonly Question[];
  /** By run and round. */
  readonly stops: ReadonlyMap<string, PlanStale>;
  readonly log: number;
}

export function see({ bench }: Stage): Seen {
  const runs = new Map<string, Run>();
  const questions: Question[] = [];
  const stops = new Map<string, PlanStale>();
  for (const item of bench.memory.each() as readonly Item[]) {
    if (item['item'] === 'run') runs.set(item['id'] as string, item as unknown as Run);
    else if (item.sk.startsWith('QUESTION#')) questions.push(item as unknown as Question);
    else if (item.sk.startsWith('STALE#')) {
      const key = `${item.pk.slice('RUN#'.length)} ${String(item['round'])}`;
      stops.set(stops.has(key) ? `${key} once more` : key, item as unknown as PlanStale);
    }
  }
  return { runs, questions, stops, log: bench.logged.length };
}

const named = (run: string): string => (run === runOfCommit('two') ? 'run two' : 'run one');

export function judgeStep(stage: Stage, before: Seen, after: Seen): string[] {
  return [
    ...oneQuestion(after),
    ...stopsOnce(before, after),
    ...stopFirst(stage, before, after),
    ...questionPerStop(after),
    ...endsOnce(before, after),
    ...stopsForNothing(stage, after),
    ...failureFirst(stage, before, after),
    ...failedSteps(stage, before),
  ];
}

/** P2: nobody is asked two things at once about one run. */
function oneQuestion({ questions, runs }: Seen): string[] {
  return [...runs.keys()].flatMap((run) => {
    const open = questions.filter((one) => one.run === run && one.state === 'open');
    return open.length > 1 ? [`P2: ${named(run)} has ${open.length} questions open`] : [];
  });
}

/** P7: a stop is recorded once; what it says first stays, and is completed once. */
function stopsOnce(before: Seen, after: Seen): string[] {
  const many = [...after.stops.keys()].filter((key) => key.endsWith('once more')).map(() => 'P7: two plan.stale for one stop');
  const rewritten = [...before.stops].flatMap(([key, was]) => {
    const now = after.stops.get(key);
    const same = now && now.step === was.step && now.cause === was.cause && now.approved === was.approved;
    const kept = same && (was.replanned === null || was.replanned === now.replanned);
    return kept ? [] : [`P7: plan.stale of ${key.slice(-1)} was rewritten`];
  });
  const strange = [...after.stops].flatMap(([key, { approved }]) => {
    const asked = before.stops.has(key) || after.questions.some(({ run, digest }) => key.startsWith(run) && digest === approved);
    return asked ? [] : ['P7: plan.stale names a plan that nobody was asked about'];
  });
  return [...many, ...rewritten, ...strange];
}

/** P7: a round that was let go, or was to be, is raised only once its stop is on record. */
function stopFirst({ past }: Stage, before: Seen, after: Seen): string[] {
  return [...after.runs].flatMap(([id, now]) => {
    const was = before.runs.get(id);
    // A recheck is a round of its own: it looks whether there is anything to stop for.
    if (!was || was.round === now.round || now.recheck?.round === now.round || was.phase === 'waiting' || was.phase === 'done') return [];
    // A step that lets a run wait looks once more whether it need not any more, and has the guard look again at once (P5).
    if (past.deployed && ['applying', 'settling'].includes(was.phase) && now.phase === 'guarding') return [];
    return after.stops.has(`${id} ${was.round}`) ? [] : [`P7: ${named(id)} plans again, and no plan.stale says why`];
  });
}

/** I12: each question after the first comes of a stop of its own, and shows what was planned after it. */
function questionPerStop({ runs, stops, questions }: Seen): string[] {
  return [...runs].flatMap(([id, { question }]) => {
    const mine = [...stops].filter(([key]) => key.startsWith(id)).map(([, stop]) => stop);
    const asked = questions.filter((one) => one.run === id);
    const many = (question?.q ?? 0) > mine.length + 1 ? [`I12: ${named(id)} is at question ${question?.q} after ${mine.length} stops`] : [];
    const strange = asked.filter(({ q, digest }) => q > 1 && !mine.some(({ replanned }) => replanned === digest));
    return [...many, ...strange.map(({ q }) => `I12: no stop of ${named(id)} leads to question ${q}`)];
  });
}

/** P7: our own half-done work is not drift: a stop has a reason outside. */
function stopsForNothing({ past }: Stage, { stops }: Seen): string[] {
  return stops.size === 0 || past.moved ? [] : ['P7: plan.stale, and nothing had moved'];
}

/** P7: where a line failed in the round that was stopped, the failure wins: nobody is asked again. */
function failureFirst({ bench }: Stage, before: Seen, after: Seen): string[] {
  return [...after.runs].flatMap(([id, now]) => {
    const was = before.runs.get(id);
    if (was?.phase !== 'applying' || now.phase !== 'preparing') return [];
    const lines = bench.memory.each().filter(({ pk, sk }) => pk === `RUN#${id}` && sk.startsWith('LINE#')) as unknown as readonly RunLine[];
    const failed = lines.some(({ round, phase, result }) => round === was.round && phase === 'applying' && result?.status === 'failed');
    return failed ? [`P7: a line had failed in the round, and ${named(id)} plans again`] : [];
  });
}

/** An end is an end, and says what it was that ended it. */
function endsOnce(before: Seen, after: Seen): string[] {
  return [...after.runs].flatMap(([id, now]) => {
    const was = before.runs.get(id);
    return was?.phase === 'done' && (now.phase !== 'done' || now.outcome !== was.outcome) ? [`P2: ${named(id)} had ended ${was.outcome}, and goes on`] : [];
  });
}

/** A function throws only where it dies: everything else is an end or comes back on purpose. */
function failedSteps({ bench }: Stage, { log }: Seen): string[] {
  const thrown = bench.logged.slice(log).filter(({ level, message }) => level === 'thrown' && !message.startsWith('Died'));
  return thrown.map(({ message }) => `I11: a function failed: ${message}`);
}

/** How often the schedule looks before what stands still stands for good. */
const looks = 3;

/**
 * What the platform makes of a state in which no message is left, with no more faults: its schedule looks, and everything is delivered. Then
 * every run has ended or waits for people, and nobody waits for an answer that is there.
 */
export async function judgeRest(stage: Stage): Promise<string[]> {
  const { bench } = stage;
  for (let look = 0; look < looks; look += 1) {
    bench.clock.advance(61_000);
    await bench.sweepOnce();
    await quiet(stage);
  }
  const { runs, questions, stops } = see(stage);
  const open = questions.filter(({ state }) => state === 'open');
  return [
    ...[...runs.values()].flatMap((run) => atRest(stage, run, open)),
    ...open.flatMap(({ run, q }) =>
      runs.get(run)?.question?.q === q && runs.get(run)?.phase === 'awaiting'
        ? []
        : [`I11: question ${q} of ${named(run)} is open, and nobody waits for its answer`],
    ),
    ...[...stops].flatMap(([key, stop]) =>
      unfinished(
        stop,
        [...runs.values()].find(({ id }) => key.startsWith(id)),
      ),
    ),
    ...(open.length > 1 ? ['P2: two runs of a scope are asked about at rest'] : []),
  ];
}

function atRest(stage: Stage, run: Run, open: readonly Question[]): string[] {
  const executions = [...stage.bench.states.open.keys()].filter((name) => name.startsWith(run.id));
  if (run.phase === 'done') return [...endings(stage, run), ...(executions.length > 0 ? [`I11: ${named(run.id)} has ended, and its execution has not`] : [])];
  if (run.phase === 'waiting' && !stage.past.deployed)
    return executions.length > 0 ? [`I11: ${named(run.id)} waits for a deployment, and its execution is open`] : [];
  if (run.phase !== 'awaiting') return [`I11: ${named(run.id)} stands still in ${run.phase}`];
  if (!open.some((question) => question.run === run.id)) return [`I11: ${named(run.id)} is parked, and its question is not open`];
  if (executions.length !== 1) return [`I11: ${executions.length} executions wait for the answer of ${named(run.id)}`];
  const answers = stage.past.said.filter((one) => one.run === run.id && one.q === run.question?.q && one.digest === run.question.digest);
  if (enough(stage, answers) && !stage.past.frozen) return [`P7: ${named(run.id)} was approved, and waits`];
  return answers.some(({ verdict, person }) => verdict === 'reject' && person !== 'mona') ? [`P7: ${named(run.id)} was rejected, and waits`] : [];
}

/** I12, R4.20: a stop stays without its last two fields only where planning again has not succeeded. */
const unfinished = ({ replanned, differs }: PlanStale, run: Run | undefined): string[] =>
  (replanned === null || differs === null) && (run?.outcome === 'complete' || run?.phase === 'awaiting')
    ? ['I12: a stop was planned over, and its record does not say so']
    : [];

/** Each end has a reason that lies outside the code. */
function endings(stage: Stage, { id, outcome, question, stopping }: Run): string[] {
  const answers = stage.past.said.filter((one) => one.run === id && one.q === question?.q && one.digest === question?.digest);
  if (stopping?.cause === 'cancelled' && outcome === 'complete') return [`P1: ${named(id)} was cancelled, and ended complete`];
  if (outcome === 'rejected' && !answers.some(({ verdict }) => verdict === 'reject')) return [`P7: ${named(id)} ended rejected, and nobody had rejected it`];
  if (outcome === 'superseded' && !stage.bench.memory.peek(`RUN#${runOfCommit('two')}`, 'META')) return [`P7: ${named(id)} was superseded by nothing`];
  return [];
}
