import { sortedOnce } from './document.ts';
import { driftRecord } from './drift-record.ts';
import { type DriftRecord, statuses } from './record.ts';
import { type DriftSettle, type DriftStart, type Expected, invalidLine, type NumberedLine, type ReadOf } from './stream.ts';

/**
 * What makes a stream less than whole. `cut`: it ended before a read settled, or within a line. `miscounted`: a read settled with other
 * counts than its records have. `unknown-type`: a line of a type that this version does not know was passed over.
 */
export interface Doubt {
  readonly what: 'cut' | 'miscounted' | 'unknown-type';
  /** Number of the line, from 1. */
  readonly line: number;
}

export interface Folded {
  /** Sorted, one per member, address and read. */
  readonly records: readonly DriftRecord[];
  /** None: the stream is whole. */
  readonly doubts: readonly Doubt[];
}

/** A read that has begun. */
interface Open {
  readonly start: DriftStart;
  /** By address and read: a later line replaces an earlier one. */
  readonly records: Map<string, DriftRecord>;
}

/**
 * What a stream comes to. An address that was expected and that nobody answered, under any read, is `not-observed`, `not-reached`; so it is
 * where the stream ends too early. A later record replaces an earlier one of the same member, address and read, within a read and after it.
 *
 * @param at RFC 3339: when those were not reached that no line gives a time for.
 * @throws LockkeeperError DRIFT_INPUT_INVALID with the line's number: for a record or a settle of a read that has not begun or is over, and for
 * a second start of one that is open. A stream without any line is none.
 */
export function foldDriftLines(lines: Iterable<NumberedLine>, at: string): Folded {
  const open = new Map<string, Open>();
  const records: DriftRecord[] = [];
  const doubts: Doubt[] = [];
  let last = 0;
  const close = (key: string, read: Open, end: string): void => {
    const beside = [...open.values()].flatMap((other) => [...other.records.values()]);
    records.push(...read.records.values(), ...notReached(read, [...records, ...beside], end));
    open.delete(key);
  };
  for (const line of lines) {
    last = line.number;
    if (line.type === 'cut') break;
    if (line.type === 'unknown') doubts.push({ what: 'unknown-type', line: line.number });
    else if (line.type === 'drift-start') begin(open, line);
    else if (line.type === 'drift-record') tell(open, line.record, line.number);
    else {
      const read = open.get(readKey(line));
      if (read === undefined) throw invalidLine(line.number, 'it settles a read that has not begun');
      if (!agree(line, read)) doubts.push({ what: 'miscounted', line: line.number });
      close(readKey(line), read, line.at ?? read.start.at ?? at);
    }
  }
  if (last === 0) throw invalidLine(1, 'there is none');
  if (open.size > 0) doubts.push({ what: 'cut', line: last });
  for (const [key, read] of [...open]) close(key, read, read.start.at ?? at);
  return { records: sortedOnce(records), doubts };
}

const readKey = ({ member, engine, read }: ReadOf): string => JSON.stringify([member, engine, read]);

function begin(open: Map<string, Open>, start: DriftStart & { readonly number: number }): void {
  if (open.has(readKey(start))) throw invalidLine(start.number, 'it starts a read that has begun and not settled');
  open.set(readKey(start), { start, records: new Map() });
}

/** A record belongs to the open read of its member and its own read; an answer under another read, to whichever is open of the member. */
function tell(open: Map<string, Open>, record: DriftRecord, number: number): void {
  const ofMember = [...open.values()].filter(({ start }) => start.member === record.member);
  const read = ofMember.find(({ start }) => start.read === record.read && start.engine === record.engine) ?? ofMember.at(-1);
  if (read === undefined) throw invalidLine(number, 'it is a record of a read that has not begun, or is over');
  read.records.set(JSON.stringify([record.address, record.read]), record);
}

/** Those that no record answers: one of this read, or one of another read of the member, before it or beside it. */
function notReached({ start, records }: Open, others: Iterable<DriftRecord>, observedAt: string): DriftRecord[] {
  const answered = new Set([...records.values()].map(({ address }) => address));
  for (const { member, read, address } of others) if (member === start.member && read !== start.read) answered.add(address);
  return start.expected.filter(({ address }) => !answered.has(address)).map((expected) => unanswered(start, expected, observedAt));
}

function unanswered({ member, engine, read, fellBackFrom, evidence }: DriftStart, expected: Expected, observedAt: string): DriftRecord {
  const { address, node = null, instanceOf, resourceType } = expected;
  return driftRecord({
    member,
    engine,
    address,
    ...(resourceType === undefined ? {} : { resourceType }),
    node,
    ...(instanceOf === undefined || node === null ? {} : { instanceOf }),
    observedAt,
    read,
    ...(fellBackFrom === undefined ? {} : { fellBackFrom }),
    status: 'not-observed',
    unobserved: { reason: 'not-reached' },
    ...(evidence === undefined ? {} : { evidence }),
  });
}

/** Whether a settle counts what was told. Those that were not reached may be counted by whoever writes it, or not. */
function agree({ counts }: DriftSettle, { start, records }: Open): boolean {
  const told = [...records.values()];
  const missed = new Set(start.expected.map(({ address }) => address));
  for (const { address } of told) missed.delete(address);
  return statuses.every((status) => {
    const count = told.filter((record) => record.status === status).length;
    const said = counts[status] ?? 0;
    return said === count || (status === 'not-observed' && said === count + missed.size);
  });
}
