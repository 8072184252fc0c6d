/** Plays one interleaving, and judges it. */
import { told } from '../../shared/dashboard/dashboard-bench.fixture.ts';
import type { Queued } from '../ports/memory-queues.ts';
import type { Fate } from '../ports/mortal.ts';
import { buildHouse, type House, type Kind, kinds, runsOf } from './house.ts';
import { begin, consoleEdit, moves } from './moves.ts';
import { judge } from './oracle.ts';
import { randomOf } from './random.ts';
import { note, openStage, type Stage, save } from './stage.ts';

export interface Played {
  readonly seed: number;
  readonly broken: readonly string[];
  readonly trace: readonly string[];
  /** How ticks ended, and what befell. */
  readonly tally: Readonly<Record<string, number>>;
}

const houses = new Map<string, Promise<House>>();

/** A house of each kind, and one of each whose functions have clocks that are off. */
const houseOf = (kind: Kind, clocks: 'exact' | 'skewed'): Promise<House> => {
  const built = houses.get(`${kind} ${clocks}`) ?? buildHouse(kind, clocks);
  houses.set(`${kind} ${clocks}`, built);
  return built;
};

/** As far as the template lets a clock be off, ms. */
const mostOff = 30_000;

const fateKinds: readonly Fate[] = ['before', 'after', 'lost', 'unsent'];

