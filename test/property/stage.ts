/** One story while it is played: the house, the plan as it is now, what people answered and what outsiders did. */
import { decide } from '../../shared/approvals/decision.ts';
import type { Run } from '../../shared/run/items.ts';
import { atMachine } from '../ports/people.ts';
import { commitOf, type Workbench } from '../ports/workbench.ts';
import { entriesIn, type House, openHouse } from './house.ts';
import { changesOf, type PlannedLine, planner, secrets, strangerName, strangerValue } from './plan.ts';
import type { Story } from './story.ts';

/** What happened in a story, for the distribution. */
export type Mark =
  | 'lost answer'
  | 'edit'
  | 'takeover'
  | 'destroy after crash'
  | 'crash'
  | 'frozen'
  | 'refusal'
  | 'duplicate'
  | 'stale plan'
  | 'rollback'
  | 'protected';

export interface Answer {
  readonly run: string;
  readonly q: number;
  readonly digest: string;
  readonly verdict: 'approve' | 'reject';
  /** Whether the run still waited for it: one that comes later changes nothing. */
  readonly inTime: boolean;
  readonly at: number;
  /** Who gave it, where it may be taken back. */
  readonly by?: string;
}

export interface Stage extends House {
  readonly story: Story;
  readonly planner: ReturnType<typeof planner>;
  plan: readonly PlannedLine[];
  commits: number;
  /** Names of the newest commits of both pull requests. */
  commit: string;
  otherCommit: string | undefined;
  /** Runs whose messages are held back. */
  readonly held: Set<string>;
  /** Deliveries whose function stands still. */
  readonly standing: Promise<void>[];
  readonly answers: Answer[];
  readonly marks: Set<Mark>;
  /** Ids that somebody at the console gave another name. */
  readonly moved: Set<string>;
  /** Ids that somebody made where an interrupted create of ours was looked for: by the marks of P4 nobody can tell whose they are. */
  readonly ambiguous: Set<string>;
  /** A function died, or heard nothing, since a run last ended well. */
  crashed: boolean;
  deliveries: number;
}

/** What the oracles look at: a house, and what people and outsiders did to it. */
export type Seen = Pick<Stage, 'bench' | 'sent' | 'ours' | 'moved' | 'ambiguous' | 'answers' | 'deliveries'> & { readonly plan: readonly unknown[] };

export const pullNumber = 7;
export const otherPull = 8;

export function setStage(story: Story): Stage {
  const house = openHouse();
  const { bench } = house;
  for (const [name, value] of Object.entries(secrets)) bench.secrets.set(name, value);
  for (let n = 0; n < story.strangers; n += 1) bench.provider.edit(strangerName(n), strangerValue);
  bench.clock.advance(5_000);
  const plans = planner(story.strangers);
  return {
    ...house,
    story,
    planner: plans,
    plan: plans.first(story.lines),
    commits: 0,
    commit: '',
    otherCommit: undefined,
    held: new Set(),
    standing: [],
    answers: [],
    marks: new Set(story.where === 'protected' ? ['protected'] : []),
    moved: new Set(),
    ambiguous: new Set(),
    crashed: false,
    deliveries: 0,
  };
}

export const isOpen = ({ bench }: Stage, number = pullNumber): boolean => bench.code.pulls.get(number)?.open === true;

/** Commits the plan as it is now, and tells of it. */
export async function release(stage: Stage): Promise<void> {
  const { bench, plan } = stage;
  stage.commit = `c${++stage.commits}`;
  bench.clock.advance(1);
  if (stage.story.where === 'protected') return void (await bench.push(stage.commit, changesOf(plan)));
  bench.pull(pullNumber, stage.commit, changesOf(plan));
  await bench.event('synchronize', pullNumber, stage.commit);
}

/** Tells of the newest commit once more. */
export async function again(stage: Stage): Promise<void> {
  const { bench } = stage;
  if (stage.commit === '') return release(stage);
  bench.clock.advance(1);
  if (stage.story.where === 'protected') await bench.push(stage.commit);
  else await bench.event('synchronize', pullNumber, stage.commit);
}

/** A person's run of the newest commit in the same scope. */
export async function command(stage: Stage, intent: 'plan' | 'apply', reconcile = false): Promise<string | undefined> {
  const { bench, story } = stage;
  if (stage.commit === '') return undefined;
  bench.clock.advance(1);
  const where =
    story.where === 'protected' ? { environment: 'production', scope: 'main', branch: 'main' } : { scope: `pr-${pullNumber}`, branch: `feat-${pullNumber}` };
  return bench.command({ intent, commit: stage.commit, ...where, options: { busy: 'wait', ...(reconcile ? { reconcile } : {}) } });
}

export async function closePull(stage: Stage, number = pullNumber): Promise<void> {
  const { bench } = stage;
  const pull = bench.code.pulls.get(number);
  if (!pull?.open) return;
  bench.code.pulls.set(number, { ...pull, open: false });
  await bench.event('closed', number, (number === pullNumber ? stage.commit : stage.otherCommit) as string);
}

export async function reopenPull(stage: Stage): Promise<void> {
  const { bench } = stage;
  const pull = bench.code.pulls.get(pullNumber);
  if (!pull || pull.open) return;
  bench.code.pulls.set(pullNumber, { ...pull, open: true });
  await bench.event('reopened', pullNumber, stage.commit);
}

/** The run whose question is open, if any. */
export const asking = ({ bench }: Stage): Run | undefined => runsOf(bench).find((run) => run.phase === 'awaiting');

export const runsOf = (bench: Pick<Workbench, 'memory'>): Run[] => bench.memory.items((item) => item['item'] === 'run') as unknown as Run[];

const isOlder = (one: Run, other: Run): boolean => (one.startedAt === other.startedAt ? one.id < other.id : one.startedAt < other.startedAt);

/** The run that began last. */
export const newestRun = ({ bench }: Stage): Run | undefined =>
  runsOf(bench).reduce<Run | undefined>((newest, run) => (newest && isOlder(run, newest) ? newest : run), undefined);

/** Somebody at the machine answers the open question, and its run is woken. */
export async function answer(stage: Stage, verdict: Answer['verdict'], by = atMachine.name): Promise<void> {
  const { bench } = stage;
  const run = asking(stage);
  if (!run?.question) return;
  const { q, digest } = run.question;
  const at = bench.clock.now();
  const writer = { table: bench.memory.table, ids: bench.world().ids };
  await decide(writer, { q, digest, run: run.id }, { verdict, person: { ...atMachine, name: by }, at: new Date(at).toISOString() });
  stage.answers.push({ run: run.id, q, digest, verdict, inTime: run.phase === 'awaiting', at });
  await bench.queues.queues.control({ format: 1, run: run.id, group: run.repository.id });
}

/** Somebody at the console makes a thing, or gives one another value. */
export function makeOutside(stage: Stage, name: string, value: string): void {
  const { bench } = stage;
  const known = bench.provider.find(name);
  const made = bench.provider.edit(name, value);
  if (known) return;
  const intended = entriesIn(bench).some((entry) => entry.createdBy === 'intent' && entry.key === `thing:${name}`);
  if (intended || stage.standing.length > 0) stage.ambiguous.add(made.id);
}

export const shaOf = (stage: Stage): string => commitOf(stage.commit);
