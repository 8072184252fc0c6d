import type { FingerprintKey } from '../../secrets/keys.ts';
import { driftRecord } from '../drift-record.ts';
import type { Masking } from '../masking.ts';
import { type MemberGraph, nodeOf } from '../placement.ts';
import type { DriftFields, DriftRecord, Engine, Evidence, Read } from '../record.ts';
import type { Shown } from './show.ts';

/** What a reader is told beside the document. */
export interface ReaderContext {
  readonly member: string;
  /** When it was read, RFC 3339, where the document does not say. */
  readonly observedAt: string;
  /** The attributes whose values may be shown. */
  readonly show: readonly Shown[];
  /** The key of the fingerprints of the others; without one, they are paths alone. */
  readonly key?: FingerprintKey;
  readonly graph: MemberGraph;
}

/** What one document comes to. */
export interface DriftReading {
  readonly engine: Engine;
  readonly read: Read;
  readonly records: readonly DriftRecord[];
  /** What whoever reads the records has to know of how they came about. Fixed words, nothing of the document. */
  readonly notes: readonly string[];
}

/** What was found of one resource: a record without what is the same for all of them. */
export type Finding = Omit<DriftFields, 'member' | 'engine' | 'node' | 'instanceOf' | 'observedAt' | 'read'> & { readonly observedAt?: string };

export interface Source {
  readonly engine: Engine;
  readonly read: Read;
  readonly evidence: Evidence;
  /** Knows everything that the document marks. */
  readonly masking: Masking;
  readonly notes?: readonly string[];
}

/** The records of the findings of one document, each placed, with what is the same for all filled in, and without anything that is marked. */
export function readingOf(findings: readonly Finding[], source: Source, context: ReaderContext): DriftReading {
  const { engine, read, evidence, masking, notes = [] } = source;
  const records = findings.map(({ evidence: own, observedAt = context.observedAt, ...finding }) => {
    const place = nodeOf({ member: context.member, address: placed(finding.address) }, context.graph);
    return driftRecord(masking.mask({ member: context.member, engine, read, observedAt, ...place, ...finding, evidence: { ...evidence, ...own } }));
  });
  return { engine, read, records, notes };
}

/** What is said of an object that a replacement left behind stands behind its address, and it stands where its address does. */
const deposedForm = /^(.*) \(deposed [0-9a-f]{1,32}\)$/s;
const placed = (address: string): string => deposedForm.exec(address)?.[1] ?? address;

/** The address of what a replacement left behind: a resource may have several, beside itself. */
export const deposedAddress = (address: string, key: string): string => `${address} (deposed ${key})`;
