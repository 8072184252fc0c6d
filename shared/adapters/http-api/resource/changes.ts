import type { FieldChange, ResourceChange } from '../../../engine/op.ts';
import { fieldHashes, type Resolved, sideOf } from '../../../engine/value.ts';
import { invalid } from '../../param.ts';
import { valueAt } from '../pointer.ts';
import { asScalar, plain, sameJson, whole } from '../value-tree.ts';
import type { Found } from './locate.ts';
import { asRecall, hashOf } from './recall.ts';
import { isKept, type ResourceSpec, type Wanted } from './spec.ts';

/**
 * What the plan wants of the object, against what is there.
 *
 * @throws LockkeeperError PARAM_INVALID for a difference where the line has no `update`, and for `keep` where nothing is there.
 */
export function changeOf(spec: ResourceSpec, found: Found | undefined): ResourceChange {
  const hash = foretold(spec);
  const base = { key: spec.key, label: spec.label, recall: asRecall(spec.recall), ...(hash === undefined ? {} : { hash }) };
  if (found === undefined) return { ...base, kind: 'create', fields: createFields(spec) };
  const different = spec.fields.filter((wanted) => differs(wanted, found.item));
  if (different.length === 0) return { ...base, kind: 'unchanged', fields: [] };
  if (spec.update === undefined) {
    throw invalid(
      `${spec.label} differs in ${different.map(({ field }) => field).join(', ')}, and the line has no \`update\`: give it one, or say what is there.`,
    );
  }
  return { ...base, kind: 'update', fields: different.map(({ field, tree }) => fieldChange(field, tree, valueAt(found.item, field))) };
}

/** A new object's fields: what names it, what is compared, and what is sent once and never seen again. */
function createFields({ match, fields, create }: ResourceSpec): FieldChange[] {
  const kept = fields.find(({ tree }) => isKept(tree));
  if (kept) throw invalid(`\`fields.${kept.field}\` is \`keep\`, and there is nothing yet that could be kept.`);
  const named = match.map(({ field, value }) => fieldChange(field, { kind: 'known', value, sensitive: false }, undefined));
  const sent = create.body === undefined ? [] : Object.entries(create.body as Record<string, Resolved>);
  return [
    ...named,
    ...fields.map(({ field, tree }) => fieldChange(field, tree, undefined)),
    ...sent.map(([name, tree]) => fieldChange(`create.body.${name}`, tree, undefined)),
  ];
}

/** What the object holds is shown to nobody: the API says of no field whether a secret stands in it (R1.106). Its hash is compared. */
function fieldChange(field: string, tree: Resolved, live: unknown): FieldChange {
  const after = whole(tree, field);
  const before = live === undefined || live === null ? undefined : asScalar(live);
  return { path: field, before: { state: before === undefined ? 'absent' : 'sensitive' }, after: sideOf(after), ...fieldHashes(before, after) };
}

/** What is kept differs never; what is not known yet always. */
function differs({ field, tree }: Wanted, item: unknown): boolean {
  if (isKept(tree)) return false;
  return whole(tree, field).kind !== 'known' || !sameJson(valueAt(item, field), plain(tree, field));
}

/** The fields of an object that are not as the plan says. */
export const notAsWanted = (spec: ResourceSpec, item: unknown): readonly string[] =>
  spec.fields.filter((wanted) => differs(wanted, item)).map(({ field }) => field);

/** The hash the object will have; undefined while a field is not known yet. */
function foretold({ fields, recall }: ResourceSpec): string | undefined {
  const wanted = fields.filter(({ tree }) => !isKept(tree));
  if (wanted.some(({ field, tree }) => whole(tree, field).kind !== 'known')) return undefined;
  const values = new Map(wanted.map(({ field, tree }) => [field, plain(tree, field)]));
  return hashOf(recall.fields, (field) => values.get(field));
}
