import { createHash } from 'node:crypto';
import { canonicalJson } from '../approvals/canonical-json.ts';
import { LockkeeperError } from '../errors/error.ts';
import { DriftRecordError, driftRecord } from './drift-record.ts';
import { type DriftFields, type DriftRecord, type Status, statuses } from './record.ts';
import { isJson } from './rules.ts';

/** Names the JSON Schema of the document; the package ships it as `docs/drift.v1.schema.json`. */
export const driftSchemaId = 'urn:lockkeeper:schema:drift:v1';

export type Counts = Readonly<Record<Status, number>>;

/** What a read of one member came to (R3.13). A version is the word `v1`; within it fields are only added (R3.14). */
export interface DriftDocument {
  readonly $schema: string;
  readonly drift: 'v1';
  /** Version of Lockkeeper that wrote it, where that is known. */
  readonly lockkeeper?: string;
  /** Sorted by member, address and read in code units; one per (member, address, read). */
  readonly records: readonly DriftRecord[];
  /** Records per status, every status present. */
  readonly counts: Counts;
}

/** The document of these records, in whatever order they come; of several with one member, address and read the last one stays. */
export function driftDocument(records: Iterable<DriftRecord>, lockkeeper?: string): DriftDocument {
  const sorted = sortedOnce(records);
  const writer = lockkeeper === undefined ? {} : { lockkeeper };
  return { $schema: driftSchemaId, drift: 'v1', ...writer, records: sorted, counts: countsOf(sorted) };
}

/** Records per status, every status present. */
export function countsOf(records: Iterable<DriftRecord>): Counts {
  const counts = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<Status, number>;
  for (const { status } of records) counts[status] += 1;
  return counts;
}

/** What tells one record from another, as a text. */
export const recordKey = ({ member, address, read }: Pick<DriftFields, 'member' | 'address' | 'read'>): string => JSON.stringify([member, address, read]);

/** One per key, the last one, sorted by member, address and read. */
export function sortedOnce(records: Iterable<DriftRecord>): DriftRecord[] {
  const last = new Map<string, DriftRecord>();
  for (const record of records) last.set(recordKey(record), record);
  return [...last.values()].sort((a, b) => order(a.member, b.member) || order(a.address, b.address) || order(a.read, b.read));
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * SHA-256, hex, of what was found, without when and by what (R3.15). It is evidence in a ledger of whoever keeps the document; no gate is
 * bound to it (R3.16).
 */
export function driftDocumentDigest({ records }: Pick<DriftDocument, 'records'>): string {
  const found = sortedOnce(records).map(({ observedAt: _, evidence: __, ...rest }) => rest);
  return createHash('sha256').update(canonicalJson(found)).digest('hex');
}

/**
 * Reads a document that was written by this version or another one of `v1`. Every record is judged anew; fields that this version does not
 * know are carried, at the document's own level too.
 *
 * @throws LockkeeperError DRIFT_INPUT_INVALID with the place, a JSON pointer, and never with what stands there.
 */
export function parseDriftDocument(text: string): DriftDocument {
  const given = jsonOf(text);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw invalid('', 'it is no JSON object');
  const fields = given as Readonly<Record<string, unknown>>;
  if (fields['drift'] !== 'v1') throw invalid('/drift', 'it is not `v1`, the version this Lockkeeper reads');
  if (!Array.isArray(fields['records'])) throw invalid('/records', 'it is no list');
  if (!isJson(Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'records')))) throw invalid('', 'something in it is nested too deep');
  const records = fields['records'].map(readRecord);
  const document = driftDocument(records);
  if (!isCountOf(fields['counts'], document.counts)) throw invalid('/counts', 'the counts are not those of the records: something was taken out, or added');
  return { ...fields, ...document };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('', 'it is no JSON, or was cut off');
  }
}

function readRecord(given: unknown, index: number): DriftRecord {
  try {
    // Whatever it is, it is judged there.
    return driftRecord(given as DriftFields);
  } catch (thrown) {
    if (thrown instanceof DriftRecordError) throw invalid(`/records/${index}`, `it breaks the rule ${thrown.rule}`);
    throw thrown;
  }
}

const isCountOf = (given: unknown, counts: Counts): boolean =>
  typeof given === 'object' && given !== null && statuses.every((status) => (given as Readonly<Record<string, unknown>>)[status] === counts[status]);

function invalid(pointer: string, why: string): LockkeeperError {
  const at = pointer === '' ? 'the whole document' : pointer;
  return new LockkeeperError({ code: 'DRIFT_INPUT_INVALID', message: `The drift document cannot be read at ${at}: ${why}.`, details: { pointer } });
}
