import { holdsSensitive, isSensitivePath } from '../drift/sensitive-key.ts';
import type { World } from '../run/world.ts';
import { isAtOrBelow } from '../scans/ignored.ts';
import type { FieldChange, ResourceChange } from './op.ts';

/**
 * Shows what is live of the attributes that policy lists (`drift.show`), where the plan says a value in clear: there nobody keeps a secret on
 * purpose. What looks like one all the same, by its path, by what is in it, or because a run knows it as one, stays hidden (I1, R3.11).
 *
 * @param shows paths, each with all that is below it.
 */
export function reveal({ redactor }: Pick<World, 'redactor'>, shows: readonly string[], change: ResourceChange): ResourceChange {
  if (shows.length === 0) return change;
  const isListed = (path: string) => shows.some((at) => isAtOrBelow(path, at));
  const shown = (field: FieldChange): FieldChange => {
    const { path, before, after, live } = field;
    if (live === undefined || before.state !== 'sensitive' || after.state !== 'literal' || !isListed(path)) return field;
    const value = live();
    const secret = isSensitivePath(path) || holdsSensitive(value) || redactor.contains(String(value));
    return secret ? field : { ...field, before: { state: 'literal', value } };
  };
  return { ...change, fields: change.fields.map(shown) };
}
