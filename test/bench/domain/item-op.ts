import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Applied, LiveResource, Op, OpCall, OpRegistry, Reading, ResourceChange } from '../../../shared/engine/op.ts';
import { fieldHashes, isValue, type ResolvedParams } from '../../../shared/engine/value.ts';
import { value } from '../../../shared/plan/value-forms.ts';
import { type Item, item } from './item-provider.ts';

type Live = ReadonlyMap<string, Item>;

const params = z.strictObject({
  name: z.string(),
  text: value(z.string()),
  /** How many resources the line has. */
  count: z.int().min(1).default(1),
});

const known = (given: ResolvedParams, name: string): string => {
  const found = given[name];
  return found !== undefined && isValue(found) && found.kind === 'known' ? String(found.value) : '';
};
const keysOf = (given: ResolvedParams): string[] => Array.from({ length: Number(known(given, 'count') || 1) }, (_, at) => `${known(given, 'name')}.${at}`);
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const resourceOf = ({ key, id, text, createdAt }: Item): LiveResource => ({ key, id, hash: hashOf(text), label: `item ${key}`, createdAt });

const look = (keys: readonly string[], call: OpCall): Promise<Item[]> =>
  call.http.send({ method: 'GET', path: 'items', query: { keys: keys.join(',') }, answer: z.array(item) });

async function read(given: ResolvedParams, call: OpCall): Promise<Reading<Live>> {
  const found = await look(keysOf(given), call);
  return { resources: found.map(resourceOf), outputs: outputsOf(found), live: new Map(found.map((one) => [one.key, one])) };
}

const outputsOf = ([first]: readonly Item[]): Record<string, string> => (first ? { id: first.id } : {});

function diff(given: ResolvedParams, { live }: Reading<Live>): ResourceChange[] {
  const text = known(given, 'text');
  return keysOf(given).map((key): ResourceChange => {
    const there = live.get(key);
    const kind = there === undefined ? 'create' : there.text === text ? 'unchanged' : 'update';
    const before = there ? ({ state: 'literal', value: there.text } as const) : ({ state: 'absent' } as const);
    const hashes = fieldHashes(there?.text, { kind: 'known', value: text, sensitive: false });
    const fields = kind === 'unchanged' ? [] : [{ path: 'text', before, after: { state: 'literal', value: text } as const, ...hashes }];
    return { key, kind, label: `item ${key}`, hash: hashOf(text), fields };
  });
}

async function apply(given: ResolvedParams, { live }: Reading<Live>, changes: readonly ResourceChange[], call: OpCall): Promise<Applied> {
  const text = known(given, 'text');
  const made: Item[] = [];
  for (const { key } of changes) made.push(await call.http.send({ method: 'PUT', path: 'items', body: { key, text }, answer: item }));
  const created = changes.filter((change) => change.kind === 'create').map((change) => change.key);
  return { done: true, resources: made.map(resourceOf), created, outputs: outputsOf([...live.values(), ...made]) };
}

/** `bench.item`: as many resources as it is told, one read for all of them and one write for each. */
const op: Op<Live> = {
  adapter: 'bench',
  name: 'item',
  version: 1,
  credentials: [],
  baseUrl: { variable: 'BENCH_API_URL', default: 'https://bench.test' },
  provider: z.strictObject({}),
  params,
  outputs: { id: { available: 'immediate', about: 'Id of the first resource.' } },
  keyParams: ['name', 'count'],
  nothingLive: new Map(),
  defaults: (given) => given,
  writesEnvironment: () => undefined,
  identity: async () => ({ account: 'bench' }),
  read,
  diff,
  apply,
  lookup: async ({ key }, call) => (await look([key], call)).map(resourceOf)[0],
  destroy: async ({ key }, call) => void (await call.http.send({ method: 'DELETE', path: 'items', body: { key }, answer: z.boolean() })),
};

export const itemRegistry: OpRegistry = {
  find: (adapter, name) => (adapter === 'bench' && name === 'item' ? (op as Op) : undefined),
  adapters: () => ['bench'],
  ops: () => ['item'],
};
