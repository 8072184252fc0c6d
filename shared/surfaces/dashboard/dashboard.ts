/** The body of the dashboard issue, as a pure function of what is known: no clock, no relative time, the same facts the same bytes. */

import { rootMarker } from '../../dashboard/marker.ts';
import { type Row, type RowState, stateOf } from '../../dashboard/row.ts';
import { codes } from '../../errors/codes.ts';
import type { RunKind } from '../../run/report.ts';
import { code, message, prose } from '../escape.ts';
import { spoken } from '../spoken.ts';
import { count, sentence, utc } from '../words.ts';
import { driftLine, pendingLines, unlisted } from './change-lines.ts';
import type { DashboardFacts, TypedAt } from './facts.ts';
import { counts, picture } from './head.ts';
import { inRoom, type Part, whole } from './room.ts';
import { boxesOf, boxLine } from './row-boxes.ts';
import { alsoText, byText, commitLink, driftText, inStack, notesOf, pendingText, rowName, runName } from './row-words.ts';
import { takesAway, tally } from './tally.ts';

/** GitHub refuses a body over 65,536 characters. */
export const longestBody = 60_000;

/** Who gets room first: what can be acted on before what is only told. */
const rank = {
  head: 0,
  row: { deploying: 1, pending: 2, 'preview-failed': 3, drift: 3, unknown: 4, 'in-sync': 5 },
  freeze: 1,
  destructive: 6,
  changes: 7,
  recent: 8,
} as const;

const sections: readonly { readonly state: RowState; readonly title: string; readonly says?: string }[] = [
  { state: 'deploying', title: 'Deploying' },
  {
    state: 'pending',
    title: 'Pending',
    says: 'Tick a box to have exactly what it names applied. If anything of it has moved by then, nothing is written and the row shows what is new.',
  },
  {
    state: 'drift',
    title: 'Drifted',
    says: 'These were changed outside. **Repair** puts back what was last released, and nothing else. What is gone is made anew, without what was in it.',
  },
  { state: 'preview-failed', title: 'Preview failed' },
  { state: 'unknown', title: 'Not looked at yet' },
  { state: 'in-sync', title: 'In sync' },
];

/**
 * Room is given by rank: names and boxes of rows before what would be deleted, that before the other changes. What is left out is said.
 * Boxes survive every shortening of their row; a row that finds no room is counted.
 */
export function renderDashboard(facts: DashboardFacts, longest = longestBody): string {
  const rows = facts.rows.toSorted(byName);
  const byState = Object.groupBy(rows, stateOf);
  const parts: readonly RowPart[] = [
    whole(`${rootMarker}\n`, rank.head),
    whole(picture(tally(rows), facts.pictures), rank.head),
    whole(counts(tally(rows)), rank.head),
    ...facts.freezes.map(freezeLine),
    whole(`\n${rescanLine(facts)}`, rank.head),
    ...caution(byState),
    ...sections.flatMap(({ state, title, says }) => section(state, title, says, byState[state] ?? [], facts)),
    ...recent(rows),
    whole(`\n---\n<sub>${footer(facts)}</sub>\n`, rank.head),
  ];
  const { text: placed, left } = inRoom(parts, longest - leftOutRoom);
  const text = sections.reduce((body, { state, title }) => withEmpty(body, title, byState[state] ?? [], left), placed);
  const hidden = parts.filter((part) => left.includes(part)).reduce((all, { rows: of = [] }) => all + of.length, 0);
  if (hidden === 0) return text.trimEnd();
  return `${text.trimEnd()}\n\n> [!NOTE]\n> ${count(hidden, 'row')} found no room here: fewer stand below a heading than it counts. ${code(`lockkeeper plan --env <environment>${inStack(facts.at)}`)} and ${code(`lockkeeper drift --env <environment>${inStack(facts.at)}`)} show what is pending and what drifted in one of them.`;
}

/** Room for the sentences about rows without room. */
const leftOutRoom = 900;

/** A heading none of whose rows found room says so: it stands over nothing otherwise. No name or value can make such a line. */
function withEmpty(body: string, title: string, rows: readonly Row[], left: readonly RowPart[]): string {
  const hidden = new Set(left.flatMap((part) => part.rows ?? []));
  if (rows.length === 0 || !rows.every((row) => hidden.has(row))) return body;
  const heading = `\n### ${title} (${rows.length})\n`;
  return body.replace(heading, () => `${heading}\nNone of these found room here.\n`);
}

/** A part that names rows: it is there, or they are counted. */
type RowPart = Part & { readonly rows?: readonly Row[] };

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Names as people count: `web-2` before `web-10`. */
function inCount(a: string, b: string): number {
  const [ours, theirs] = [a, b].map((name) => name.split(/(\d+)/)) as [string[], string[]];
  for (const [at, part] of ours.entries()) {
    const other = theirs[at] ?? '';
    const order = at % 2 === 1 && other !== '' ? Number(part) - Number(other) : compare(part, other);
    if (order !== 0) return order;
  }
  return compare(a, b);
}

