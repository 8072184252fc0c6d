/** What each move of a story does. */
import { LockkeeperError } from '../../shared/errors/error.ts';
import type { Thing } from '../ports/example-provider.ts';
import { deliverNext, quiet, thaw } from './delivery.ts';
import { strangerName, textOf } from './plan.ts';
import { again, answer, asking, closePull, command, isOpen, makeOutside, newestRun, otherPull, release, reopenPull, runsOf, type Stage } from './stage.ts';
import type { Move, Revision } from './story.ts';

/** How many messages may be delivered while a story waits for something to happen. */
const patience = 120;

/** Plays one move. */
export async function play(stage: Stage, move: Move): Promise<void> {
  const { bench } = stage;
  const { faults } = bench.provider;
  if (move.do === 'release') return newer(stage, move.revisions);
  if (move.do === 'again') return again(stage);
  if (move.do === 'plan') await command(stage, 'plan');
  if (move.do === 'reconcile') await command(stage, 'apply', true);
  if (move.do === 'close') return close(stage);
  if (move.do === 'reopen') return reopenPull(stage);
  if (move.do === 'answer') return asked(stage, move.verdict, move.by);
  if (move.do === 'deliver') return deliverSome(stage, move);
  if (move.do === 'quiet') return calm(stage);
  if (move.do === 'fate') return meet(stage, move);
  if (move.do === 'thaw') return thaw(stage);
  if (move.do === 'refuse') faults.fail((call) => noted(stage, 'refusal', call.method === move.method), refused, move.times);
  if (move.do === 'silence') faults.loseAnswer((call) => noted(stage, 'lost answer', call.method === move.method), move.effect, move.times);
  if (move.do === 'edit' || move.do === 'remove' || move.do === 'replace' || move.do === 'move') outside(stage, move);
  if (move.do === 'pass') bench.clock.advance(move.seconds * 1000);
  if (move.do === 'sweep') return swept(stage, move.minutes);
  if (move.do === 'deployed' && stage.commit !== '') return bench.deployed(stage.commit, move.state);
  if (move.do === 'takeover') return takeover(stage, move);
  if (move.do === 'other') return other(stage, move.wants);
  if (move.do === 'close other') return closePull(stage, otherPull);
}

async function newer(stage: Stage, revisions: readonly Revision[]): Promise<void> {
  if (isClosed(stage)) return;
  stage.plan = stage.planner.revise(stage.plan, revisions);
  await release(stage);
}

async function deliverSome(stage: Stage, { picks, twice }: Extract<Move, { do: 'deliver' }>): Promise<void> {
  for (const [index, pick] of picks.entries()) if (!(await deliverNext(stage, pick, twice && index % 4 === 0))) return;
}

async function calm(stage: Stage): Promise<void> {
  await quiet(stage);
  recovered(stage);
}

const isClosed = (stage: Stage): boolean => stage.story.where === 'preview' && !isOpen(stage);

const refused = new LockkeeperError({ code: 'PROVIDER_INVALID', message: 'The provider refuses this.' });

/** Whether a planted fault is met; if so, the story remembers. */
function noted(stage: Stage, mark: 'refusal' | 'lost answer', isMet: boolean): boolean {
  if (isMet) stage.marks.add(mark);
  if (isMet && mark === 'lost answer') stage.crashed = true;
  return isMet;
}

/** Closes the pull request; what a crash left, the destroy has to deal with. */
export async function close(stage: Stage): Promise<void> {
  if (stage.crashed && isOpen(stage) && runsOf(stage.bench).some((run) => run.kind === 'apply')) stage.marks.add('destroy after crash');
  await closePull(stage);
}

/** A run that has ended well since has dealt with whatever a crash left. */
function recovered(stage: Stage): void {
  if (newestRun(stage)?.outcome === 'complete') stage.crashed = false;
}

/** Brings the run to its question first, as far as it comes, and answers. */
async function asked(stage: Stage, verdict: 'approve' | 'reject', by?: 'kim' | 'lee'): Promise<void> {
  await until(stage, () => asking(stage) !== undefined);
  await answer(stage, verdict, by);
}

