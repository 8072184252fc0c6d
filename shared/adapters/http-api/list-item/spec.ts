import { z } from 'zod';
import { canonicalJson } from '../../../approvals/canonical-json.ts';
import type { Recall } from '../../../engine/op.ts';
import { isValue, type Resolved, type ResolvedParams, type Value } from '../../../engine/value.ts';
import { LockkeeperError } from '../../../errors/error.ts';
import { scalar } from '../../../plan/value-forms.ts';
import { sha256 } from '../../digest.ts';
import { filled, named } from '../placeholders.ts';
import { partAt, textAt } from '../value-tree.ts';
import { nameValue, variablesOf } from '../variables.ts';
import type { Item } from './collection.ts';

/** How an item is found and removed, without the plan: what the ledger keeps of an `http.list_item`. Of its fields there are names alone. */
const recalled = z.strictObject({
  path: z.string(),
  read_path: z.string(),
  method: z.enum(['PATCH', 'PUT', 'POST']),
  send: z.union([z.enum(['field', 'parent']), z.array(z.string())]),
  item_path: z.string(),
  content_type: z.string().optional(),
  list_path: z.string(),
  shape: z.enum(['array', 'delimited', 'map']),
  separator: z.string().optional(),
  key_field: z.string().optional(),
  name: scalar,
  fields: z.array(z.string()),
  keep: z.literal(true).optional(),
});

export type ItemRecall = z.infer<typeof recalled>;

/** @throws LockkeeperError INTENT_UNRESOLVED where an entry has none, or one of another version. */
export function recallOf(kept: Recall | undefined, key: string): ItemRecall {
  const judged = recalled.safeParse(kept);
  if (judged.success) return judged.data;
  throw new LockkeeperError({ code: 'INTENT_UNRESOLVED', message: `The ledger does not say how ${key} is found.`, details: { key } });
}

export const asRecall = (recall: ItemRecall): Recall => JSON.parse(JSON.stringify(recall)) as Recall;

/** A line of `http.list_item` with its paths filled in. */
export interface ItemSpec {
  readonly key: string;
  readonly label: string;
  readonly recall: ItemRecall;
  /** What the item is to hold, by the name of each part: `item`, `value`, or the item's fields. */
  readonly parts: readonly (readonly [string, Resolved])[];
}

/** @throws LockkeeperError PARAM_INVALID; SECRET_IN_IDENTITY where the item's name is a secret. */
export function itemSpec(params: ResolvedParams): ItemSpec {
  const vars = variablesOf(params);
  const path = filled(textAt(params, 'parent', 'path') ?? '', vars);
  const send = partAt(params, 'parent', 'send');
  const item = partAt(params, 'item') as Resolved;
  const keyField = textAt(params, 'key_field');
  const shape = (textAt(params, 'shape') ?? 'array') as ItemRecall['shape'];
  const given = keyField === undefined ? item : ((item as Record<string, Resolved>)[keyField] as Resolved);
  const name = nameValue(given as Value, keyField === undefined ? 'item' : `item.${keyField}`);
  const recall: ItemRecall = {
    path,
    read_path: filled(textAt(params, 'parent', 'read_path') ?? textAt(params, 'parent', 'path') ?? '', vars),
    method: textAt(params, 'parent', 'method') as 'PATCH',
    send: Array.isArray(send)
      ? send.map((one: Resolved) => String((one as { value: unknown }).value))
      : ((textAt(params, 'parent', 'send') ?? 'field') as 'field'),
    item_path: textAt(params, 'parent', 'item_path') ?? '',
    ...given_('content_type', textAt(params, 'parent', 'content_type')),
    list_path: textAt(params, 'list_path') ?? '',
    shape,
    ...given_('separator', textAt(params, 'separator')),
    ...given_('key_field', keyField),
    name: shape === 'array' ? name : String(name),
    fields: isValue(item) ? [] : Object.keys(item),
    ...(textAt(params, 'destroy') === 'keep' ? { keep: true as const } : {}),
  };
  const key = keyOf(named(textAt(params, 'parent', 'path') ?? '', vars), recall);
  return { key, label: `${textAt(params, 'api') ?? 'http'} ${key}`, recall, parts: partsOf(params, item, shape) };
}

const given_ = <K extends string>(key: K, value: string | undefined) => (value === undefined ? {} : ({ [key]: value } as Record<K, string>));

/** `<parent.path>#<list_path>="item"`. */
export const keyOf = (path: string, { list_path, name }: Pick<ItemRecall, 'list_path' | 'name'>): string => `${path}#${list_path}=${JSON.stringify(name)}`;

function partsOf(params: ResolvedParams, item: Resolved, shape: ItemRecall['shape']): ItemSpec['parts'] {
  if (shape === 'map') return [['value', partAt(params, 'value') as Resolved]];
  return isValue(item) ? [['item', item]] : Object.entries(item as Record<string, Resolved>);
}

/** The hash of an item: of itself, of the fields that the plan says, or of an entry's value. */
export function hashOf({ key_field, fields }: ItemRecall, { held }: Item): string {
  if (key_field === undefined) return sha256(canonicalJson(held));
  const live = held as Record<string, unknown>;
  return sha256(canonicalJson([...fields].sort().map((field) => [field, Object.hasOwn(live, field) ? live[field] : null])));
}
