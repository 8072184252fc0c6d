import { z } from 'zod';
import { canonicalJson } from '../../../approvals/canonical-json.ts';
import type { OpCall } from '../../../engine/op.ts';
import { LockkeeperError } from '../../../errors/error.ts';
import { everyPage } from '../../http/pages.ts';
import { orGone } from '../gone.ts';
import { filled } from '../placeholders.ts';
import { valueAt } from '../pointer.ts';
import { isMatch, type ResourceRecall } from './recall.ts';

/** An object as the API has it. `id` is undefined where the answer has none at its usual place, and the line names no other. */
export interface Found {
  readonly item: unknown;
  readonly id: string | undefined;
}

type Call = Pick<OpCall, 'http'>;

/**
 * The object that a line names, or undefined.
 *
 * @throws LockkeeperError PARAM_INVALID when several objects match; PROVIDER_NOT_FOUND when the list itself is not there.
 */
export async function locate(recall: ResourceRecall, call: Call): Promise<Found | undefined> {
  if (recall.find === undefined) return readAt(recall, recall.read ?? '', call);
  const hits = (await listed(recall.find, call)).filter((item) => isMatch(recall, item));
  if (hits.length > 1) {
    const message = `${hits.length} objects at ${recall.find.path} match ${Object.keys(recall.find.match).join(', ')}: \`find.match\` must name one.`;
    throw new LockkeeperError({ code: 'PARAM_INVALID', message, details: { path: recall.find.path } });
  }
  const [hit] = hits;
  if (hit === undefined) return undefined;
  const found = foundIn(recall, hit);
  return recall.read === undefined ? found : readAt(recall, pathWith(recall.read, found.id), call);
}

/** The object with this id, whatever its fields say by now; undefined when it is not there any more. */
export async function locateById(recall: ResourceRecall, id: string, call: Call): Promise<Found | undefined> {
  if (recall.read !== undefined) {
    const found = await readAt(recall, pathWith(recall.read, id), call);
    return found?.id === id ? found : undefined;
  }
  const items = await orGone(listed(recall.find as NonNullable<ResourceRecall['find']>, call), recall.gone);
  return (items ?? []).map((item) => foundIn(recall, item)).find((found) => found.id === id);
}

async function readAt(recall: ResourceRecall, path: string, call: Call): Promise<Found | undefined> {
  const answer = await orGone(call.http.send({ method: 'GET', path, answer: z.unknown() }), recall.gone);
  return answer === undefined ? undefined : foundIn(recall, itemIn(recall, answer, path));
}

/**
 * The object in an answer.
 *
 * @throws LockkeeperError PROVIDER_RESPONSE when there is none at `item_path`.
 */
export function itemIn(recall: Pick<ResourceRecall, 'item_path'>, answer: unknown, path: string): unknown {
  const item = valueAt(answer, recall.item_path);
  if (typeof item === 'object' && item !== null) return item;
  const where = recall.item_path === '' ? '' : ` at \`${recall.item_path}\``;
  throw new LockkeeperError({ code: 'PROVIDER_RESPONSE', message: `The answer of ${path} has no object${where}.`, details: { path } });
}

export function foundIn({ id_path }: ResourceRecall, item: unknown): Found {
  const id = valueAt(item, id_path ?? '/id');
  if (typeof id === 'string' || typeof id === 'number') return { item, id: String(id) };
  if (id_path === undefined) return { item, id: undefined };
  throw new LockkeeperError({ code: 'PROVIDER_RESPONSE', message: `An object has no id at \`${id_path}\`: name its place with \`id_path\`.` });
}

export function pathWith(path: string, id: string | undefined): string {
  if (id !== undefined) return filled(path, { id });
  if (!path.includes('{id}')) return path;
  throw new LockkeeperError({ code: 'PROVIDER_RESPONSE', message: `An object has no id for \`${path}\`: name its place with \`id_path\`.`, details: { path } });
}

function listed(find: NonNullable<ResourceRecall['find']>, call: Call): Promise<readonly unknown[]> {
  const { path, list_path, next, cursor_param } = find;
  return everyPage(
    path,
    (item) => canonicalJson(item),
    async (cursor) => {
      const query = cursor === undefined ? {} : { [cursor_param]: cursor };
      const answer = await call.http.send({ method: 'GET', path, query, answer: z.unknown() });
      const items = valueAt(answer, list_path);
      if (!Array.isArray(items)) {
        const where = list_path === '' ? '' : ` at \`${list_path}\``;
        throw new LockkeeperError({ code: 'PROVIDER_RESPONSE', message: `The answer of ${path} has no list${where}.`, details: { path } });
      }
      const following = next === undefined ? undefined : valueAt(answer, next);
      return { items, next: following === null || following === undefined || following === '' ? undefined : String(following) };
    },
  );
}
