/**
 * The NDJSON stream of a read (R3.25): for each read a `drift-start`, its `drift-record` lines and a `drift-settle`, one object per line.
 * This file says what a line is; `fold-stream.ts` says what lines come to.
 */
import { LockkeeperError } from '../errors/error.ts';
import { type Counts, countsOf } from './document.ts';
import { DriftRecordError, driftRecord } from './drift-record.ts';
import { type DriftFields, type DriftRecord, type Engine, type Evidence, engines, type Read, reads, statuses } from './record.ts';
import { isJson, isSharedByRecords, isTime } from './rules.ts';

/** An address that a read is going to report. */
export interface Expected {
  readonly address: string;
  readonly node?: string | null;
  readonly instanceOf?: string;
  readonly resourceType?: string;
}

/** Which read of which member a start or a settle is of. */
export interface ReadOf {
  readonly member: string;
  readonly engine: Engine;
  readonly read: Read;
}

export interface DriftStart extends ReadOf {
  readonly type: 'drift-start';
  readonly drift: 'v1';
  readonly expected: readonly Expected[];
  /** The one address that was asked for. */
  readonly resource?: string;
  readonly fellBackFrom?: string;
  /** RFC 3339. */
  readonly at?: string;
  readonly evidence?: Evidence;
}

export interface DriftSettle extends ReadOf {
  readonly type: 'drift-settle';
  readonly drift: 'v1';
  /** A status with none may be left out. */
  readonly counts: Partial<Counts>;
  /** The engine's own account of what the read cost: carried, never interpreted (R3.26). */
  readonly reads?: unknown;
  readonly at?: string;
  /** Addresses that were expected and not answered. */
  readonly notReached?: unknown;
}

export type DriftLine = DriftStart | { readonly type: 'drift-record'; readonly record: DriftRecord } | DriftSettle;

/** A line with its number, from 1. `unknown`: a type that this version does not know, which says nothing. `cut`: the stream ended within it. */
export type NumberedLine = { readonly number: number } & (DriftLine | { readonly type: 'unknown' } | { readonly type: 'cut' });

/** The first line of a read. */
export const driftStart = (
  of: ReadOf,
  expected: readonly Expected[],
  more: Pick<DriftStart, 'resource' | 'fellBackFrom' | 'at' | 'evidence'> = {},
): DriftStart => ({
  type: 'drift-start',
  drift: 'v1',
  member: of.member,
  engine: of.engine,
  read: of.read,
  expected,
  ...more,
});

/** The last line of a read, with counts of what it told. */
export const driftSettle = (of: ReadOf, records: Iterable<DriftRecord>, more: Pick<DriftSettle, 'reads' | 'at' | 'notReached'> = {}): DriftSettle => ({
  type: 'drift-settle',
  drift: 'v1',
  member: of.member,
  engine: of.engine,
  read: of.read,
  counts: countsOf(records),
  ...more,
});

/** One line of a record. */
export const driftLine = (record: DriftRecord): DriftLine => ({ type: 'drift-record', record });

/** A line as it is written, with its end. */
export function encodeDriftLine(line: DriftLine): string {
  return `${JSON.stringify(line.type === 'drift-record' ? { type: line.type, ...line.record } : line)}\n`;
}

/**
 * Reads one line.
 *
 * @param number from 1: all that an error says about the line (I1).
 * @throws LockkeeperError DRIFT_INPUT_INVALID.
 */
export function decodeDriftLine(text: string, number: number): NumberedLine {
  const given = jsonOf(text, number);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw invalidLine(number, 'it is no JSON object');
  const { type, ...fields } = given as Readonly<Record<string, unknown>>;
  if (typeof type !== 'string') throw invalidLine(number, 'it has no type');
  if (type === 'drift-record') return { number, type, record: readRecord(fields, number) };
  if (type !== 'drift-start' && type !== 'drift-settle') return { number, type: 'unknown' };
  return { number, ...(type === 'drift-start' ? readStart(fields, number) : readSettle(fields, number)) };
}

/** Reads the lines of a stream one after the other. Empty lines are passed over; a last line without its end that is no JSON is a cut. */
export function* decodeDriftLines(text: string): Generator<NumberedLine, void> {
  let number = 0;
  for (let from = text.startsWith('\ufeff') ? 1 : 0; from < text.length; ) {
    number += 1;
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end < 0 ? text.length : end).trim();
    from = end < 0 ? text.length : end + 1;
    if (line === '') continue;
    if (end < 0 && !isWhole(line)) yield { number, type: 'cut' };
    else yield decodeDriftLine(line, number);
  }
}

function isWhole(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

function jsonOf(text: string, number: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidLine(number, 'it is no JSON');
  }
}

function readRecord(fields: unknown, number: number): DriftRecord {
  try {
    // Whatever it is, it is judged there.
    return driftRecord(fields as DriftFields);
  } catch (thrown) {
    if (thrown instanceof DriftRecordError) throw invalidLine(number, `its record breaks the rule ${thrown.rule}`);
    throw thrown;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function readStart(fields: Fields, number: number): DriftStart {
  const { expected } = fields;
  if (!Array.isArray(expected) || !expected.every(isExpected)) throw invalidLine(number, 'it does not list the addresses it expects');
  if (!isSharedByRecords(fields)) throw invalidLine(number, 'what it says for all its records is in no form of a record');
  const addresses = expected.map((one: string | Expected) => (typeof one === 'string' ? { address: one } : one));
  return { ...fields, ...readHead(fields, number), type: 'drift-start', drift: 'v1', expected: addresses };
}

function isExpected(one: unknown): boolean {
  if (typeof one === 'string') return one !== '' && one.isWellFormed();
  if (typeof one !== 'object' || one === null) return false;
  const { address, node, instanceOf, resourceType } = one as Fields;
  return (
    isExpected(address) &&
    typeof address === 'string' &&
    [node, instanceOf, resourceType].every((part) => part === undefined || part === null || isExpected(part))
  );
}

function readSettle(fields: Fields, number: number): DriftSettle {
  const { counts } = fields;
  if (typeof counts !== 'object' || counts === null) throw invalidLine(number, 'it has no counts');
  const given = counts as Fields;
  const numbers = statuses.flatMap((status) => (given[status] === undefined ? [] : [[status, given[status]] as const]));
  if (!numbers.every(([, count]) => Number.isSafeInteger(count) && Number(count) >= 0)) throw invalidLine(number, 'its counts are no numbers');
  return { ...fields, ...readHead(fields, number), type: 'drift-settle', drift: 'v1', counts: Object.fromEntries(numbers) };
}

function readHead(fields: Fields, number: number): ReadOf & { readonly at?: string } {
  const { drift, member, engine, read, at } = fields;
  if (drift !== 'v1') throw invalidLine(number, 'it is not of version `v1`');
  if (!isJson(fields)) throw invalidLine(number, 'it is nested too deep');
  if (typeof member !== 'string' || member === '') throw invalidLine(number, 'it names no member');
  if (at !== undefined && !isTime(at)) throw invalidLine(number, 'its time is none');
  const [known, way] = [engines.find((one) => one === engine), reads.find((one) => one === read)];
  if (known === undefined || way === undefined) throw invalidLine(number, 'its engine or its read is none that is known');
  return { member, engine: known, read: way };
}

/** The error of a line: its number, and never what stands in it. */
export const invalidLine = (number: number, why: string): LockkeeperError =>
  new LockkeeperError({ code: 'DRIFT_INPUT_INVALID', message: `Line ${number} of the drift stream cannot be read: ${why}.`, details: { line: number } });
