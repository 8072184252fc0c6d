import { placeOf } from '../../../shared/drift/address.ts';
import { driftRecord } from '../../../shared/drift/drift-record.ts';
import { anyGraph, nodeOf } from '../../../shared/drift/placement.ts';
import type { DriftRecord } from '../../../shared/drift/record.ts';
import type { ReadAsked } from './read-asked.ts';

/**
 * The records of the one address that was asked for: of a line those of all its resources. One that nothing was found out about is not-observed,
 * and never silently absent (R3.25).
 */
export function only(
  records: readonly DriftRecord[],
  { read, resource: address }: ReadAsked,
  of: { readonly member: string; readonly observedAt: string },
): readonly DriftRecord[] {
  if (address === undefined) return records;
  const found = records.filter((record) => record.address === address || placeOf(record.address)?.instanceOf === address);
  if (found.length > 0) return found;
  const { member, observedAt } = of;
  const place = nodeOf({ member, address }, anyGraph);
  return [driftRecord({ member, engine: 'lockkeeper', address, ...place, observedAt, read, status: 'not-observed', unobserved: { reason: 'not-reached' } })];
}
