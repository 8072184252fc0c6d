import { z } from 'zod';
import { canonicalJson } from '../../../approvals/canonical-json.ts';
import type { Recall } from '../../../engine/op.ts';
import { LockkeeperError } from '../../../errors/error.ts';
import { scalar } from '../../../plan/value-forms.ts';
import { sha256 } from '../../digest.ts';
import { valueAt } from '../pointer.ts';
import { sameJson } from '../value-tree.ts';

/**
 * How an object is found, compared and removed, without the plan: what the ledger keeps of an `http.resource`. Paths are filled in but for
 * `{id}`; of the fields there are names alone.
 */
const recalled = z.strictObject({
  find: z
    .strictObject({ path: z.string(), list_path: z.string(), match: z.record(z.string(), scalar), next: z.string().optional(), cursor_param: z.string() })
    .optional(),
  read: z.string().optional(),
  item_path: z.string(),
  id_path: z.string().optional(),
  fields: z.array(z.string()),
  remove: z.strictObject({ method: z.enum(['DELETE', 'POST']), path: z.string() }).optional(),
  gone: z.array(z.number()),
});

export type ResourceRecall = z.infer<typeof recalled>;

/**
 * What the ledger kept, as it was written.
 *
 * @throws LockkeeperError INTENT_UNRESOLVED where an entry has none, or one of another version: nothing is guessed about what to delete.
 */
export function recallOf(kept: Recall | undefined, key: string): ResourceRecall {
  const judged = recalled.safeParse(kept);
  if (judged.success) return judged.data;
  throw new LockkeeperError({ code: 'INTENT_UNRESOLVED', message: `The ledger does not say how ${key} is found.`, details: { key } });
}

/** As the ledger keeps it: without what is not there. */
export const asRecall = (recall: ResourceRecall): Recall => JSON.parse(JSON.stringify(recall)) as Recall;

/** The hash of an object: of the fields that the plan says, whatever else it holds. */
export const hashOf = (fields: readonly string[], valueIn: (field: string) => unknown): string =>
  sha256(canonicalJson([...fields].sort().map((field) => [field, valueIn(field) ?? null])));

export const hashOfItem = (recall: ResourceRecall, item: unknown): string => hashOf(recall.fields, (field) => valueAt(item, field));

/** Whether an object is the one that `match` names. */
export const isMatch = (recall: ResourceRecall, item: unknown): boolean =>
  Object.entries(recall.find?.match ?? {}).every(([field, wanted]) => sameJson(valueAt(item, field), wanted));
