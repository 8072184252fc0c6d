/**
 * One interleaving by chance: several functions at once, each port call a point where a seeded scheduler decides who goes on and what befalls.
 * The same seed is the same story, call by call.
 */
import { type Random, randomOf } from '../weave/random.ts';
import { askedPeople, endAsked, push } from './asked-seeds.ts';
import { type Fault, isWriteToProvider, type Still } from './gate.ts';
import { pullHook } from './hooks.ts';
import { openSimulator, type Simulator } from './simulator.ts';
import { close, lastly, release } from './story.ts';
import { type Told, toldOf } from './told.ts';
import type { Worker } from './worker.ts';

export interface Seeded extends Told {
  readonly seed: number;
  /** What was done and what befell, in order, in words. */
  readonly moves: readonly string[];
}

/** The id of a seed, beside those of the enumeration. */
export const seedId = (seed: number): string => `seed/${seed}`;
export const seedOf = (id: string): number | undefined => (/^seed\/\d+$/.test(id) ? Number(id.slice('seed/'.length)) : undefined);

/** How far a clock may be off, as the template has it, ms. */
const mostOff = 30_000;
const mostWorkers = 4;
const deadly: readonly Exclude<Fault, Still>[] = ['before', 'after', 'lost', 'unsent', 'twice'];

export interface Scene {
  readonly simulator: Simulator;
  readonly random: Random;
  readonly moves: string[];
  readonly workers: Worker[];
  /** Faults that may still befall. */
  faults: number;
  /** Names of the newest commits of pull requests 7 and 8. */
  commits: number;
  readonly heads: Map<number, string>;
}

/** A plan of two to five lines; some take from an earlier one, and pull request 8 wants a thing that 7 may want, too. */
function planOf({ random, commits }: Scene, pull: number): object[] {
  const count = 2 + random.below(4);
  return Array.from({ length: count }, (_, at) => {
    const id = `l${at}`;
    const name = at === 0 && random.chance(0.3) ? 'shared' : `n${pull}-${at}`;
    const value = at > 0 && random.chance(0.4) ? { from: `l${random.below(at)}.value` } : `v${commits % 3}`;
    const more = random.chance(0.2) ? { [`m${pull}-${at}`]: 'more' } : {};
    return { id, things: { [name]: value, ...more }, ...(at > 0 && random.chance(0.3) ? { depends_on: [`l${at - 1}`] } : {}) };
  });
}

async function commit(scene: Scene, pull: number): Promise<void> {
  const { simulator, heads } = scene;
  const known = heads.get(pull);
  const name = `c${++scene.commits}`;
  simulator.bench.pull(pull, name, planOf(scene, pull));
  heads.set(pull, name);
  scene.workers.push(await simulator.send(pullHook(known === undefined ? 'opened' : 'synchronize', pull, name)));
}

const isOpen = ({ simulator }: Scene, pull: number): boolean => simulator.bench.code.pulls.get(pull)?.open === true;

type People = readonly ((scene: Scene) => Promise<string>)[];

/** What people do about pull requests. */
const ofPulls: People = [
  async (scene) => {
    await commit(scene, 7);
    return 'a commit on 7';
  },
  async (scene) => {
    await commit(scene, scene.random.chance(0.4) ? 8 : 7);
    return 'a commit';
  },
  async (scene) => {
    const pull = scene.random.chance(0.5) ? 7 : 8;
    const head = scene.heads.get(pull);
    if (head === undefined) return 'nothing';
    const { pulls } = scene.simulator.bench.code;
    const found = pulls.get(pull);
    if (!found) return 'nothing';
    pulls.set(pull, { ...found, open: !found.open });
    scene.workers.push(await scene.simulator.send(pullHook(found.open ? 'closed' : 'reopened', pull, head)));
    return `${pull} ${found.open ? 'closed' : 'reopened'}`;
  },
];

/** What happens wherever something is released. */
const anywhere: People = [
  async ({ simulator, random }) => {
    const things = simulator.bench.provider.things();
    const thing = things.length === 0 ? undefined : random.one(things);
    if (!thing) return 'nothing is there to be removed';
    simulator.bench.provider.remove(thing.name, thing.place);
    simulator.removed.add(thing.place === 'here' ? thing.name : `${thing.place}/${thing.name}`);
    return `${thing.name} is removed at the console`;
  },
  async ({ simulator, random }) => {
    const mail = simulator.delivered.length === 0 ? undefined : random.one(simulator.delivered);
    if (mail) {
      const { dead: _dead, received: _received, ...copy } = mail;
      simulator.again(copy, random.below(3) * 40);
    }
    return 'a message comes again';
  },
  async (scene) => {
    const which = scene.random.chance(0.2) ? 'night' : 'tick';
    scene.workers.push(await scene.simulator.schedule(which));
    return `the schedule, its ${which}`;
  },
];

