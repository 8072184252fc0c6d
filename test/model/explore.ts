/**
 * Goes every way from one beginning, breadth first, over the real code: from each state every move, from each delivery every death and every
 * stand-still that the setting allows. A state is what the stores hold, as `canonical.ts` names it, with what people have said so far; two ways
 * that lead to the same state are one from there on.
 */
import { canonical, hashOf } from './canonical.ts';
import { type Move, movesFrom } from './moves.ts';
import { judgeRest, judgeStep, type Seen, see } from './on-state.ts';
import { judgeWrite } from './on-write.ts';
import { type Budget, nothing, type Setting } from './settings.ts';
import { dueNow, nothingYet, openStage, type Past, push, quiet, type Stage, until } from './stage.ts';

export interface Bounds {
  /** How many states are gone on from. */
  readonly states: number;
  /** Ends at the first thing that is found broken. */
  readonly first?: boolean;
  /** Where states are counted, over several settings. */
  readonly worlds?: Set<string>;
}

/** Something that is broken, and the shortest way to it. */
export interface Found {
  readonly breaks: string;
  readonly story: readonly string[];
}

export interface Explored {
  readonly setting: string;
  /** States of the world that this setting has added: different ones, whatever may still happen in them. */
  readonly added: number;
  /** States, told apart by what may still happen, too. */
  readonly states: number;
  readonly moves: number;
  /** Every way of so many moves has been gone. */
  readonly depth: number;
  /** Whether there is no longer way. */
  readonly whole: boolean;
  /** States in which nothing was left to be delivered. */
  readonly rests: number;
  readonly actors: readonly string[];
  readonly found: readonly Found[];
}

interface Node {
  readonly from: Node | undefined;
  readonly says: string;
  readonly left: Budget;
  readonly past: Past;
  /** Let go once all its moves are made: there are very many. */
  kept?: { readonly back: () => void; readonly seen: Seen };
}

interface Search {
  readonly stage: Stage;
  /** By world, what might still happen in it whenever it was gone on from. */
  readonly known: Map<string, Budget[]>;
  states: number;
  readonly worlds: Set<string>;
  readonly rested: Set<string>;
  readonly actors: Set<string>;
  readonly found: Found[];
  /** Where the next layer begins. */
  next: Node[];
  moves: number;
}

export async function explore(setting: Setting, bounds: Bounds): Promise<Explored> {
  const worlds = bounds.worlds ?? new Set<string>();
  const before = worlds.size;
  const search: Search = {
    stage: openStage(setting, judgeWrite),
    known: new Map(),
    states: 0,
    worlds,
    rested: new Set(),
    actors: new Set(),
    found: [],
    next: [],
    moves: 0,
  };
  await begin(search.stage);
  await arrive(search, undefined, 'the question is open', setting.budget);
  const enough = (): boolean => search.states >= bounds.states || (bounds.first === true && search.found.length > 0);
  let depth = -1;
  for (; search.next.length > 0 && !enough(); depth += 1) await goOn(search, enough);
  const whole = search.next.length === 0 && !enough();
  return {
    setting: setting.name,
    added: worlds.size - before,
    states: search.states,
    moves: search.moves,
    // The last layer may have been broken off.
    depth: whole ? depth : depth - 1,
    whole,
    rests: search.rested.size,
    actors: [...search.actors],
    found: search.found,
  };
}

/** One move more from everywhere. */
async function goOn(search: Search, enough: () => boolean): Promise<void> {
  const layer = search.next;
  search.next = [];
  for (const node of layer) {
    if (enough()) return;
    restore(search.stage, node);
    for (const move of movesFrom(search.stage, node.left)) await make(search, node, move);
    delete node.kept;
  }
}

/** Nothing else happens; or the function dies after one of its changes; or it stands still before one. */
async function make(search: Search, node: Node, move: Move): Promise<void> {
  const { stage } = search;
  restore(stage, node);
  const { calls } = stage.bench.fates;
  const before = calls.length;
  await move.make(stage);
  // Of this move alone: a place after its last change would be the whole move once more, with nothing befalling it.
  const changes = calls.slice(before).filter(({ name }) => isChange(name)).length;
  const left = pay(node.left, move.costs);
  search.actors.add(move.actor);
  await arrive(search, node, `${move.actor} ${move.says}`, left);
  if (move.delivers === undefined || move.costs !== undefined) return;
  const { faulty } = stage.setting;
  if (faulty !== undefined && faulty !== move.delivers.queue) return;
  for (let at = 0; at < changes && left.deaths > 0; at += 1) await die(search, node, move, at);
  for (let at = 0; at < changes && left.stills > 0; at += 1) await standStill(search, node, move, at);
}

async function die(search: Search, node: Node, move: Move, at: number): Promise<void> {
  const { stage } = search;
  restore(stage, node);
  stage.bench.fates.plan(at, 'after', isChange);
  await move.make(stage);
  search.actors.add('death');
  await arrive(search, node, `${move.actor} ${move.says}, which dies ${metIn(stage)}`, pay(node.left, 'deaths'));
}

/** Something else happens from beginning to end while the function stands still. */
async function standStill(search: Search, node: Node, move: Move, at: number): Promise<void> {
  const { stage } = search;
  const left = pay(node.left, 'stills');
  // What moves at the provider between a line's check and its write is not caught, and cannot be (design, section 4).
  const allowed = { ...left, twice: 0, ...(move.delivers?.queue === 'lines' ? { edits: 0 } : {}) };
  const first = await stopAt(stage, node, move, at);
  if (!first) return;
  const meanwhile = movesFrom(stage, allowed);
  await first.goOn();
  for (const other of meanwhile) {
    const still = await stopAt(stage, node, move, at);
    await other.make(stage);
    await still?.goOn();
    search.actors.add(other.actor);
    const says = `${move.actor} ${move.says}, which stands still ${metIn(stage)}; ${other.actor} ${other.says}`;
    await arrive(search, node, says, pay(left, other.costs));
    if (other.costs === 'answers' && left.minutes > 0) await outlast(search, node, move, at, other);
  }
}

