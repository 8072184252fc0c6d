import { z } from 'zod';
import type { OpCall } from '../../../engine/op.ts';
import { LockkeeperError } from '../../../errors/error.ts';
import { apiOf } from '../api-block.ts';
import { merged, valueAt, withValueAt } from '../pointer.ts';
import { itemIn } from '../resource/locate.ts';
import { type Item, withItem, withoutItem } from './collection.ts';
import type { ItemRecall } from './spec.ts';

/** Writes of the whole collection before it is given up: somebody else writes it, too. */
const mostWrites = 3;

export async function readParent(recall: ItemRecall, call: Pick<OpCall, 'http'>): Promise<unknown> {
  const answer = await call.http.send({ method: 'GET', path: recall.read_path, answer: z.unknown() });
  return recall.list_path === '' && recall.item_path === '' ? answer : itemIn(recall, answer, recall.read_path);
}

export const collectionIn = (recall: ItemRecall, parent: unknown): unknown => valueAt(parent, recall.list_path);

/**
 * Reads, changes and writes the collection until it is as wanted; each time from a fresh look, so that nobody else's item is lost. Runs under
 * the parent's lock: whoever writes in between is no Lockkeeper.
 *
 * @param refuse throws for a first look that forbids the write.
 * @throws LockkeeperError PROVIDER_CONFLICT after three writes that did not stay.
 */
export async function writeUntil(
  recall: ItemRecall,
  call: OpCall,
  isDone: (collection: unknown) => boolean,
  change: { readonly put: Item } | { readonly take: ItemRecall['name'] },
  refuse: (collection: unknown) => void = () => {},
): Promise<unknown> {
  let parent = await readParent(recall, call);
  refuse(collectionIn(recall, parent));
  for (let writes = 0; !isDone(collectionIn(recall, parent)); writes += 1) {
    if (writes === mostWrites) {
      const message = `${recall.path} was written ${mostWrites} times and did not keep the item: somebody else writes it, too.`;
      throw new LockkeeperError({ code: 'PROVIDER_CONFLICT', message, details: { path: recall.path } });
    }
    await write(recall, parent, change, call);
    parent = await readParent(recall, call);
  }
  return collectionIn(recall, parent);
}

/** Sent once: a second sending of a whole collection could write over what somebody did between. */
async function write(recall: ItemRecall, parent: unknown, change: { readonly put: Item } | { readonly take: ItemRecall['name'] }, call: OpCall): Promise<void> {
  const { method, path, content_type: contentType } = recall;
  const encoding = apiOf(call.provider).encoding ?? 'json';
  await call.http.send({
    method,
    path,
    body: bodyOf(recall, parent, change),
    encoding,
    ...(contentType === undefined ? {} : { contentType }),
    idempotent: false,
    answer: z.unknown(),
  });
}

function bodyOf(recall: ItemRecall, parent: unknown, change: { readonly put: Item } | { readonly take: ItemRecall['name'] }): unknown {
  const { send, list_path, shape } = recall;
  const collection = collectionIn(recall, parent);
  // One entry of a map alone: a merge patch (RFC 7396) leaves the others.
  if (shape === 'map' && send === 'field')
    return withValueAt({}, list_path, 'put' in change ? { [String(change.put.name)]: change.put.held } : { [String(change.take)]: null });
  const changed = 'put' in change ? withItem(collection, recall, change.put) : withoutItem(collection, recall, change.take);
  if (send === 'parent') return withValueAt(parent, list_path, changed);
  if (send === 'field') return withValueAt({}, list_path, changed);
  const beside = send.reduce<unknown>((body, field) => {
    const live = valueAt(parent, field);
    return live === undefined ? body : withValueAt(body, field, live);
  }, {});
  return merged(beside, withValueAt({}, list_path, changed));
}
