import type { ResourceChange } from '../../engine/op.ts';
import { fieldHashes, sideOf, type Value } from '../../engine/value.ts';
import { sha256 } from '../digest.ts';
import { invalid } from '../param.ts';
import { isShared, keptHash, keyOf, type LiveVariables, labelOf, readable, sharedRecord, type VariablePlace, type VariableRecord } from './variable.ts';

/**
 * What a line wants of its variables against what is live.
 *
 * @throws LockkeeperError PARAM_INVALID for `keep` on a variable that is not there, PROVIDER_CONFLICT for a record that covers other environments too.
 */
export function diffVariables(placeFor: (name: string) => VariablePlace, values: readonly [string, Value][], live: LiveVariables): readonly ResourceChange[] {
  return values.map(([name, value]) => {
    const record = live[name];
    return value.kind === 'keep' ? keep(placeFor(name), record) : change(placeFor(name), value, record);
  });
}

function keep(place: VariablePlace, record: VariableRecord | undefined): ResourceChange {
  if (record !== undefined) return { key: keyOf(place), kind: 'unchanged', label: labelOf(place), hash: keptHash, fields: [] };
  throw invalid(`\`values.${place.name}\` is \`keep\`, and there is no such variable for ${place.target} to keep. Create it at Vercel, or give it a value.`);
}

function change(place: VariablePlace, value: Value, record: VariableRecord | undefined): ResourceChange {
  const hash = value.kind === 'known' ? { hash: sha256(String(value.value)) } : {};
  const base = { key: keyOf(place), label: labelOf(place), ...hash };
  const path = `values.${place.name}`;
  if (record === undefined)
    return { ...base, kind: 'create', fields: [{ path, before: { state: 'absent' }, after: sideOf(value), ...fieldHashes(undefined, value) }] };
  if (isShared(record)) throw sharedRecord(place);
  const present = readable(record);
  if (present !== undefined && value.kind === 'known' && String(value.value) === present) return { ...base, kind: 'unchanged', fields: [] };
  const label = present === undefined ? `${base.label}, written again because Vercel does not show its present value (type ${record.type})` : base.label;
  const hidden = present === undefined ? { unreadable: true as const } : {};
  return {
    ...base,
    ...hidden,
    label,
    kind: 'update',
    fields: [{ path, before: { state: 'sensitive' }, after: sideOf(value), ...fieldHashes(present, value) }],
  };
}
