/** What people do in production, where others are asked: pushes, answers, second thoughts and stops, at any moment of what is under way (P7). */
import { decide, withdraw } from '../../shared/approvals/decision.ts';
import { cancelRun } from '../../shared/run/cancel.ts';
import type { Run } from '../../shared/run/items.ts';
import { houseTiming } from '../house/house.ts';
import { runsOf } from '../property/stage.ts';
import { pushHook } from './hooks.ts';
import type { Scene } from './seeds.ts';
import { commitTo } from './stories/approval.ts';
import { approveAll, lastly, release } from './story.ts';

const approvers = ['robin', 'alex', 'kim'] as const;

/** What somebody writes from outside of every function. */
const outside = ({ simulator: { bench }, moves }: Scene) => {
  const quiet = (): undefined => undefined;
  const log = { info: quiet, warn: quiet, error: quiet };
  let count = 0;
  return {
    table: bench.memory.table,
    queues: bench.queues.queues,
    clock: bench.clock,
    timing: houseTiming,
    log,
    ids: { fresh: () => `by hand ${moves.length}-${++count}` },
  };
};

/** Two to four lines; some take from an earlier one, and some stay as they are from commit to commit. */
function planOf({ random, commits }: Scene): object[] {
  return Array.from({ length: 2 + random.below(3) }, (_, at) => {
    const value = at > 0 && random.chance(0.3) ? { from: `l${random.below(at)}.value` } : `v${random.chance(0.6) ? commits % 3 : 0}`;
    return { id: `l${at}`, things: { [`n${at}`]: value }, ...(at > 0 && random.chance(0.3) ? { depends_on: [`l${at - 1}`] } : {}) };
  });
}

const headOf = ({ commits }: Scene): string => `c${commits}`;

export async function push(scene: Scene): Promise<string> {
  scene.commits += 1;
  scene.simulator.bench.clock.advance(1);
  await commitTo(scene.simulator, headOf(scene), planOf(scene));
  scene.workers.push(await scene.simulator.send(pushHook(headOf(scene))));
  return `a push of ${headOf(scene)}`;
}

type Asking = Run & { readonly question: NonNullable<Run['question']> };

/** One of the runs that ask now, if any. */
function oneAsking({ simulator, random }: Scene): Asking | undefined {
  const asking = runsOf(simulator.bench).filter((run): run is Asking => run.phase === 'awaiting' && run.question !== undefined);
  return asking.length === 0 ? undefined : random.one(asking);
}

async function answer(scene: Scene): Promise<string> {
  const { simulator, random } = scene;
  const run = oneAsking(scene);
  if (!run) return 'nobody is asked';
  const { q, digest } = run.question;
  const name = random.one(approvers);
  const verdict = random.chance(0.85) ? 'approve' : 'reject';
  const at = simulator.bench.clock.now();
  const made = { verdict, person: { name, through: 'github' }, at: new Date(at).toISOString() } as const;
  const stands = await decide(outside(scene), { q, digest, run: run.id }, made);
  if (stands === made) simulator.answers.push({ run: run.id, q, digest, verdict, inTime: true, at, by: name });
  await simulator.bench.queues.queues.control({ format: 1, run: run.id, group: run.repository.id });
  return `${name} says ${verdict} to question ${q} of run ${run.id.slice(0, 6)}`;
}

/** Of an approval alone: a rejection that is taken back in time the oracle of I7 would hold against the run. */
async function takeBack(scene: Scene): Promise<string> {
  const { simulator, random } = scene;
  const run = oneAsking(scene);
  const name = random.one(approvers);
  if (!run) return 'nobody is asked';
  const { q, digest } = run.question;
  const now = new Date(simulator.bench.clock.now()).toISOString();
  const given = { approve: '9999', reject: '0000' };
  const came = await withdraw(outside(scene), { q, digest, run: run.id }, { name, through: 'github' }, now, given);
  const { answers } = simulator;
  // What is taken back in time lets nothing go.
  if (came === 'withdrawn')
    answers.splice(0, answers.length, ...answers.filter((one) => one.by !== name || one.q !== q || one.run !== run.id || one.verdict !== 'approve'));
  return `${name} takes back what was said to question ${q} of run ${run.id.slice(0, 6)}: ${came}`;
}

async function cancel(scene: Scene): Promise<string> {
  const { simulator, random } = scene;
  const going = runsOf(simulator.bench).filter(({ phase }) => phase !== 'done');
  if (going.length === 0 || random.chance(0.7)) return 'nobody cancels';
  const run = random.one(going);
  await cancelRun(outside(scene), run, { name: 'olga' });
  return `run ${run.id.slice(0, 6)} is cancelled`;
}

/** What was planned is not there any more when it is approved. */
async function pullAway(scene: Scene): Promise<string> {
  const { provider } = scene.simulator.bench;
  const things = provider.things();
  if (!oneAsking(scene) || things.length === 0) return 'nobody is asked';
  const { name } = scene.random.one(things);
  provider.remove(name);
  scene.simulator.removed.add(name);
  return `${name}, which somebody is asked about, is removed at the console`;
}

export const askedPeople: readonly ((scene: Scene) => Promise<string>)[] = [push, answer, answer, answer, takeBack, cancel, pullAway, pullAway];

/** Whoever asks still is answered; the newest commit is released, and all that a release must hold is judged. */
export async function endAsked(scene: Scene): Promise<readonly string[]> {
  const { simulator } = scene;
  await approveAll(simulator);
  const where = { commit: headOf(scene) };
  await release(simulator, where);
  const broken = simulator.judge();
  return broken.length > 0 ? broken : lastly(simulator, where);
}
