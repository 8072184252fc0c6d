/**
 * Goes every way from one beginning, breadth first, over the real code: from each state every move, from each delivery every death. A state is
 * what the stores hold, as `canonical.ts` tells it, with what has been said so far; two ways that lead to the same state are one from there on.
 */
import { canonical, hashOf } from './canonical.ts';
import { type Move, movesFrom } from './moves.ts';
import { judgeRest, judgeStep, type Seen, see } from './on-state.ts';
import { judgeWrite } from './on-write.ts';
import type { Budget, Setting } from './settings.ts';
import { deliver, openStage, type Past, push, quiet, type Stage } from './stage.ts';

export interface Bounds {
  readonly depth: number;
  readonly states: number;
  /** Ends at the first of these that is found broken; absent: goes on. */
  readonly first?: boolean;
}

export interface Found {
  readonly breaks: string;
  /** The way there. */
  readonly story: readonly string[];
}

export interface Explored {
  readonly setting: string;
  /** Different states of the world, whatever may still happen in them. */
  readonly worlds: number;
  /** The same, told apart by what may still happen. */
  readonly states: number;
  readonly moves: number;
  readonly depth: number;
  readonly rests: number;
  /** Whether everything within the bounds has been seen. */
  readonly whole: boolean;
  readonly actors: ReadonlySet<string>;
  readonly found: readonly Found[];
}

interface Node {
  readonly from?: Node;
  readonly says: string;
  readonly depth: number;
  readonly left: Budget;
  readonly back: () => void;
  readonly past: Past;
  readonly seen: Seen;
}

/** What can be cut off: nothing is different after a death between two reads. */
const changes = (name: string): boolean => /write|put|control|lines|send|start|succeed/.test(name);

export async function explore(setting: Setting, bounds: Bounds): Promise<Explored> {
  const stage = openStage(setting, judgeWrite);
  await begin(stage);
  const known = new Set<string>();
  const worlds = new Set<string>();
  const rested = new Set<string>();
  const actors = new Set<string>();
  const found: Found[] = [];
  let moves = 0;
  let deepest = 0;
  let layer: Node[] = [];

  /** Takes in where a move has led; whether the search goes on from there. */
  async function arrive(from: Node | undefined, says: string, left: Budget): Promise<void> {
    moves += 1;
    const seen = see(stage);
    const broken = [...stage.broken, ...(from ? judgeStep(stage, from.seen, seen) : [])];
    const world = hashOf(canonical(stage.bench) + saidText(stage.past));
    const state = world + JSON.stringify(Object.values(left));
    const node: Node = { ...(from ? { from } : {}), says, depth: (from?.depth ?? -1) + 1, left, back: stage.bench.keep(), past: stage.past, seen };
    if (broken.length > 0) return void found.push(...broken.map((breaks) => ({ breaks, story: storyOf(node) })));
    if (known.has(state)) return;
    known.add(state);
    worlds.add(world);
    deepest = Math.max(deepest, node.depth);
    next.push(node);
    if (rested.has(world) || stage.bench.queues.waiting().length > 0) return;
    rested.add(world);
    stage.broken = [];
    const atRest = [...(await judgeRest(stage)), ...stage.broken];
    found.push(...atRest.map((breaks) => ({ breaks, story: storyOf(node) })));
  }

  let next: Node[] = [];
  await arrive(undefined, 'the question is open', setting.budget);
  const done = (): boolean => known.size >= bounds.states || (bounds.first === true && found.length > 0);
  while (next.length > 0 && !done()) {
    layer = next;
    next = [];
    for (const node of layer) {
      if (node.depth >= bounds.depth) continue;
      if (done()) break;
      restore(stage, node);
      for (const move of movesFrom(stage, node.left)) {
        restore(stage, node);
        await move.make(stage);
        actors.add(move.actor);
        const left = pay(node.left, move.costs);
        const calls = stage.bench.fates.calls.filter(({ name }) => changes(name)).length;
        await arrive(node, `${move.actor} ${move.says}`, left);
        if (move.delivers === undefined || move.costs !== undefined || left.deaths < 1) continue;
        for (let at = 0; at < calls; at += 1) {
          restore(stage, node);
          stage.bench.fates.plan(at, 'after', changes);
          await move.make(stage);
          actors.add('death');
          await arrive(node, `${move.actor} ${move.says}; it dies after change ${at + 1}: ${stage.bench.fates.met()?.slice(0, 120)}`, pay(left, 'deaths'));
        }
      }
    }
  }
  return { setting: setting.name, worlds: worlds.size, states: known.size, moves, depth: deepest, rests: rested.size, whole: !done(), actors, found };
}

function restore(stage: Stage, node: Node): void {
  node.back();
  stage.past = node.past;
  stage.broken = [];
}

const pay = (left: Budget, costs: keyof Budget | undefined): Budget => (costs === undefined ? left : { ...left, [costs]: left[costs] - 1 });

const saidText = ({ said, made }: Past): string =>
  `${said.map(({ run, q, digest, person, verdict, inTime }) => `${run} ${q} ${person} ${verdict} ${inTime} ${digest.length}`).sort()}${made.size}`;

function storyOf(node: Node): string[] {
  return [...(node.from ? storyOf(node.from) : []), node.says];
}

/** What the first commit made is there, and the second one is asked about. */
async function begin(stage: Stage): Promise<void> {
  if (stage.setting.commits['zero']) {
    const id = await push(stage, 'zero');
    await quiet(stage);
    const run = await stage.bench.run(id);
    for (const move of movesFrom(stage, { ...stage.setting.budget, answers: 1 }).filter(({ actor, says }) => stage.setting.people.includes(actor) && says.startsWith('approves') && !says.includes('dies'))) await move.make(stage);
    await quiet(stage);
    if ((await stage.bench.run(run.id)).outcome !== 'complete') throw new Error('the model does not begin');
    stage.bench.clock.advance(1000);
  }
  await push(stage, 'one');
  await quiet(stage);
  stage.past = { said: [], made: new Map() };
  stage.broken = [];
  void deliver;
}
