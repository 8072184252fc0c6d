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

const houses = new Map<Kind, Promise<House>>();

const houseOf = (kind: Kind): Promise<House> => {
  const built = houses.get(kind) ?? buildHouse(kind);
  houses.set(kind, built);
  return built;
};

const fateKinds: readonly Fate[] = ['before', 'after', 'lost', 'unsent'];

export async function play(seed: number): Promise<Played> {
  const random = randomOf(seed);
  const house = await houseOf(kinds[seed % kinds.length] as Kind);
  house.back();
  const stage = openStage(seed, house, random);
  const tally: Record<string, number> = {};
  const broken: string[] = [];
  try {
    await begin(stage);
    await interleave(stage);
    await rest(stage);
    // No fault is left for whoever looks.
    house.bench.fates.forget(house.bench.fates.calls.length);
    broken.push(...(await judge(stage, tally, false)));
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
  bench.code.issues.onCall = (call) => {
    if (random.chance(0.08)) beside(stage, `issues.${call}`, save);
  };
  bench.code.onAsk = (question) => {
    if (random.chance(0.02)) beside(stage, question, random.chance(0.5) ? save : consoleEdit);
  };
  const left = { moves: 4 + random.below(6) };
  for (let turns = 0; turns < 400 && left.moves > 0; turns += 1) {
    if (random.chance(0.3)) {
      left.moves -= 1;
      bench.clock.advance(random.below(2_000));
      await random.one(moves)(stage);
    } else await deliverOne(stage);
  }
  bench.code.issues.onCall = undefined;
  bench.code.onAsk = undefined;
  const met = bench.fates.met();
  if (met !== undefined) note(stage, `fault: ${met.slice(0, 140)}`);
}

/** What somebody does while a function waits for an answer. */
function beside(stage: Stage, call: string, act: (stage: Stage) => void): void {
  note(stage, `while ${call} is asked:`);
  act(stage);
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

async function deliver({ house }: Stage, message: Queued): Promise<void> {
  house.working = message.queue === 'lines' ? message.message : undefined;
  await house.bench.deliver(message);
  house.working = undefined;
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