/** It stands still for longer than its claim: an answer is given, and whoever hears it comes to an end, before it goes on. */
async function outlast(search: Search, node: Node, move: Move, at: number, answer: Move): Promise<void> {
  const { stage } = search;
  const still = await stopAt(stage, node, move, at);
  stage.bench.clock.advance(61_000);
  await answer.make(stage);
  await dueNow(stage);
  await still?.goOn();
  const says = `${move.actor} ${move.says}, which stands still ${metIn(stage)} for a minute; ${answer.actor} ${answer.says}, and is heard`;
  await arrive(search, node, says, pay(pay(pay(node.left, 'stills'), 'minutes'), 'answers'));
}

async function stopAt(stage: Stage, node: Node, move: Move, at: number): Promise<{ goOn(): Promise<void> } | undefined> {
  restore(stage, node);
  stage.bench.fates.plan(at, 'frozen', isChange);
  const still = stage.bench.fates.frozen().then(() => true);
  const going = move.make(stage).then(() => false);
  if (!(await Promise.race([still, going]))) return undefined;
  return {
    async goOn() {
      stage.bench.fates.thaw();
      await going;
    },
  };
}

/** Takes in where a move has led, and judges it. The search goes on from what is new and whole. */
async function arrive(search: Search, from: Node | undefined, says: string, left: Budget): Promise<void> {
  const { stage, known, worlds, rested, found } = search;
  search.moves += 1;
  const seen = see(stage);
  const node: Node = { from, says, left, past: stage.past };
  const tell = (broken: readonly string[]): void => void found.push(...broken.map((breaks) => ({ breaks, story: storyOf(node) })));
  const broken = [...stage.broken, ...(from?.kept ? judgeStep(stage, from.kept.seen, seen) : [])];
  if (broken.length > 0) return tell(broken);

  const world = hashOf(`${settingText(stage.setting)}${canonical(stage.bench)}${pastText(stage.past)}`);
  const lefts = known.get(world) ?? [];
  if (lefts.some((before) => allows(before, left))) return;
  known.set(world, [...lefts, left]);
  search.states += 1;
  worlds.add(world);
  node.kept = { back: stage.bench.keep(), seen };
  search.next.push(node);
  if (rested.has(world) || stage.bench.queues.waiting().length > 0) return;
  rested.add(world);
  stage.broken = [];
  const atRest = await judgeRest(stage);
  tell([...stage.broken, ...atRest]);
}

function restore(stage: Stage, node: Node): void {
  node.kept?.back();
  stage.past = node.past;
  stage.broken = [];
}

/** What can be cut off: nothing is different after a death between two reads. */
const isChange = (name: string): boolean => /write|put|control|lines|send|start|succeed/.test(name);
const metIn = ({ bench }: Stage): string => bench.fates.met()?.slice(0, 160) ?? 'nowhere';
const pay = (left: Budget, costs: keyof Budget | undefined): Budget => (costs === undefined ? left : { ...left, [costs]: left[costs] - 1 });

/** Whether whatever may happen with the second may happen with the first: nothing new lies that way. */
const allows = (first: Budget, second: Budget): boolean => budgets.every((name) => first[name] >= second[name]);
const budgets = Object.keys(nothing) as (keyof Budget)[];

/** What of a setting is no part of the stores, and tells worlds apart all the same. */
const settingText = ({ stack, people, required, recheck, commits }: Setting): string => JSON.stringify([stack, people, required, recheck ?? null, commits]);

const pastText = ({ said, made, moved, refusing, deployed, over, frozen }: Past): string =>
  `${said.map(({ run, q, person, verdict, inTime }) => `${run} ${q} ${person} ${verdict} ${inTime}`).sort()} ${made.size} ${moved} ${refusing} ${deployed} ${over} ${frozen}`;

const storyOf = (node: Node): string[] => [...(node.from ? storyOf(node.from) : []), node.says];

/** What the first commit made is there, where the setting has one, and the next one is asked about; or what followed from there. */
async function begin(stage: Stage): Promise<void> {
  if (stage.setting.commits['zero']) await applyZero(stage);
  const id = await push(stage, 'one');
  const { begins } = stage.setting;
  if (begins === 'asking') await until(stage, async () => (await stage.bench.run(id)).phase === 'awaiting');
  else await quiet(stage);
  stage.past = nothingYet;
  stage.broken = [];
  if (begins === undefined || begins === 'asking') return;
  await approve(stage, 'ann');
  if (begins === 'approved') return;
  await quiet(stage);
  const { phase } = await stage.bench.run(id);
  if (phase !== begins) throw new Error(`the model cannot begin: its run is ${phase}`);
}

async function applyZero(stage: Stage): Promise<void> {
  const id = await push(stage, 'zero');
  await quiet(stage);
  for (const person of stage.setting.people) await approve(stage, person);
  await quiet(stage);
  const { outcome } = await stage.bench.run(id);
  if (outcome !== 'complete') throw new Error(`the model cannot begin: its first run ended ${outcome}`);
  stage.bench.clock.advance(1000);
}

async function approve(stage: Stage, person: string): Promise<void> {
  const approving = movesFrom(stage, { ...stage.setting.budget, answers: 1 }).filter(
    ({ costs, says }) => costs === 'answers' && /^approves .* of one$/.test(says),
  );
  await approving.find(({ actor }) => actor === person)?.make(stage);
}
