import { driftRecord } from '../drift/drift-record.ts';
import { anyGraph, nodeOf } from '../drift/placement.ts';
import type { DriftFields, DriftRecord, Read } from '../drift/record.ts';

/** What a record says beside whose it is and when it was read. */
export type Said = Pick<DriftFields, 'status'> & Partial<DriftFields>;

/** Makes the records of one read of our own lines: each stands in its plan, by its address. */
export const recordingOf =
  (member: string, read: Read, observedAt: string) =>
  (address: string, resourceType: string, said: Said): DriftRecord =>
    driftRecord({ member, engine: 'lockkeeper', address, resourceType, ...nodeOf({ member, address }, anyGraph), observedAt, read, ...said });
