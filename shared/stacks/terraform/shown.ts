import { driftRecord } from '../../drift/drift-record.ts';
import type { Masking } from '../../drift/masking.ts';
import { attributesOf } from '../../drift/readers/disclose.ts';
import { isMarked } from '../../drift/readers/marks.ts';
import { valueAt } from '../../drift/readers/paths.ts';
import { type Place, under } from '../../drift/readers/place.ts';
import type { Shown } from '../../drift/readers/show.ts';
import type { StackChange } from '../tool-work.ts';
import { isUnknown } from './unknown.ts';

/**
 * The values of the attributes that policy lists, where they change. They go the way of a drift record: whatever the document marks
 * anywhere, or has the name of a secret, is left out.
 */
export function shownOf(change: Place, type: string, show: readonly Shown[], masking: Masking): NonNullable<StackChange['shown']> {
  const [before, after, unknown, marksBefore, marksAfter] = ['before', 'after', 'after_unknown', 'before_sensitive', 'after_sensitive'].map(
    (name) => under(change, name).value,
  );
  const differs = show.flatMap((one) => {
    if (one.type !== type || isMarked(marksBefore, one.way) || isMarked(marksAfter, one.way)) return [];
    // What the provider decides is no value yet, and would look like one that goes away.
    if (isUnknown(unknown, one.way)) return [];
    const [was, is] = [valueAt(before, one.way), valueAt(after, one.way)];
    return JSON.stringify(was) === JSON.stringify(is) ? [] : [{ way: one.way, before: was, after: is }];
  });
  if (differs.length === 0) return [];
  const attributes = attributesOf(differs, type, { show });
  const record = driftRecord(masking.mask({ ...anyRecord, attributes }));
  return (record.attributes ?? []).flatMap(({ path, before: was, after: is, sensitive }) =>
    sensitive === true ? [] : [{ path, ...(was === undefined ? {} : { before: was }), ...(is === undefined ? {} : { after: is }) }],
  );
}

const anyRecord = {
  member: 'shown',
  engine: 'terraform',
  address: 'shown.one',
  node: null,
  observedAt: '1970-01-01T00:00:00Z',
  read: 'plan',
  status: 'drifted',
} as const;
