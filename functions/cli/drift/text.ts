import type { ReadDocument } from '../../../shared/drift/read-document.ts';
import { wayOf } from '../../../shared/drift/readers/paths.ts';
import { shownText } from '../../../shared/drift/readers/show.ts';
import { type Attribute, type DriftRecord, type Status, statuses, type Unobserved, type UnobservedReason } from '../../../shared/drift/record.ts';
import { type Block, rollUpByBlock, rollUpOrder } from '../../../shared/drift/roll-up.ts';
import { isTime } from '../../../shared/drift/rules.ts';
import { plain } from '../../../shared/surfaces/escape.ts';
import type { Painter } from '../../../shared/surfaces/paint.ts';
import { utc } from '../../../shared/surfaces/words.ts';
import { fitted } from '../../../shared/surfaces/wrap.ts';
import type { Screen } from '../answer.ts';

const marks: Readonly<Record<Status, readonly [mark: string, tone: Parameters<Painter>[0], words: string]>> = {
  'in-sync': ['=', 'done', 'in sync'],
  drifted: ['~', 'bad', 'drifted'],
  pending: ['+', 'open', 'pending'],
  missing: ['-', 'bad', 'missing'],
  unclaimed: ['!', 'bad', 'unclaimed'],
  undeclared: ['*', 'open', 'undeclared'],
  runtime: ['=', 'same', 'runtime'],
  recorded: ['.', 'same', 'recorded'],
  'not-observed': ['?', 'open', 'not observed'],
};

/** Why something was not looked at, or not all of it, as people read it. */
const reasonWords: Readonly<Record<UnobservedReason, string>> = {
  'not-reached': 'the read ended before its turn',
  'read-failed': 'the read failed',
  filtered: 'a flag or a setting leaves it out',
  'cannot-read': 'it cannot be read',
  'in-motion': 'a run was at work on it',
  'preview-failed': 'what it is to be is not known',
};

/** How the rows are set: on a screen of so many columns, with addresses in a column of that width. */
interface Setting {
  readonly paint: Painter;
  readonly columns?: number | undefined;
  readonly width: number;
}

/** The room that the widest status takes behind its address. */
const statusColumns = 18;

/**
 * A drift document as a list for people: what asks for something first. Values stand in it where the document has them.
 *
 * @param next what can be done about it, a way a row.
 */
export function driftText(
  document: ReadDocument,
  { paint, columns }: Pick<Screen, 'paint'> & { readonly columns?: number | undefined },
  next: readonly string[] = [],
): string {
  const { records, counts, member = '' } = document;
  const about = document as ReadDocument & { readonly environment?: unknown; readonly scope?: unknown };
  const where = [about.environment, about.scope].filter((part) => typeof part === 'string').map((part) => plain(part));
  const partly = records.filter(({ status, attributesUnobserved }) => status === 'in-sync' && attributesUnobserved !== undefined).length;
  const found = statuses
    .filter((status) => counts[status] > 0)
    .map((status) => `${counts[status]} ${marks[status][2]}${status === 'in-sync' && partly > 0 ? ` (${partly} not wholly compared)` : ''}`);
  const ofOthers = Map.groupBy(
    records.filter((record) => record.member !== member),
    (record) => record.member,
  );
  const own = ofOthers.size === 0 ? records : records.filter((record) => record.member === member);
  const isOfTool = own.some(({ engine }) => engine !== 'lockkeeper');
  const widest = Math.min(60, (columns ?? Number.POSITIVE_INFINITY) - statusColumns);
  const width = Math.max(
    0,
    records.reduce((most, { address }) => Math.max(most, plain(address).length), 0),
  );
  const setting = { paint, columns, width: Math.max(0, Math.min(widest, width)) };
  const rows = [
    `${isOfTool ? 'Member' : 'Plan'} ${plain(member)}${where.length === 0 ? '' : ` in ${where.join(', scope ')}`}: ${found.length === 0 ? 'nothing to read' : found.join(', ')}`,
    ...(own.length === 0 ? [] : ['']),
    ...(isOfTool ? blockRows(own, setting) : mostUrgentFirst(own).flatMap((record) => recordRows(record, setting))),
    ...[...ofOthers].flatMap(([name, theirs]) => ['', `Stack ${plain(name)}`, ...blockRows(theirs, setting)]),
    ...showWords(records, isOfTool || ofOthers.size > 0, paint),
    ...notesOf(document).flatMap((note) => ['', `${paint('open', '?')} ${plain(note)}`]),
    ...(next.length === 0 ? [] : ['', ...next]),
    '',
  ];
  // An address that is alone on its row is copied as it is.
  return rows.map((row) => (/^\s*\S+ \S+$/.test(row) ? row : fitted(row, columns))).join('\n');
}

/** What a read of a plan says beside its records; that of another tool's document has been said by whoever read it. */
export function notesOf(document: ReadDocument): readonly string[] {
  const { notes, input } = document as ReadDocument & { readonly notes?: readonly string[]; readonly input?: unknown };
  return input === undefined ? (notes ?? []) : [];
}