type Named = Pick<Row, 'plan' | 'environment' | 'line'>;
const byName = (a: Named, b: Named): number => inCount(a.plan, b.plan) || inCount(a.environment, b.environment) || inCount(a.line ?? '', b.line ?? '');

function section(state: RowState, title: string, says: string | undefined, rows: readonly Row[], facts: DashboardFacts): RowPart[] {
  if (rows.length === 0) return [];
  const heading = whole(`\n### ${title} (${rows.length})\n${says === undefined ? '' : `\n${says}\n`}`, rank.head);
  const silent = state === 'in-sync' ? rows.filter((row) => notesOf(row, facts.at).length === 0) : [];
  if (silent.length <= mostSilent) return [heading, ...rows.flatMap((row, at) => rowParts(row, facts, rows.length - at))];
  const telling = rows.filter((row) => !silent.includes(row));
  return [heading, ...telling.flatMap((row, at) => rowParts(row, facts, telling.length - at)), ...namesAlone(silent)];
}

/** From so many rows on, those in sync of which there is nothing else to say are named alone: what asks for somebody needs the room. */
const mostSilent = 20;

/** So many names in one part: those that find no room are counted. */
const namesAtOnce = 20;

const namesAlone = (rows: readonly Row[]): RowPart[] =>
  Array.from({ length: Math.ceil(rows.length / namesAtOnce) }, (_, at) => {
    const some = rows.slice(at * namesAtOnce, (at + 1) * namesAtOnce);
    return { rows: some, ...whole(`\n${some.map(rowName).join(', ')}${some.at(-1) === rows.at(-1) ? '.' : ','}\n`, rank.row['in-sync']) };
  });

/** A row: its name and boxes as one part that is there or not; then what it would do, folded, as far as there is room. */
function rowParts(row: Row, facts: DashboardFacts, left: number): RowPart[] {
  const state = stateOf(row);
  const head = `\n${headOf(row, facts.at)}\n${notesOf(row, facts.at)
    .map((note) => `\n${note}\n`)
    .join('')}`;
  const boxes = boxesOf(row, facts);
  const named: RowPart = { rows: [row], ...whole(`${head}${boxes.length === 0 ? '' : `\n${boxes.join('')}`}`, rank.row[state]) };
  const { destructive, others } = pendingLines(row);
  const drifted = (row.drift?.resources ?? []).map(driftLine);
  // Of three rows the first gets a third of what is left, the second half of the rest: none takes the room of all that follow.
  const share = 1 / left;
  const what = [
    ...(destructive === '' ? [] : [{ ...whole(`\n${destructive}`, rank.destructive), instead: `\n${unlisted}` }]),
    ...(others.length === 0 ? [] : [fold(`What would be written`, others, share, row.pending?.more)]),
    ...(drifted.length === 0 ? [] : [fold('What drifted', drifted, share, row.drift?.more)]),
  ];
  return [named, ...what.map((part) => ({ ...part, under: named }))];
}

/** Lines behind a fold, as many as fit; the rest is counted. */
function fold(title: string, lines: readonly string[], share: number, more: true | undefined): Part {
  const [open, close] = [`\n<details><summary>${title}</summary>\n\n`, '\n</details>\n'];
  const said = (n: number) => (n === 0 && !more ? '' : `- … and ${n === 0 ? 'more' : `${n} more`} that found no room here\n`);
  const render = (room: number): string | undefined => {
    let left = room - open.length - close.length - said(lines.length).length;
    const kept: string[] = [];
    for (const line of lines) {
      if (line.length > left) break;
      left -= line.length;
      kept.push(line);
    }
    return kept.length === 0 ? undefined : `${open}${kept.join('')}${said(lines.length - kept.length)}${close}`;
  };
  const instead = `\n${title}: ${count(lines.length, 'resource')}${more ? ' and more' : ''}, for which there is no room here.\n`;
  return { rank: rank.changes, share, render, instead };
}

function headOf(row: Row, at: TypedAt): string {
  const name = `**${rowName(row)}**`;
  const { open, failed, pending, drift, seen } = row;
  const asOf = (commit: string | undefined): string => ` · as of commit ${commitLink(commit ?? '')}`;
  switch (stateOf(row)) {
    case 'deploying':
      return `${name} · ${openText(open as NonNullable<Row['open']>)}`;
    case 'preview-failed':
      return `${name} · ${code(failed?.code ?? '')} at ${commitLink(failed?.commit ?? '')}: ${prose(sentence(failed?.message ?? ''), 300)}${nextOf(failed, at)}`;
    case 'pending':
      return `${name} · ${pendingText(pending?.counts ?? {})}${alsoText(row)}${asOf(pending?.commit)}${asking(open)}`;
    case 'drift':
      return `${name} · ${driftText(drift?.counts ?? {})}${asOf(drift?.commit)}`;
    case 'in-sync':
      return `${name}${asOf(seen?.commit)}`;
    case 'unknown':
      return row.unsure ? `${name} · nobody has looked at all of it since its last run` : name;
  }
}

