/**
 * `npm run test:crash`: every story once more for each fault at each of its port calls (docs/reliability.md). `--list` prints the ids, `--id` tells
 * one of them with its trace, `--seed` plays one seed, `--case` one counterexample of a model. Exits 1 when anything is broken, 2 when it is asked for what there is not.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { cases } from './cases/cases.ts';
import { faults, idsOf } from './enumerate.ts';
import { everyPair } from './pairs.ts';
import type { Verdict } from './replay.ts';
import { playSeed, seedId, seedOf } from './seeds.ts';
import { stepText } from './simulator.ts';
import { stories } from './stories/stories.ts';
import { judgedText, tableOf } from './table.ts';
import { caseId, tellAny } from './tell-any.ts';

/** How many seeds are played beside the enumeration, from 0 on. */
const usualSeeds = 500;

const usage = `usage: npm run test:crash -- [--list] [--id <id>] [--case <name>] [--story <name>]… [--every <n>] [--seed <n>] [--seeds <n>] [--from <n>]

  (nothing)   every id of every story, every pair of workers, every case, and ${usualSeeds} seeds, in ${availableParallelism()} threads
  --list      prints the ids, one a line, and tells none
  --id X      tells one, with every port call it makes, and what came of it
  --case N    plays one counterexample of a model, by its name
  --story S   of this story alone: ${stories.map(({ name }) => name).join(', ')}
  --every N   every Nth id alone; no multiple of ${faults.length}, the number of faults, so that each is drawn
  --seed N    plays one seed, with what befell and every port call
  --seeds N   plays so many seeds, and no ids
  --from N    the first of them, 0 where it is not said
`;

const print = (text: string): void => void process.stdout.write(text);
const say = (text: string): void => void process.stderr.write(text);

// Whoever reads the first lines alone has read enough.
process.stdout.on('error', () => process.exit());

function refuse(why: string): never {
  say(`${why}\n\n${usage}`);
  process.exit(2);
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        list: { type: 'boolean', default: false },
        id: { type: 'string' },
        case: { type: 'string' },
        story: { type: 'string', multiple: true, default: [] },
        every: { type: 'string', default: '1' },
        seed: { type: 'string' },
        seeds: { type: 'string' },
        from: { type: 'string', default: '0' },
        help: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    return refuse((error as Error).message);
  }
}

const options = readOptions();
if (options.help) {
  print(usage);
  process.exit(0);
}

/** A number that was given as text. */
function numberOf(name: 'every' | 'seed' | 'seeds' | 'from', least: number, text = options[name]): number {
  const number = Number(text);
  return Number.isInteger(number) && number >= least ? number : refuse(`--${name} takes a number from ${least} on, not ${text}`);
}

const every = numberOf('every', 1);
// Ids go by call, and fault by fault: other numbers would draw some of the faults alone.
if (every > 1 && every % faults.length === 0)
  refuse(`--every takes no multiple of ${faults.length}, which would draw one of the ${faults.length} faults alone: ${every} is one`);
for (const name of options.story) if (!stories.some((one) => one.name === name)) refuse(`there is no story ${name}`);
if (options.id !== undefined) await tellOne(options.id);
else if (options.case !== undefined) await tellOne(caseId(options.case));
else if (options.seed !== undefined) await tellSeed(numberOf('seed', 0));
else await tellMany();

async function tellOne(id: string): Promise<void> {
  const told = await tellAny(id).catch((error: Error) => refuse(error.message));
  print(`${told.trace.map(stepText).join('\n')}\n\n`);
  judged(id, told);
}

async function tellSeed(seed: number): Promise<void> {
  const played = await playSeed(seed);
  print(`${played.trace.map(stepText).join('\n')}\n\n${played.moves.join('\n')}\n\n`);
  judged(seedId(seed), played);
}

function judged(id: string, { broken, deliveries, befell }: Omit<Verdict, 'id'>): void {
  const held = befell ? 'everything held' : 'nothing befell: it ended before that; and everything held';
  print(broken.length === 0 ? `${id}: ${held}, after ${deliveries} deliveries\n` : `${id} is broken:\n  ${broken.join('\n  ')}\n`);
  process.exitCode = broken.length === 0 ? 0 : 1;
}

/** The command that tells it once more. */
function again(id: string): string {
  return `npm run test:crash -- ${seedOf(id) === undefined ? `--id '${id}'` : `--seed ${seedOf(id)}`}`;
}

async function tellMany(): Promise<void> {
  const chosen = stories.filter(({ name }) => options.story.length === 0 || options.story.includes(name));
  const ids: string[] = [];
  for (const story of chosen) ids.push(...(await idsOf(story)));
  if (options.story.length === 0) ids.push(...(await everyPair()), ...cases.map(({ name }) => caseId(name)));
  const some = ids.filter((_, at) => at % every === 0);
  if (options.list) {
    print(`${some.join('\n')}\n`);
    return;
  }
  const from = numberOf('from', 0);
  const seeds = Array.from({ length: options.seeds === undefined ? (options.story.length > 0 ? 0 : usualSeeds) : numberOf('seeds', 1) }, (_, at) =>
    seedId(from + at),
  );
  const verdicts = await inThreads(options.seeds === undefined ? [...some, ...seeds] : seeds);
  print(`\n${tableOf(verdicts)}`);
  const broken = verdicts.filter((one) => one.broken.length > 0);
  const most = verdicts.reduce((one, other) => (other.deliveries > one.deliveries ? other : one));
  const idle = verdicts.filter((one) => one.broken.length === 0 && !one.befell).length;
  print(`\n${judgedText(verdicts)}\n`);
  print(
    `\n${verdicts.length - broken.length - idle} held, ${broken.length} broken, ${idle} where nothing befell; at most ${most.deliveries} deliveries until rest (${most.id})\n`,
  );
  process.exitCode = broken.length === 0 ? 0 : 1;
}

/** Tells ids side by side, and what is broken as soon as it is known. Dealt out in turns, so that no thread has all of a long story. */
async function inThreads(ids: readonly string[]): Promise<Verdict[]> {
  const count = Math.min(availableParallelism(), ids.length);
  const verdicts: Verdict[] = [];
  const begun = performance.now();
  const told = (verdict: Verdict): void => {
    verdicts.push(verdict);
    if (verdict.broken.length > 0) print(`\n${verdict.id}\n  ${verdict.broken.join('\n  ')}\n  again: ${again(verdict.id)}\n`);
    const progress = `${verdicts.length} of ${ids.length}, ${((performance.now() - begun) / 1000).toFixed(0)} s`;
    if (process.stderr.isTTY && verdicts.length % 50 === 0) say(`\r${progress} `);
    else if (!process.stderr.isTTY && verdicts.length % 2_500 === 0) say(`${progress}\n`);
  };
  const threads = Array.from({ length: count }, (_, part) => {
    const thread = new Worker(new URL('./replay.ts', import.meta.url), { workerData: ids.filter((_id, at) => at % count === part) });
    thread.on('message', told);
    return new Promise<void>((resolve, reject) => thread.on('exit', () => resolve()).on('error', reject));
  });
  await Promise.all(threads);
  if (process.stderr.isTTY) say('\r\u001b[K');
  if (verdicts.length < ids.length) throw new Error(`${ids.length - verdicts.length} ids were never told: a thread ended early`);
  return verdicts;
}
