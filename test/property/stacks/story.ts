/**
 * What may befall a pull request whose plan has a stack, at random: deaths, lost answers, functions that stand still while another run takes the
 * lease, messages twice and out of order, newer commits, a cancel, a tool that dies with its work done, that breaks off, that does not hear, a lock
 * that somebody else has, an edit at what it manages. In the end everything stops going wrong, and one more commit has to put all of it right.
 */
import { readLease } from '../../../shared/lease/lease.ts';
import { readLedgerLine } from '../../../shared/ledger/ledger-line.ts';
import { cancelRun } from '../../../shared/run/cancel.ts';
import type { Fate } from '../../ports/mortal.ts';
import { openStackBench, type StackBench, stackLine } from '../../ports/stack-bench.ts';
import { scopeOf } from '../../ports/workbench.ts';
import { type Random, randomOf } from '../../weave/random.ts';

const scope = scopeOf(7);
const longest = 120;

export interface Told {
  readonly seed: number;
  readonly broken: readonly string[];
  readonly said: readonly string[];
}

interface Telling {
  readonly self: StackBench;
  readonly random: Random;
  readonly said: string[];
  readonly broken: string[];
  readonly runs: string[];
  /** Functions that stand still. */
  readonly still: Promise<void>[];
  commits: number;
  cancels: number;
  /** Nothing goes wrong any more. */
  over: boolean;
}

const planOf = (value: string) => [stackLine('net', { a: value, b: '2' }, { outputs: ['a'] }), { id: 'app', things: { x: { from: 'net.a' } } }];

export async function tellStack(seed: number): Promise<Told> {
  const self = openStackBench();
  const telling: Telling = { self, random: randomOf(seed), said: [], broken: [], runs: [], still: [], commits: 0, cancels: 0, over: false };
  playTool(telling);
  await push(telling, 'opened');
  for (let moves = 0; moves < longest && telling.broken.length === 0; moves += 1) {
    await move(telling);
    await judge(telling);
  }
  if (telling.broken.length === 0) await end(telling);
  return { seed, broken: telling.broken, said: telling.said };
}

/** The tool takes some steps; now and then it is gone with its work done, and its answer with it. */
function playTool(telling: Telling): void {
  const { self, random, said } = telling;
  const { runner } = self.bench;
  const { tool } = runner;
  runner.forgets = true;
  runner.lingers = random.chance(0.5);
  runner.tool = (work, at) => {
    if (at.step < random.below(4)) return 'works';
    const outcome = tool(work, at);
    if (telling.over || !random.chance(0.1)) return outcome;
    said.push(`${at.job} is gone with its answer`);
    return 'dies';
  };
}

async function push({ self: { bench }, said, runs, random }: Telling, action: 'opened' | 'synchronize'): Promise<void> {
  const commit = `commit ${runs.length + 1}`;
  bench.pull(7, commit, planOf(String(random.below(3))));
  runs.push(await bench.event(action, 7, commit));
  said.push(`${commit} is pushed`);
}

async function move(telling: Telling): Promise<void> {
  const { self, random, said } = telling;
  const { bench } = self;
  const which = random.below(100);
  if (which < 62) return deliver(telling);
  undisturbed(telling);
  if (which < 70) {
    const fate = random.one<Fate>(['before', 'after', 'lost', 'unsent', 'frozen', 'frozen']);
    const at = random.below(14);
    bench.fates.plan(at, fate, (name) => !name.startsWith('provider'));
    said.push(`call ${at} from now: ${fate}`);
  } else if (which < 76) await thaw(telling);
  else if (which < 83) {
    bench.clock.advance(random.one([1000, 5000, 20_000, 60_000]));
    said.push('time passes');
  } else if (which < 87) {
    await bench.sweepOnce();
    said.push('the schedule looks');
  } else if (which < 90 && telling.commits < 3) {
    telling.commits += 1;
    await push(telling, 'synchronize');
  } else if (which < 92 && telling.cancels < 1) {
    telling.cancels += 1;
    const run = await bench.run(random.one(telling.runs)).catch(() => undefined);
    if (run && run.phase !== 'done') await cancelRun(bench.world(), run, { name: 'olga' }).catch(() => undefined);
    said.push('olga cancels');
  } else if (which < 94) {
    self.lock = self.lock ? undefined : { who: 'somebody', since: '2026-01-01T00:00:00Z' };
    said.push(self.lock ? 'somebody else takes the tool’s lock' : 'the tool’s lock is free');
  } else if (which < 96) {
    self.breaksAfter = self.breaksAfter === undefined ? 1 : undefined;
    said.push(`applies ${self.breaksAfter ? 'break off' : 'go through'}`);
  } else if (which < 98) {
    bench.runner.deaf = !bench.runner.deaf;
    said.push(bench.runner.deaf ? 'no tool hears that it is to end' : 'tools hear that they are to end');
  } else if (self.state().recorded.has('thing.b')) {
    self.state().live.set('thing.b', 'edited');
    said.push('an edit outside');
  }
}