/** What to do about a preview that failed. A code of another version has no hint here. */
const nextOf = (failed: Row['failed'], { stack }: TypedAt): string =>
  failed === undefined || !Object.hasOwn(codes, failed.code) ? '' : ` **Next:** ${message(spoken(codes[failed.code].hint, false, stack))}`;

/** What a run of each kind is doing; a plan and a scan are shown in no row. */
const openWords: Readonly<Record<RunKind, (commit: string) => string>> = {
  plan: (commit) => `plans commit ${commit}`,
  apply: (commit) => `applies commit ${commit}`,
  destroy: () => 'is taking down what was released',
  prune: () => 'is taking resources down',
  recover: () => 'recovers its ledger',
  drift: () => 'looks',
};

const openText = ({ run, kind, commit, by, box, rests, startedAt }: NonNullable<Row['open']>): string => {
  const doing = box === 'repair' ? 'repairs what drifted' : openWords[kind](commitLink(commit));
  const waits = rests === 'waiting' ? ', and waits for an event' : '';
  return `run ${runName(run)} ${doing}${waits} · since ${utc(startedAt)}${byText(by)}`;
};

const asking = (open: Row['open']): string => (open?.rests === 'asking' ? ` · run ${runName(open.run)} asks for a decision` : '');

const freezeLine = ({ environment, until, by, reason }: DashboardFacts['freezes'][number]): Part =>
  whole(`\n🧊 ${code(environment)} is frozen until ${utc(until)} by ${code(by)}: ${prose(sentence(reason), 300)}\n`, rank.freeze);

function rescanLine(facts: DashboardFacts): string {
  const { lookedFor, looking, rescan } = facts;
  const names = [...new Set(looking.toSorted(byName).map(rowName))];
  const now = names.length === 0 ? '' : ` · looking at ${named(names)} now`;
  const last = lookedFor ? ` · last asked for on ${utc(lookedFor.at)}${byText(lookedFor.by)}` : '';
  return boxLine({ box: 'rescan', plan: '', environment: '', ...rescan }, `Look at everything again: nothing is written${last}${now}`, facts);
}

/** Rows that would take something away, by name as far as they fit, above everything else: this is never left out. */
function caution(rows: Partial<Record<RowState, readonly Row[]>>): Part[] {
  const destructive = (rows.pending ?? []).filter(takesAway).map(rowName);
  const gone = (rows.drift ?? []).filter(({ drift }) => (drift?.counts.gone ?? 0) > 0).map(rowName);
  const said = [
    ...(destructive.length === 0 ? [] : [`> What is pending would delete or replace resources: ${named(destructive)}.`]),
    ...(gone.length === 0 ? [] : [`> Resources are gone that were released: ${named(gone)}.`]),
  ];
  return said.length === 0 ? [] : [whole(`\n> [!CAUTION]\n${said.join('\n>\n')}\n`, rank.head)];
}

/** Text that the names of rows may take in the warning. */
const mostNamed = 2_000;

function named(rows: readonly string[]): string {
  let room = mostNamed;
  const end = rows.findIndex((row) => {
    room -= row.length + 2;
    return room < 0;
  });
  if (end === 0) return count(rows.length, 'row');
  return end < 0 ? rows.join(', ') : `${rows.slice(0, end).join(', ')} and ${count(rows.length - end, 'more row')}`;
}

const mostRecent = 10;

/** What was released last, the newest first. */
function recent(rows: readonly Row[]): Part[] {
  const applied = rows.flatMap((row) => (row.applied ? [{ row, ...row.applied }] : []));
  const newest = applied.toSorted((a, b) => compare(b.at, a.at)).slice(0, mostRecent);
  if (newest.length === 0) return [];
  const lines = newest.map(
    ({ row, run, commit, at, by }) => `- ${utc(at)} · ${rowName(row)} · commit ${commitLink(commit)} · run ${runName(run)}${byText(by)}\n`,
  );
  return [whole(`\n### Recently deployed\n\n${lines.join('')}`, rank.recent)];
}

const footer = ({ previews }: DashboardFacts): string =>
  `${previews === 0 ? 'No preview is open' : `${count(previews, 'preview')} of pull requests ${previews === 1 ? 'is' : 'are'} open`} · Lockkeeper writes this page anew whenever something changes; what else is typed here is lost.`;