const mostUrgentFirst = <T extends { readonly status: Status }>(all: readonly T[]): T[] =>
  all.toSorted((a, b) => rollUpOrder.indexOf(a.status) - rollUpOrder.indexOf(b.status));

/** The resources of a stack, each below the block that it is an instance of, where that has several. */
function blockRows(records: readonly DriftRecord[], setting: Setting): string[] {
  const { paint, width } = setting;
  const blocks = rollUpByBlock(records).flatMap((block): Block[] =>
    block.node === null ? block.records.map((record) => ({ ...block, status: record.status, records: [record] })) : [block],
  );
  return mostUrgentFirst(blocks).flatMap((block) => {
    const rows = (indent: string) => mostUrgentFirst(block.records).flatMap((record) => recordRows(record, setting).map((row) => indent + row));
    if (block.records.length === 1) return rows('');
    const [mark, tone, words] = marks[block.status];
    const of = `${block.counts[block.status]} of ${block.records.length} ${words}`;
    return [`${paint(tone, mark)} ${plain(blockName(block)).padEnd(width)}  ${paint(tone, of)}`, ...rows('  ')];
  });
}

/** A block's node without the member and the root before it. */
function blockName({ node, records }: Block): string {
  const [first] = records;
  const member = first?.member ?? '';
  const below = [`${member}/${member}/`, `${member}/`].find((prefix) => node?.startsWith(prefix));
  return below === undefined ? (node ?? '') : (node ?? '').slice(below.length);
}

/** How the values of what differs come to be shown, where there are some that are not. */
function showWords(records: readonly DriftRecord[], isOfTool: boolean, paint: Painter): string[] {
  for (const { resourceType: type, attributes = [] } of records) {
    const hidden = attributes.find(({ before, after, sensitive }) => before === undefined && after === undefined && sensitive !== true);
    const way = hidden === undefined ? undefined : wayOf(hidden.path);
    if (type === undefined || way === undefined) continue;
    const listed = plain(shownText({ type, way }));
    const where = isOfTool ? `you list alone, as with --show '${listed}'` : `lockkeeper.yaml lists in drift.show alone, as ${listed}`;
    return ['', paint('same', `Values are shown of what ${where}.`)];
  }
  return [];
}

function recordRows(record: DriftRecord, { paint, columns, width }: Setting): string[] {
  const [mark, tone, words] = marks[record.status];
  const address = plain(record.address);
  // An address is copied as it is: what has no room behind it stands below it.
  const isLong = columns !== undefined && address.length > width && address.length + words.length + 4 > columns;
  return [
    ...(isLong ? [`${paint(tone, mark)} ${address}`, `    ${paint(tone, words)}`] : [`${paint(tone, mark)} ${address.padEnd(width)}  ${paint(tone, words)}`]),
    ...reasonRows(record, paint),
    ...sinceRows(record, paint),
    ...(record.attributes ?? []).map((attribute) => `    ${plain(attribute.path)}${valuesText(attribute, paint)}`),
  ];
}

/** Why nobody knows how it is; or, of one that was looked at, what of it was not compared. */
function reasonRows({ unobserved, attributesUnobserved }: DriftRecord, paint: Painter): string[] {
  const text = ({ reason, detail }: Unobserved): string => {
    if (detail === undefined) return reasonWords[reason];
    return reason === 'filtered' ? plain(detail) : `${reasonWords[reason]}: ${plain(detail)}`;
  };
  return [
    ...(unobserved === undefined ? [] : [`    ${paint('same', text(unobserved))}`]),
    ...(attributesUnobserved === undefined ? [] : [`    ${paint('same', `not compared: ${text(attributesUnobserved)}`)}`]),
  ];
}

/** Since when, the last clean look, and which run wrote it last, where the read knows. */
function sinceRows({ evidence = {} }: DriftRecord, paint: Painter): string[] {
  const { firstSeen, cleanAt, lastRun, pending } = evidence as Readonly<Record<string, unknown>>;
  const told = [
    ...(isTime(firstSeen) ? [`first seen ${utc(firstSeen)}`] : []),
    ...(isTime(cleanAt) ? [`last clean ${utc(cleanAt)}`] : []),
    ...(typeof lastRun === 'string' ? [`last written by run ${plain(lastRun.slice(0, 12))}`] : []),
    ...(pending === true ? ['it has something pending, too: what was expected is not known in clear'] : []),
  ];
  return told.length === 0 ? [] : [`    ${paint('same', told.join(', '))}`];
}

/** What was expected, and what is there. */
function valuesText({ before, after, sensitive }: Attribute, paint: Painter): string {
  if (sensitive) return `  ${paint('same', '(sensitive)')}`;
  const text = (value: unknown): string => (value === undefined ? '…' : plain(JSON.stringify(value), 200));
  return before === undefined && after === undefined ? '' : `  ${text(before)} → ${text(after)}`;
}
