/** What the stack itself has stored, damaged: receipts at their readers, items of a scope at the next run. */
import { LockkeeperError } from '../../../shared/errors/error.ts';
import { parseReceipt } from '../../../shared/receipts/chain.ts';
import { brokenIn } from '../../../shared/receipts/verify-chain.ts';
import { goodReceipt } from '../../../shared/recover/good-receipt.ts';
import { openWorkbench, type Workbench } from '../../ports/workbench.ts';
import { canaryIn, stackSecrets } from './canaries.ts';
import { damagedText, damagedValue } from './damage.ts';
import type { Answered, Door } from './door.ts';

const chain = [
  { id: 'a', things: { a: { secret: 'env://DATABASE_URL' } } },
  { id: 'b', things: { b: { from: 'a.id' } } },
];

/** A scope with two receipts. */
async function released(): Promise<Workbench> {
  const bench = openWorkbench();
  for (const [name, value] of Object.entries(stackSecrets)) bench.secrets.set(name, value);
  await bench.release(7, 'one', chain);
  bench.clock.advance(1000);
  await bench.release(7, 'two', [...chain, { id: 'c', things: { c: '2' } }]);
  return bench;
}

let kept: Promise<{ readonly bench: Workbench; readonly back: () => void }> | undefined;
const scope = async () => {
  kept ??= released().then((bench) => ({ bench, back: bench.keep() }));
  const { bench, back } = await kept;
  back();
  return bench;
};

/** Clear is an error that the house has words for. */
async function clear(work: () => unknown): Promise<Answered> {
  try {
    await work();
    return { answer: 'read' };
  } catch (error) {
    return error instanceof LockkeeperError
      ? { answer: error.code }
      : { answer: 'thrown', wrong: String(error instanceof Error ? error.stack : error).slice(0, 400) };
  }
}

export const receipts: Door = {
  name: 'receipt',
  count: 500,
  async send(random) {
    const bench = await scope();
    const key = bench.bucket.keys().find((one) => one.endsWith('/latest.json')) as string;
    const bodies = bench.bucket.bodies(key);
    const good = bodies.at(-1) as string;
    const bad = random.chance(0.3) ? damagedText(good, random).toString() : (JSON.stringify(damagedValue(JSON.parse(good), random)) ?? '');
    const read = await clear(() => parseReceipt(bad));
    if (read.wrong) return read;
    const told = await clear(() => brokenIn([bad, ...bodies]));
    if (told.wrong) return told;
    const objects = { ...bench.bucket.objects, get: async () => ({ body: bad, etag: 'e', version: 'v' }) };
    const found = await clear(() => goodReceipt(objects, key.slice('receipts/'.length, -'/latest.json'.length)));
    return found.wrong ? found : read;
  },
};

export const items: Door = {
  name: 'stored item',
  count: 400,
  async send(random) {
    const bench = await scope();
    const all = bench.memory.items().filter(({ sk, pk }) => (pk.startsWith('SCOPE#') && !sk.startsWith('SURFACE')) || (pk.startsWith('RUN#') && sk === 'META'));
    const { pk, sk, ...attributes } = random.one(all);
    const bad = damagedValue(attributes, random);
    if (typeof bad !== 'object' || bad === null || Array.isArray(bad)) return { answer: 'no item: the table would not hold it' };
    await bench.memory.table.write({ pk, sk }, { put: bad as Record<string, unknown> }, { is: 'always' });
    const sent = bench.provider.writes.length;
    bench.pull(7, 'three', [...chain, { id: 'c', things: { c: '3' } }]);
    const said = bench.logged.length;
    try {
      await bench.event('synchronize', 7, 'three');
      await bench.quiet();
    } catch (error) {
      return { answer: 'thrown', wrong: `${pk} ${sk}: ${String(error).slice(0, 300)}` };
    }
    const raw = bench.logged.slice(said).find(({ level, message }) => level === 'thrown' && !/^(LockkeeperError|AnswerLost|Again)/.test(message));
    if (raw) return { answer: 'thrown', wrong: `${pk} ${sk} ${JSON.stringify(bad).slice(0, 160)}: ${raw.message.slice(0, 200)}` };
    const leaked = canaryIn([bench.logged.slice(said), [...bench.code.checks], [...bench.code.comments]]);
    if (leaked) return { answer: 'told', wrong: `${pk} ${sk}: ${leaked}` };
    const gone = bench.provider.find('a') === undefined;
    if (gone) return { answer: 'lost', wrong: `${pk} ${sk}: damaged, and the thing it told of was deleted` };
    return { answer: bench.provider.writes.length > sent ? 'went on' : 'stopped' };
  },
};
