import { LockkeeperError } from '../../../errors/error.ts';
import type { Scalar } from '../../../plan/types.ts';
import { sameJson } from '../value-tree.ts';

/** How a collection is written, and what tells its items apart. */
export interface Shape {
  readonly shape: 'array' | 'delimited' | 'map';
  readonly separator?: string | undefined;
  /** For a list of maps: the field that tells items apart. */
  readonly key_field?: string | undefined;
}

/** One item: what it is told by, and what it holds: itself, its fields, or an entry's value. */
export interface Item {
  readonly name: Scalar;
  readonly held: unknown;
}

/**
 * The items of a collection, in its order. One that is not there yet is empty.
 *
 * @throws LockkeeperError PROVIDER_RESPONSE for a collection of another kind.
 */
export function itemsOf(collection: unknown, as: Shape): readonly Item[] {
  if (collection === undefined || collection === null) return [];
  if (as.shape === 'map') return Object.entries(mapOf(collection)).map(([name, held]) => ({ name, held }));
  if (as.shape === 'delimited')
    return segmentsOf(collection, as).flatMap((segment) => (segment.trim() === '' ? [] : [{ name: segment.trim(), held: segment.trim() }]));
  return listOf(collection).flatMap((held) => {
    const name = nameOf(held, as);
    return name === undefined ? [] : [{ name, held }];
  });
}

export const itemNamed = (collection: unknown, as: Shape, name: Scalar): Item | undefined => itemsOf(collection, as).find((item) => item.name === name);

/** The collection with the item as it is to be: a new one at the end, one that is there in its place. All others stay as they are, in their order. */
export function withItem(collection: unknown, as: Shape, { name, held }: Item): unknown {
  if (as.shape === 'map') return { ...mapOf(collection ?? {}), [String(name)]: held };
  if (as.shape === 'delimited') {
    const text = textOf(collection ?? '');
    const between = text === '' || text.endsWith(separatorOf(as)) ? '' : separatorOf(as);
    return `${text}${between}${String(name)}`;
  }
  const list = listOf(collection ?? []);
  const at = list.findIndex((one) => nameOf(one, as) === name);
  if (at < 0) return [...list, held];
  return list.map((one, index) => (index === at ? { ...(one as object), ...(held as object) } : one));
}

/** The collection without the item. All others stay as they are, in their order. */
export function withoutItem(collection: unknown, as: Shape, name: Scalar): unknown {
  if (as.shape === 'map') return Object.fromEntries(Object.entries(mapOf(collection ?? {})).filter(([key]) => key !== name));
  if (as.shape === 'delimited')
    return segmentsOf(collection ?? '', as)
      .filter((segment) => segment.trim() !== String(name))
      .join(separatorOf(as));
  return listOf(collection ?? []).filter((one) => nameOf(one, as) !== name);
}

/** Whether an item that is there holds what is wanted: of a map in a list, the fields that are said. */
export function holds(there: Item, wanted: Item, as: Shape): boolean {
  if (as.key_field === undefined) return sameJson(there.held, wanted.held);
  const live = there.held as Record<string, unknown>;
  return Object.entries(wanted.held as object).every(([field, value]) => sameJson(Object.hasOwn(live, field) ? live[field] : undefined, value));
}

const separatorOf = ({ separator = ',' }: Shape): string => separator;
const segmentsOf = (collection: unknown, as: Shape): readonly string[] => (collection === '' ? [] : textOf(collection).split(separatorOf(as)));

function textOf(collection: unknown): string {
  if (typeof collection === 'string') return collection;
  throw otherKind('text');
}

/** What an element of a list is told by; undefined for one that is of another kind. */
function nameOf(held: unknown, { key_field: key }: Shape): Scalar | undefined {
  const name =
    key === undefined ? held : typeof held === 'object' && held !== null && Object.hasOwn(held, key) ? (held as Record<string, unknown>)[key] : undefined;
  return typeof name === 'string' || typeof name === 'number' || typeof name === 'boolean' ? name : undefined;
}

function listOf(collection: unknown): readonly unknown[] {
  if (Array.isArray(collection)) return collection;
  throw otherKind('a list');
}

function mapOf(collection: unknown): Record<string, unknown> {
  if (typeof collection === 'object' && collection !== null && !Array.isArray(collection)) return collection as Record<string, unknown>;
  throw otherKind('a map');
}

const otherKind = (kind: string): LockkeeperError =>
  new LockkeeperError({ code: 'PROVIDER_RESPONSE', message: `What stands at \`list_path\` is not ${kind}: nothing of it is written.` });
