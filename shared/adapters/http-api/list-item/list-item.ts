import type { Applied, FieldChange, LiveResource, Op, OpCall, Reading, ResourceChange } from '../../../engine/op.ts';
import { fieldHashes, sideOf } from '../../../engine/value.ts';
import { LockkeeperError } from '../../../errors/error.ts';
import { identityOf, provider, providerFor, writesEnvironment } from '../api-block.ts';
import { connection, credentialsFor } from '../auth.ts';
import { orGone } from '../gone.ts';
import { filled } from '../placeholders.ts';
import { asScalar, plain, textAt, whole } from '../value-tree.ts';
import { variablesOf } from '../variables.ts';
import { holds, type Item, itemNamed, itemsOf } from './collection.ts';
import { params } from './params.ts';
import { collectionIn, readParent, writeUntil } from './parent.ts';
import { asRecall, hashOf, type ItemRecall, type ItemSpec, itemSpec, keyOf, recallOf } from './spec.ts';

type Live = { readonly found?: Item };

/** `http.list_item`: one item of a list, a text or a map that is a part of an object, and that others write as well. */
export const listItem: Op<Live> = {
  adapter: 'http',
  name: 'list_item',
  version: 1,
  credentials: [],
  credentialsFor,
  connection,
  provider,
  providerFor,
  params,
  outputs: {},
  keyParams: ['api', 'vars', 'parent', 'item'],
  nothingLive: {},
  defaults: (given) => given,
  writesEnvironment: (_params, block) => writesEnvironment(block),
  identity: async (call) => identityOf(call.provider),
  lockOn: (given) => `object:${filled(textAt(given, 'parent', 'path') ?? '', variablesOf(given)).split('?')[0]}`,
  read,
  diff: (given, { live }) => [changeOf(itemSpec(given), live.found)],
  apply,
  lookup,
  capture: (_key, { live }) => (live.found === undefined ? undefined : { secret: JSON.stringify(live.found.held) }),
  restore: async ({ key, recall }, { secret }, call) => {
    const known = recallOf(recall, key);
    const first: Item = { name: known.name, held: JSON.parse(secret) as unknown };
    await writeUntil(known, call, (collection) => holds(itemNamed(collection, known, known.name) ?? first, first, known), { put: first });
  },
  destroy: async ({ key, recall }, call) => {
    const known = recallOf(recall, key);
    if (known.keep) return;
    await orGone(
      writeUntil(known, call, (collection) => itemNamed(collection, known, known.name) === undefined, { take: known.name }),
      [],
    );
  },
  list: async (given, call) => {
    const { recall } = itemSpec(given);
    const collection = collectionIn(recall, await readParent(recall, call));
    return itemsOf(collection, recall).map((item) => {
      const other = { ...recall, name: item.name };
      const key = keyOf(recall.path, other);
      return liveOf(key, `${textAt(given, 'api') ?? 'http'} ${key}`, other, item);
    });
  },
};

async function read(given: Parameters<Op['read']>[0], call: OpCall): Promise<Reading<Live>> {
  const { key, label, recall } = itemSpec(given);
  const found = itemNamed(collectionIn(recall, await readParent(recall, call)), recall, recall.name);
  return found === undefined ? { resources: [], outputs: {}, live: {} } : { resources: [liveOf(key, label, recall, found)], outputs: {}, live: { found } };
}

async function lookup({ key, id, recall: kept }: Parameters<Op['lookup']>[0], call: OpCall): Promise<LiveResource | undefined> {
  const recall = recallOf(kept, key);
  const parent = await orGone(readParent(recall, call), []);
  const found = parent === undefined ? undefined : itemNamed(collectionIn(recall, parent), recall, recall.name);
  return found === undefined || (id !== undefined && id !== String(found.name)) ? undefined : liveOf(key, key, recall, found);
}

function changeOf(spec: ItemSpec, found: Item | undefined): ResourceChange {
  const { key, label, recall, parts } = spec;
  const known = parts.every(([name, tree]) => whole(tree, name).kind === 'known');
  const wanted = known ? wantedOf(spec) : undefined;
  const base = { key, label, recall: asRecall(recall), ...(wanted ? { hash: hashOf(recall, wanted) } : {}) };
  if (found && wanted && holds(found, wanted, recall)) return { ...base, kind: 'unchanged', fields: [] };
  const fields = parts
    .map(([name, tree]) => fieldChange(name, tree, liveAt(name, found, recall)))
    .filter(({ hashBefore, hashAfter }) => !found || hashBefore !== hashAfter);
  return { ...base, kind: found ? 'update' : 'create', fields };
}

function liveAt(name: string, found: Item | undefined, { key_field }: ItemRecall): unknown {
  if (!found) return undefined;
  return key_field === undefined ? found.held : (found.held as Record<string, unknown>)[name];
}

/** What the item holds is shown to nobody: the API says of no field whether a secret stands in it (R1.106). Its hash is compared. */
function fieldChange(path: string, tree: ItemSpec['parts'][number][1], live: unknown): FieldChange {
  const after = whole(tree, path);
  const before = live === undefined || live === null ? undefined : asScalar(live);
  return { path, before: { state: before === undefined ? 'absent' : 'sensitive' }, after: sideOf(after), ...fieldHashes(before, after) };
}

function wantedOf({ recall, parts }: ItemSpec): Item {
  if (recall.key_field !== undefined) return { name: recall.name, held: Object.fromEntries(parts.map(([name, tree]) => [name, plain(tree, name)])) };
  const [[name, tree] = ['item', undefined]] = parts;
  const held = recall.shape === 'map' && tree !== undefined ? plain(tree, name) : recall.name;
  return { name: recall.name, held };
}

async function apply(given: Parameters<Op['apply']>[0], reading: Reading<Live>, changes: readonly ResourceChange[], call: OpCall): Promise<Applied> {
  const spec = itemSpec(given);
  const { key, label, recall } = spec;
  const kind = changes.find((change) => change.key === key)?.kind ?? 'unchanged';
  if (kind === 'unchanged') return { done: true, resources: reading.resources, created: [], outputs: {} };
  const wanted = wantedOf(spec);
  const isDone = (collection: unknown): boolean => {
    const found = itemNamed(collection, recall, recall.name);
    return found !== undefined && holds(found, wanted, recall);
  };
  const collection = await writeUntil(recall, call, isDone, { put: wanted }, (found) => {
    if (kind === 'create' && itemNamed(found, recall, recall.name)) throw exists(label);
  });
  const found = itemNamed(collection, recall, recall.name) ?? wanted;
  return { done: true, resources: [liveOf(key, label, recall, found)], created: kind === 'create' ? [key] : [], outputs: {} };
}

function liveOf(key: string, label: string, recall: ItemRecall, found: Item): LiveResource {
  return { key, id: String(found.name), hash: hashOf(recall, found), label, recall: asRecall(recall) };
}

const exists = (label: string): LockkeeperError =>
  new LockkeeperError({ code: 'PROVIDER_CONFLICT', message: `${label} is there already, and was not when it was looked for.`, details: { exists: true } });