export async function play(seed: number): Promise<Played> {
  const random = randomOf(seed);
  const clocks = seed % 3 === 2 ? 'skewed' : 'exact';
  const house = await houseOf(kinds[seed % kinds.length] as Kind, clocks);
  house.back();
  if (clocks === 'skewed') house.offBy = () => random.below(2 * mostOff) - mostOff;
  const stage = openStage(seed, house, random);
  const tally: Record<string, number> = {};
  const broken: string[] = [];
  try {
    await begin(stage);
    await interleave(stage);
    if (random.chance(0.7)) await thaw(stage);
    await rest(stage);
    // Whoever stands still for longer than any function lives goes on all the same.
    await thaw(stage);
    house.bench.memory.faults.clear();
    await rest(stage);
    // No fault is left for whoever looks.
    house.bench.fates.forget(house.bench.fates.calls.length);
    broken.push(...(await judge(stage, {}, stage.lost.length === 0)));
    for (const login of [...stage.lost.splice(0), 'mona']) await told(house.bench, login);
    await rest(stage);
    broken.push(...(await judge(stage, tally, true)));
  } catch (error) {
    broken.push(`thrown: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
  return { seed, broken: [...new Set(broken)], trace: stage.trace, tally };
}

/** Moves and deliveries in turns; in most interleavings one call of a port meets a fault, and people save while functions are at work. */
async function interleave(stage: Stage): Promise<void> {
  const { random, house } = stage;
  const { bench } = house;
  if (random.chance(0.6)) bench.fates.plan(random.below(120), random.one(fateKinds));
  else if (random.chance(0.5)) {
    bench.fates.plan(random.below(120), 'frozen');
    stage.still = bench.fates.frozen().then(() => 'still' as const);
  }
  bench.code.issues.onCall = (call) => {
    if (random.chance(0.08)) beside(stage, `issues.${call}`, save);
  };
  bench.code.onAsk = (question) => {
    if (random.chance(0.02)) beside(stage, question, random.chance(0.5) ? save : consoleEdit);
  };
  bench.memory.faults.before(
    () => !stage.nested && random.chance(0.01),
    () => another(stage),
    Number.POSITIVE_INFINITY,
  );
  const left = { moves: 4 + random.below(6) };
  for (let turns = 0; turns < 400 && left.moves > 0; turns += 1) {
    if (random.chance(0.3)) {
      left.moves -= 1;
      bench.clock.advance(random.below(2_000));
      await unlessStill(stage, Promise.resolve(random.one(moves)(stage)));
      if (random.chance(0.2)) await thaw(stage);
    } else await deliverOne(stage);
  }
  bench.code.issues.onCall = undefined;
  bench.code.onAsk = undefined;
  // Where nobody has come to stand still, nobody does any more.
  if (stage.still) bench.fates.forget(bench.fates.calls.length);
  delete stage.still;
  const met = bench.fates.met();
  if (met !== undefined) note(stage, `fault: ${met.slice(0, 140)}`);
}

/** What somebody does while a function waits for an answer. */
function beside(stage: Stage, call: string, act: (stage: Stage) => void): void {
  note(stage, `while ${call} is asked:`);
  act(stage);
}

/** A second function takes a message that is ready, while the first one's call is on its way, and is done before that arrives. */
async function another(stage: Stage): Promise<void> {
  const { queues, clock } = stage.house.bench;
  const ready = queues.waiting().filter(({ at }) => at <= clock.now()).length;
  const taken = ready === 0 ? undefined : queues.takeAt(stage.random.below(ready));
  if (!taken) return;
  stage.nested = true;
  await deliver(stage, taken);
  stage.nested = false;
}

async function deliverOne(stage: Stage): Promise<void> {
  const { house, random } = stage;
  const { queues, clock } = house.bench;
  const next = queues.nextAt();
  if (next === undefined) return;
  if (next > clock.now()) clock.set(next);
  const ready = queues.waiting().filter(({ at }) => at <= clock.now()).length;
  const taken = queues.takeAt(random.below(ready));
  if (taken) await deliver(stage, taken);
  if (taken && random.chance(0.03)) await deliver(stage, taken);
}

async function deliver(stage: Stage, message: Queued): Promise<void> {
  const { house } = stage;
  const outer = house.working;
  house.working = message.queue === 'lines' ? message.message : undefined;
  // Whoever stands still has not acknowledged its message: it comes to another function.
  if ((await unlessStill(stage, house.bench.deliver(message))) === 'still') house.bench.queues.deliver(message, 12);
  house.working = outer;
}

/** Waits for what a function does; where it stands still, the others go on without it. */
async function unlessStill(stage: Stage, work: Promise<unknown>): Promise<'done' | 'still'> {
  if (stage.still === undefined) return work.then(() => 'done');
  const first = await Promise.race([work.then(() => 'done' as const), stage.still]);
  if (first === 'done') return first;
  delete stage.still;
  stage.frozen = { done: work, working: stage.house.working };
  note(stage, `a function stands still: ${stage.house.bench.fates.met()?.slice(0, 140)}`);
  return first;
}

/** Whoever stood still goes on, as if no time had passed, and is done before anybody else does anything. */
async function thaw(stage: Stage): Promise<void> {
  const { frozen, house } = stage;
  if (!frozen) return;
  delete stage.frozen;
  note(stage, 'it goes on');
  const outer = house.working;
  house.working = frozen.working;
  house.bench.fates.thaw();
  await frozen.done;
  house.working = outer;
}

/** Webhooks that are on their way arrive, messages are delivered, and the sweep looks until it finds nothing to do. */
async function rest(stage: Stage): Promise<void> {
  const { bench } = stage.house;
  for (const login of stage.webhooks.splice(0)) await told(bench, login);
  for (let times = 0; times < 8; times += 1) {
    for (let count = 0; bench.queues.nextAt() !== undefined; count += 1) {
      if (count > 3_000) throw new Error(`still no quiet: ${JSON.stringify(bench.queues.waiting().slice(0, 3))}`);
      await deliverOne(stage);
    }
    if (times > 0 && isAtRest(stage)) return;
    bench.clock.advance(15 * 60_000);
    await bench.sweepOnce();
  }
}

/** Nothing that the sweep looks after is left, but runs that wait for people. */
function isAtRest({ house: { bench } }: Stage): boolean {
  const items = bench.memory.items();
  return (
    !items.some(({ sk, dirty, status }) => (sk === 'ISSUE' && dirty !== undefined) || (sk.startsWith('TICK#') && status !== undefined)) &&
    runsOf(bench).every(({ phase }) => phase === 'done' || phase === 'awaiting' || phase === 'waiting')
  );
}