/** What was planned and has not come is let go: it is for functions that queues start. */
const undisturbed = ({ self: { bench } }: Telling): void => bench.fates.plan(Number.MAX_SAFE_INTEGER, 'before');

async function deliver({ self: { bench }, random, said, still }: Telling): Promise<void> {
  const next = bench.queues.nextAt();
  if (next === undefined) return;
  if (next > bench.clock.now()) bench.clock.set(next);
  const ready = bench.queues.waiting().filter((one) => one.at <= bench.clock.now()).length;
  const message = bench.queues.takeAt(random.below(ready));
  if (!message) return;
  if (random.chance(0.05)) bench.queues.deliver(message, random.below(30));
  const frozen = bench.fates.frozen().then(() => true);
  const delivery = bench.deliver(message, (message as { dead?: boolean }).dead === true);
  const text = message.queue === 'lines' ? `${message.message.line} ${message.message.phase} ${message.message.round}` : 'a control step';
  if (await Promise.race([frozen, delivery.then(() => false)])) {
    still.push(delivery);
    said.push(`${text} stands still: ${bench.fates.met()?.slice(0, 100)}`);
  } else said.push(`${text}${bench.fates.met() ? ` (${bench.fates.met()?.slice(0, 100)})` : ''}`);
}

async function thaw({ self: { bench }, said, still }: Telling): Promise<void> {
  if (still.length === 0) return;
  bench.fates.thaw();
  await Promise.all(still.splice(0));
  said.push('whoever stood still goes on');
}

/** What may never be. */
async function judge({ self: { bench }, broken }: Telling): Promise<void> {
  const writing = bench.runner.processes().filter(({ at, purpose }) => at === 'working' && purpose === 'apply');
  if (writing.length > 1) broken.push(`P9: ${writing.map(({ job }) => job)} are at work at once`);
  const lease = await readLease({ ...bench.world(), table: bench.memory.table }, scope);
  if (!lease || lease.released || lease.sealedAt !== lease.fence) return;
  const late = writing.filter(({ token }) => !token.startsWith(`${lease.holder}-`));
  if (late.length > 0) broken.push(`I9: ${late.map(({ job }) => job)} is at work under the sealed lease of another run`);
}

async function end(telling: Telling): Promise<void> {
  const { self, broken, runs } = telling;
  const { bench } = self;
  telling.over = true;
  Object.assign(self, { lock: undefined, breaksAfter: undefined });
  bench.runner.deaf = false;
  undisturbed(telling);
  await thaw(telling);
  await atRest(telling);
  for (const run of runs) {
    const found = await bench.run(run).catch(() => undefined);
    if (found && found.phase !== 'done') broken.push(`I11: a run rests in ${found.phase}`);
  }
  bench.clock.advance(60_000);
  const { id, outcome } = await bench.release(7, 'the last commit', planOf('9'));
  await atRest(telling);
  const last = await bench.run(id);
  const report = last.report ? await bench.report(id) : undefined;
  if (last.outcome !== 'complete') broken.push(`the last commit ends ${outcome}: ${JSON.stringify(report?.lines ?? last.problem)}`);
  const live = [...self.state().live].map(([name, value]) => `${name}=${value}`).sort();
  if (String(live) !== 'thing.a=9,thing.b=2') broken.push(`the stack holds ${live}`);
  const ledger = await readLedgerLine(bench.memory.table, scope, 'net');
  if (ledger?.external?.ended === undefined) broken.push('P9: a record is open when all is at rest');
  if (ledger?.left) broken.push(`P9: nobody has told what became of ${ledger.left.token}`);
  if (ledger?.entries[0]?.stack?.state?.serial !== self.state().serial) broken.push('the ledger does not know the state that the last apply left');
  await close(telling);
}

/**
 * The pull request is closed. What a first apply made whose answer nobody heard may have been there before: that stays, and the removal names it
 * (ADR 0079). Nothing else does.
 */
async function close({ self, broken, said }: Telling): Promise<void> {
  const { id, outcome } = await self.bench.close(7, 'the last commit');
  if (outcome !== 'complete') broken.push(`the removal ends ${outcome}`);
  if (self.state().live.size === 0) return;
  const { kept = [] } = await self.bench.report(id);
  if (kept.length === 0) broken.push('I8: something of the stack is left, and nobody is told');
  if (!said.some((text) => text.endsWith('is gone with its answer'))) broken.push('I8: something of the stack is left, and every answer was heard');
}

async function atRest({ self: { bench } }: Telling): Promise<void> {
  await bench.quiet();
  for (let times = 0; times < 6; times += 1) await bench.sweep();
}
