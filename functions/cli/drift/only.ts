import { placeOf } from '../../../shared/drift/address.ts';
import { driftRecord } from '../../../shared/drift/drift-record.ts';
import { anyGraph, type MemberGraph, nodeOf } from '../../../shared/drift/placement.ts';
import type { DriftRecord, Engine, Read } from '../../../shared/drift/record.ts';

/**
 * The records of the one address that was asked for: of a line, or a block, those of all its resources. One that nothing was found out about is not-observed,
 * and never silently absent (R3.25).
 */
export function only(
  records: readonly DriftRecord[],
  { read, resource: address }: { readonly read: Read; readonly resource?: string },
  { engine = 'lockkeeper', ...of }: { readonly member: string; readonly observedAt: string; readonly engine?: Engine },
  graph: MemberGraph = anyGraph,
): readonly DriftRecord[] {
  if (address === undefined) return records;
  const block = placeOf(address)?.node;
  // A stack's records have its line as their member.
  const isMember = (record: DriftRecord): boolean => record.member === address && record.member !== of.member;
  const found = records.filter(
    (record) => isMember(record) || record.address === address || (block !== undefined && placeOf(record.address)?.instanceOf === block),
  );
  if (found.length > 0) return found;
  const place = nodeOf({ member: of.member, address }, graph);
  return [driftRecord({ ...of, engine, address, ...place, read, status: 'not-observed', unobserved: { reason: 'not-reached' } })];
}
