/** What happens beside people's saves: the world, the schedule, and the messages that are on their way. */
import { told } from '../../shared/dashboard/dashboard-bench.fixture.ts';
import { sayFreeze } from '../../shared/freeze/say-freeze.ts';
import { policyFrom } from '../../shared/policy/read.ts';
import { askForScans } from '../../shared/scans/ask-for-scans.ts';
import { repository } from '../ports/workbench.ts';
import { approve, commitAs, policyOf, runsOf } from './house.ts';
import { issueOf, note, type Stage, save } from './stage.ts';

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
  const name = stage.random.one(['kim', 'lee']);
  note(stage, `${name} approves run ${asking.id.slice(0, 8)} in a comment`);
  // Of a question that two have to answer one may have been answered by this person.
  await approve(bench, asking, name).catch((error: unknown) => note(stage, `the comment: ${String(error)}`));
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

/** Somebody freezes an environment for a while, or takes that back. */
async function freezeSome(stage: Stage): Promise<void> {
  const { random, house } = stage;
  const { bench, environments, kind } = house;
  const environment = random.one(environments);
  const said = random.chance(0.5) ? ({ until: '20m', reason: 'the demo' } as const) : 'thaw';
  note(stage, said === 'thaw' ? `the freeze of ${environment} is taken back` : `${environment} is frozen for 20 minutes`);
  const place = { policy: policyFrom(policyOf(kind, environments)), repository, environment };
  const word = { by: { name: 'kim', through: 'github' }, start: `s${stage.seed}w${++stage.slots}`, at: new Date(bench.clock.now()).toISOString() } as const;
  await sayFreeze(bench.world(), place, said, word).catch((error: unknown) => note(stage, `the word: ${String(error)}`));
}

/** Somebody closes the issue, and now and then nobody hears. */
async function closeIssue(stage: Stage): Promise<void> {
  const { bench } = stage.house;
  const heard = stage.random.chance(0.6);
  note(stage, `kim closes the issue${heard ? '' : ', of which nobody hears'}`);
  bench.code.issues.close(issueOf(stage).number);
  if (heard) await told(bench, 'kim', 'closed');
}

/** By how often they come. */
const often: readonly Move[] = [save, save, save, save, webhook, webhook, webhook, consoleEdit, consoleEdit, push, schedule, command, decideSome, sweep];
export const moves: readonly Move[] = [...often, ...often, decideSome, freezeSome, freezeSome, closeIssue];

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