/** One call of one of those at work, and what befalls it. */
async function step({ random, workers, ...scene }: Scene & { faults: number }): Promise<number> {
  const worker = random.one(workers);
  const fault = scene.faults > 0 && random.chance(0.02) ? random.one(deadly) : undefined;
  await worker.step(fault);
  if (fault) scene.moves.push(`${fault} at a call of ${worker.what.slice(0, 40)}`);
  return fault ? 1 : 0;
}

/** Time passes: seconds, or longer than any claim or lease. Whatever has been checked against a deadline has left by then (design, section 4). */
async function wait(scene: Scene): Promise<void> {
  const { simulator, random, workers } = scene;
  const long = random.chance(0.15);
  if (long) for (const worker of workers) while (worker.at && isWriteToProvider(worker.at)) await worker.step();
  const ms = long ? random.one([200_000, 700_000, 1_100_000]) : random.below(5_000);
  simulator.bench.clock.advance(ms);
  if (long) scene.moves.push(`${ms / 1000} s pass, with ${workers.filter(({ at }) => at).length} at work`);
}

async function interleave(scene: Scene, people: People, most: number): Promise<void> {
  const { simulator, random, workers } = scene;
  const { queues, clock } = simulator.bench;
  let left = 3 + random.below(most);
  for (let turns = 0; turns < 1_500; turns += 1) {
    workers.splice(0, workers.length, ...workers.filter(({ at }) => at !== undefined));
    const due = queues.waiting().some(({ at }) => at <= clock.now());
    if (left > 0 && (random.chance(0.02) || (workers.length === 0 && !due))) {
      left -= 1;
      scene.moves.push(await random.one(people)(scene));
    } else if (due && workers.length < mostWorkers && random.chance(0.3)) workers.push(await simulator.takeAny(random.below));
    else if (workers.length > 0) scene.faults -= random.chance(0.01) ? await wait(scene).then(() => 0) : await step(scene);
    else if (queues.nextAt() !== undefined) clock.set(Math.max(clock.now(), queues.nextAt() as number));
    else if (left === 0) break;
  }
  // The last fault was the last.
  for (const worker of workers) await worker.run();
}

/** Plays a seed, lets everything come to rest, and judges as at the end of every story. Every third is of production, where people are asked. */
export async function playSeed(seed: number): Promise<Seeded> {
  const random = randomOf(seed);
  const simulator = openSimulator();
  const scene: Scene = { simulator, random, moves: [], workers: [], faults: 1 + random.below(3), commits: 0, heads: new Map() };
  if (seed % 2 === 1) simulator.skew = () => random.below(2 * mostOff) - mostOff;
  const asked = seed % 3 === 2;
  const told = await toldOf(simulator, async () => {
    await (asked ? push(scene) : commit(scene, 7));
    await interleave(scene, [...(asked ? askedPeople : ofPulls), ...anywhere], asked ? 24 : 5);
    simulator.skew = () => 0;
    await simulator.rest();
    return asked ? endAsked(scene) : endPulls(scene);
  });
  return { ...told, seed, moves: scene.moves };
}

/** Pull request 8 is closed and 7 is open at its head, which is released: all that a release and a destroy must hold is judged. */
async function endPulls(scene: Scene): Promise<readonly string[]> {
  const { simulator } = scene;
  if (isOpen(scene, 8)) {
    await close(simulator, { pull: 8, commit: scene.heads.get(8) as string });
    await simulator.rest();
  }
  if (!isOpen(scene, 7)) {
    const pull = simulator.bench.code.pulls.get(7);
    if (pull) simulator.bench.code.pulls.set(7, { ...pull, open: true });
    await simulator.hook(pullHook('reopened', 7, scene.heads.get(7) as string));
    await simulator.rest();
  }
  const where = { pull: 7, commit: scene.heads.get(7) as string };
  // Whoever removed things at the console may have done so after the last run.
  await release(simulator, where);
  const broken = simulator.judge();
  return broken.length > 0 ? broken : lastly(simulator, where);
}
