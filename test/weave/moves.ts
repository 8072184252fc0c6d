/** What happens beside people's saves: the world, the schedule, and the messages that are on their way. */
import { told } from '../../shared/dashboard/dashboard-bench.fixture.ts';
import { askForScans } from '../../shared/scans/ask-for-scans.ts';
import { approve, commitAs, runsOf } from './house.ts';
import { note, type Stage, save } from './stage.ts';

type Move = (stage: Stage) => Promise<void> | void;

/** Somebody at the console gives a thing another value, gives it back, or takes it away. */
export function consoleEdit(stage: Stage): void {
  const { house, random } = stage;
  const name = random.one(['x', 'y']);
  if (random.chance(0.15)) {
    note(stage, `the console deletes ${name}`);
    house.bench.provider.remove(name);
    return;
  }
  const value = random.chance(0.2) ? (house.wanted.get(name) ?? '') : `by hand ${++stage.edits}`;
  note(stage, `the console writes ${name}=${value}`);
  house.bench.provider.edit(name, value);
}

/** The default branch moves on, with another plan or the same one; now and then its webhook is lost. */
async function push(stage: Stage): Promise<void> {
  const { house, random } = stage;
  const commit = `s${stage.seed}c${++stage.commits}`;
  if (random.chance(0.7)) house.wanted.set(random.one(['x', 'y']), `${10 + stage.commits}`);
  commitAs(house, commit);
  const heard = random.chance(0.6);
  note(stage, `push ${commit}: ${[...house.wanted].join(' ')}${heard ? '' : ', of which nobody hears'}`);
  if (heard) await house.bench.push(commit);
}

async function schedule(stage: Stage): Promise<void> {
  const { bench } = stage.house;
  note(stage, 'the schedule asks for scans');
  bench.clock.advance(3_600_000 - (bench.clock.now() % 900_000));
  await askForScans(bench.world(), bench.clock.now()).catch((error: unknown) => note(stage, `the schedule: ${String(error)}`));
}

async function command(stage: Stage): Promise<void> {
  const { bench, environments } = stage.house;
  const environment = stage.random.one(environments);
  note(stage, `a terminal applies ${environment}`);
  const at = { intent: 'apply', environment, scope: 'main', branch: 'main' } as const;
  await bench.command({ ...at, commit: tip(stage), triggeredBy: 'alex' }).catch((error: unknown) => note(stage, `the terminal: ${String(error)}`));
}

/** Names are hashed into commits: the tip's own name is what the bench asks for. */
const tip = ({ seed, commits }: Stage): string => (commits === 0 ? 'c0' : `s${seed}c${commits}`);

async function decideSome(stage: Stage): Promise<void> {
  const { bench } = stage.house;
  const asking = runsOf(bench).find(({ phase }) => phase === 'awaiting');
  if (!asking) return;
  note(stage, `kim approves run ${asking.id.slice(0, 8)} in a comment`);
  await approve(bench, asking);
}

async function webhook(stage: Stage): Promise<void> {
  const { webhooks, random, house } = stage;
  if (webhooks.length === 0) return;
  const [login = ''] = webhooks.splice(random.below(webhooks.length), 1);
  note(stage, `the webhook of ${login}'s save arrives`);
  await told(house.bench, login);
}

async function sweep(stage: Stage): Promise<void> {
  note(stage, 'the sweep');
  await stage.house.bench.sweepOnce();
}

/** By how often they come. */
export const moves: readonly Move[] = [save, save, save, save, webhook, webhook, webhook, consoleEdit, consoleEdit, push, schedule, command, decideSome, sweep];

/** A tip's plan and the world, as they begin: something has drifted, or is pending, in most interleavings, and has been found. */
export async function begin(stage: Stage): Promise<void> {
  const { random, house } = stage;
  if (random.chance(0.8)) consoleEdit(stage);
  if (random.chance(0.4)) {
    house.wanted.set(random.one(['x', 'y']), '7');
    commitAs(house, `s${stage.seed}c${++stage.commits}`);
    note(stage, 'a commit of which nobody hears');
  }
  if (random.chance(0.9)) await schedule(stage);
  await house.bench.quiet();
}