async function meet(stage: Stage, { after, fate, of }: Extract<Move, { do: 'fate' }>): Promise<void> {
  const { fates } = stage.bench;
  fates.plan(after, fate, (name) => of === undefined || name === of);
  for (let left = patience; left > 0 && fates.met() === undefined; left -= 1) if (!(await deliverNext(stage, left % 3))) break;
  const met = fates.met();
  fates.plan(Number.MAX_SAFE_INTEGER, 'before');
  if (met === undefined) return;
  if (fate === 'lost' || fate === 'unsent') stage.marks.add('lost answer');
  else stage.marks.add('crash');
  stage.crashed = true;
}

function outside(stage: Stage, move: Extract<Move, { do: 'edit' | 'remove' | 'replace' | 'move' }>): void {
  const { provider } = stage.bench;
  const there = provider.things();
  const thing = there[move.at % Math.max(1, there.length)] as Thing | undefined;
  if (!thing) return;
  stage.marks.add('edit');
  if (move.do === 'edit') makeOutside(stage, thing.name, textOf(move.n % 5));
  else if (move.do === 'move') {
    stage.moved.add(thing.id);
    provider.rename(thing.name, `${thing.name}-moved-${thing.id}`);
  } else {
    provider.remove(thing.name);
    if (move.do === 'replace') makeOutside(stage, thing.name, move.n % 2 === 0 ? thing.value : textOf(move.n % 5));
  }
}

async function swept(stage: Stage, minutes: number): Promise<void> {
  await thaw(stage);
  const { bench } = stage;
  bench.clock.advance(minutes * 60_000);
  await bench.sweepOnce();
  await quiet(stage);
  recovered(stage);
}

/**
 * Whatever is at work loses its messages for longer than its lease lives, and a newer run takes the scope over: after that both are
 * delivered again, and what stood still goes on.
 */
async function takeover(stage: Stage, { after, revisions }: Extract<Move, { do: 'takeover' }>): Promise<void> {
  if (isClosed(stage)) return;
  const asks = stage.story.where === 'protected';
  if (asks) await asked(stage, 'approve');
  await until(stage, () => heldLeases(stage).length > 0);
  for (let left = after; left > 0 && heldLeases(stage).length > 0; left -= 1) if (!(await deliverNext(stage))) break;
  const holders = heldLeases(stage).map((lease) => lease['holder'] as string);
  if (holders.length === 0) return;
  for (const holder of holders) stage.held.add(holder);
  stage.plan = stage.planner.revise(stage.plan, revisions);
  await release(stage);
  if (asks) await asked(stage, 'approve');
  const took = () => heldLeases(stage).some((lease) => !stage.held.has(lease['holder'] as string));
  await until(stage, took);
  if (took()) {
    stage.marks.add('takeover');
    stage.crashed = true;
  }
  stage.held.clear();
}

const heldLeases = ({ bench }: Stage) => bench.memory.items((item) => item.sk === 'LEASE' && item['released'] !== true);

/** Delivers until something is so, as far as there is patience. */
async function until(stage: Stage, isSo: () => boolean): Promise<void> {
  for (let left = patience; left > 0 && !isSo(); left -= 1) if (!(await deliverNext(stage))) return;
}

/** Another pull request that wants some of the names that are there, and one of its own. */
async function other(stage: Stage, wants: readonly number[]): Promise<void> {
  const { bench, plan } = stage;
  const names = [...plan.flatMap((line) => Object.keys(line.things)), strangerName(0)];
  const wanted = [...new Set(wants.map((want) => names[want % names.length] as string))];
  stage.otherCommit = `o${++stage.commits}`;
  const lines = wanted.map((name, index) => ({ id: `w${index}`, things: { [name]: 'of another' } }));
  bench.pull(otherPull, stage.otherCommit, [{ id: 'own', things: { 'own-thing': '1' } }, ...lines]);
  await bench.event('synchronize', otherPull, stage.otherCommit);
}
