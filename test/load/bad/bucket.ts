/** Objects in the bucket, damaged: receipts, reports, plans that were approved, at each reader that there is. */
import { latestReceipt, receiptOfRun } from '../../../functions/cli/commands/receipt.ts';
import type { ScopePlace, View } from '../../../functions/cli/commands/view.ts';
import { LockkeeperError } from '../../../shared/errors/error.ts';
import { painter } from '../../../shared/surfaces/paint.ts';
import { scopeKey, scopePath } from '../../../shared/table/keys.ts';
import { answer, askedRun } from '../../ports/people.ts';
import { openWorkbench, repository, type Workbench } from '../../ports/workbench.ts';
import { runsOf } from '../../property/stage.ts';
import type { Random } from '../../weave/random.ts';
import { canaryIn, stackSecrets } from './canaries.ts';
import { codesOf } from './codes-of.ts';
import { damagedText, damagedValue } from './damage.ts';
import type { Answered, Door } from './door.ts';

const chain = [
  { id: 'a', things: { a: { secret: 'env://DATABASE_URL' } } },
  { id: 'b', things: { b: { from: 'a.id' } } },
];
const address = { repository: repository.id, plan: 'main', environment: 'preview', scope: 'pr-7' };
const place = { ...address, key: scopeKey(address), path: scopePath(address) } as unknown as ScopePlace;
const at = { commit: 'two', pullRequest: 7, scope: 'pr-7', branch: 'feat-7' };

/** A scope with two receipts, and a question in production. */
async function settled(): Promise<Workbench> {
  const bench = openWorkbench();
  for (const [name, value] of Object.entries(stackSecrets)) bench.secrets.set(name, value);
  await bench.release(7, 'one', chain);
  bench.clock.advance(1000);
  await bench.release(7, 'two', [...chain, { id: 'c', things: { c: '1' } }]);
  bench.clock.advance(1000);
  await askedRun(bench, [{ id: 'p', things: { p: '1' } }], 'asked');
  return bench;
}

let kept: Promise<{ readonly bench: Workbench; readonly back: () => void }> | undefined;
async function scene(): Promise<Workbench> {
  kept ??= settled().then((bench) => ({ bench, back: bench.keep() }));
  const { bench, back } = await kept;
  back();
  return bench;
}

const typed: View['typed'] = { sim: false, stateDir: '.lockkeeper', local: false };
const screen = { paint: painter(false), colour: false, width: 100 };

type Reader = (bench: Workbench, random: Random) => Promise<string | undefined>;

/** A run that reads it, followed to its end. */
const run =
  (begin: (bench: Workbench) => Promise<string>): Reader =>
  async (bench) => {
    const id = await begin(bench);
    await bench.quiet();
    return id;
  };

const readers: Readonly<Record<string, Reader>> = {
  'the next release': run((bench) => {
    bench.pull(7, 'three', [...chain, { id: 'c', things: { c: '3' } }]);
    return bench.event('synchronize', 7, 'three');
  }),
  'a destroy': run((bench) => {
    const pull = bench.code.pulls.get(7);
    if (pull) bench.code.pulls.set(7, { ...pull, open: false });
    return bench.event('closed', 7, 'two');
  }),
  'recover shows': run((bench) => bench.command({ ...at, intent: 'recover', options: { busy: 'fail' } })),
  'recover does': run((bench) => bench.command({ ...at, intent: 'recover', options: { busy: 'fail', confirmed: true } })),
  'a decision': async (bench) => {
    const asking = runsOf(bench).find(({ phase }) => phase === 'awaiting');
    return asking && (await answer(bench, asking)).id;
  },
  'lockkeeper receipt': async (bench) => {
    (await latestReceipt(storeOf(bench), place, typed)).text(screen);
    return undefined;
  },
  'lockkeeper receipt <run>': async (bench, random) => {
    const { id } = random.one(runsOf(bench).filter(({ report }) => report));
    (await receiptOfRun({ store: storeOf(bench), repository, run: id, typed } as View)).text(screen);
    return undefined;
  },
};

const storeOf = (bench: Workbench): View['store'] => ({ ...bench.world(), objects: bench.bucket.objects });

/** No code of what is stored: a mistake of ours, or a run that died of it. */
const unclear = new Set(['INTERNAL', 'INTERRUPTED']);

async function read(bench: Workbench, name: string, random: Random): Promise<Answered> {
  const said = bench.logged.length;
  try {
    const id = await readers[name]?.(bench, random);
    const raw = bench.logged.slice(said).find(({ level, message }) => level === 'thrown' && !message.startsWith('LockkeeperError'));
    if (raw) return { answer: 'thrown', wrong: raw.message };
    if (!id) return { answer: 'read' };
    const ended = await bench.run(id);
    const codes = codesOf(bench, ended);
    const how = `${ended.outcome ?? ended.phase}${codes.length > 0 ? ` ${codes}` : ''}`;
    if (codes.some((code) => unclear.has(code))) return { answer: how, wrong: JSON.stringify(ended.problem ?? codes) };
    if (ended.outcome === 'failed' && codes.length === 0) return { answer: how, wrong: 'a run failed, and there is no code that says why' };
    return { answer: how };
  } catch (error) {
    if (error instanceof LockkeeperError && !unclear.has(error.code)) return { answer: error.code };
    return { answer: 'thrown', wrong: error instanceof Error ? (error.stack ?? error.message).slice(0, 500) : String(error) };
  }
}

export const objects: Door = {
  name: 'stored object',
  count: 500,
  async send(random) {
    const bench = await scene();
    const latest = bench.bucket.keys().filter((key) => key.endsWith('/latest.json'));
    const key = random.chance(0.6) ? random.one(latest) : random.one(bench.bucket.keys());
    const good = bench.bucket.bodies(key).at(-1) as string;
    const bad = random.chance(0.2) ? damagedText(good, random).toString() : (JSON.stringify(damagedValue(JSON.parse(good), random)) ?? '');
    bench.bucket.plant(key, bad);
    const [name, said] = [random.one(Object.keys(readers)), bench.logged.length];
    const { answer: came, wrong } = await read(bench, name, random);
    const what = `${name}: ${came}`;
    if (wrong) return { answer: what, wrong: `${key}, ${name}: ${wrong}` };
    const leaked = canaryIn([bench.logged.slice(said), [...bench.code.checks], [...bench.code.comments]]);
    if (leaked) return { answer: what, wrong: leaked };
    if (name !== 'a destroy' && !bench.provider.find('a')) return { answer: what, wrong: `${key}, ${name}: damaged, and a thing that is managed was deleted` };
    return { answer: what };
  },
};
