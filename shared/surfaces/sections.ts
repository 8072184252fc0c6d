import { codes } from '../errors/codes.ts';
import type { Problem } from '../errors/error.ts';
import { type DriftItem, isRemoval, type LineReport, type RunReport } from '../run/report.ts';
import { deedCounts, deedsOf } from './deeds.ts';
import { code, htmlCode, message, prose } from './escape.ts';
import { badLines, everyProblem, isProblemOf } from './outcome.ts';
import type { Block } from './shorten.ts';
import type { ShownReport } from './shown-report.ts';
import { sideWords } from './side.ts';
import { spoken } from './spoken.ts';
import { changeWord, count, driftWords, isReplaced, type StatusWords, sentence, statusWords, undoOf, wholeMessage, wordsOf } from './words.ts';

/** Refusals and failures: what happened and what to do next, the run's own first. */
export function problems(report: ShownReport): Block {
  const bad = badLines(report);
  const ofRun = report.problem ? everyProblem(report.problem).filter((problem) => !bad.some((line) => isProblemOf(line, problem))) : [];
  const told = (problem: Problem) => problemText(problem, report.pullRequest !== undefined, report.stack);
  const ofLines = bad.map((line) => `- ${code(line.id)} ${statusWords[line.status].word}${line.problem ? `: ${told(line.problem)}` : '.'}`);
  return {
    head: '\n',
    items: [...ofRun.map((problem) => `- ${told(problem)}`), ...ofLines],
    tail: '',
    left: (n) => count(n, 'refusal or failure', 'refusals or failures'),
    rank: 0,
    share: 2 / 3,
  };
}

/** Updates of a failed run that stand as they are (invariant I2). */
export const notUndone = (report: RunReport): Block =>
  list('**Not undone**, these updates stand:', report.notUndone, (n) => `${count(n, 'update')} not undone`, 1);

/** What a run that ended before its end had written, and nothing takes away but a person's word. */
export const stays = (report: ShownReport): Block =>
  list(
    `**Applied before, and stays**; ${message(spoken(`\`${undoOf(report)}\``, report.pullRequest !== undefined, report.stack))} removes what this run created:`,
    report.stays ?? [],
    (n) => `${count(n, 'resource')} that stays`,
    1,
  );

/** What a destroy or a rollback let go of and left where it is; the reason stands behind each name. */
export const kept = (report: RunReport): Block =>
  list(isRemoval(report.kind) ? '**Left alone**, and not managed any more:' : '**Left alone**:', report.kept, (n) => `${count(n, 'resource')} left alone`, 3);

/** One row a line. */
export function lines(report: RunReport): Block {
  const row = (line: LineReport) => {
    const { glyph, word } = plannedWords(line, report);
    const said = isNamedAbove(line, report) ? named(line) : what(line);
    return `| ${glyph} | ${code(line.id)} | ${code(`${line.adapter}.${line.op}`)} | ${word} | ${said} |`;
  };
  return {
    head: '\n| | Line | Op | Status | What |\n|---|---|---|---|---|\n',
    // What nothing is done to stands below what is read.
    items: report.lines.toSorted((one, other) => Number(isIdle(one)) - Number(isIdle(other))).map(row),
    tail: '',
    left: (n) => `${count(n, 'row')} of the table`,
    rank: 2,
  };
}

/** A line that would do more than one thing says how much of each: its status is but the first of them. */
function plannedWords(line: LineReport, report: RunReport): Pick<StatusWords, 'glyph' | 'word'> {
  const words = wordsOf(line, report);
  if (words !== statusWords[line.status] || !planned.has(line.status)) return words;
  const counts = deedCounts(deedsOf(line));
  const { glyph } = isReplaced(line) ? { glyph: '♻️' } : words;
  if (counts.length > 1) return { glyph, word: counts.map(([deed, n]) => `${deed} ${n}`).join(', ') };
  return { glyph, word: isReplaced(line) ? 'replace' : words.word };
}

const planned: ReadonlySet<LineReport['status']> = new Set(['create', 'update', 'delete', 'adopt']);

/** What differs from what the ledger remembers, apart from what the run changes (rule R0.1). */
export function drift(report: RunReport): Block {
  const row = (item: DriftItem) => {
    const [whole, where] = [wholeMessage(item), item.line === undefined ? '' : ` (line ${code(item.line)})`];
    if (whole !== undefined) return `- ${message(whole)}${where}.`;
    return `- ${code(item.resource.label ?? item.resource.key)} ${driftWords[item.kind]}${where}: ${message(item.message)}`;
  };
  return { head: '\n**Drift**\n', items: report.drift.map(row), tail: '', left: (n) => `${count(n, 'drift finding')}`, rank: 3 };
}

export function warnings(report: ShownReport): Block {
  return {
    head: '\n**Warnings**\n',
    items: report.warnings.map((warning) => `- ${problemText(warning, false, report.stack)}`),
    tail: '',
    left: (n) => count(n, 'warning'),
    rank: 4,
  };
}

/** One folded block a line that changes something: attribute by attribute, before and after. */
export function details(report: RunReport): Block {
  const items = report.lines.filter((line) => !isNamedAbove(line, report) && (changesOf(line).length > 0 || hasNotes(line))).map(lineDetails);
  return { head: '', items, tail: '', left: (n) => `the details of ${count(n, 'line')}`, rank: 5 };
}

const hasNotes = ({ notes = {} }: LineReport): boolean => Object.keys(notes).length > 0;

/** A question names everything that it deletes before anything else. */
const isNamedAbove = (line: LineReport, { status, question }: RunReport): boolean =>
  status === 'awaiting' && question !== undefined && !hasNotes(line) && line.status === 'delete' && line.changes.every(isBareDeletion);

const isBareDeletion = ({ kind, fields }: LineReport['changes'][number]): boolean => kind === 'delete' && fields.length === 0;

const named = ({ changes }: LineReport): string => `${count(changes.length, 'resource')}, named above`;

export function problemText(problem: Problem, onPullRequest = false, stack?: string): string {
  const { file, line, column } = problem.at ?? {};
  const at = file === undefined ? '' : ` at ${code(`${file}:${line}:${column}`)}`;
  return `**${problem.code}**${at}: ${message(sentence(problem.message))} **Next:** ${message(spoken(problem.hint ?? codes[problem.code].hint, onPullRequest, stack))}`;
}

function list(title: string, entries: readonly string[], left: Block['left'], rank: number): Block {
  return { head: `\n${title}\n`, items: entries.map((entry) => `- ${message(entry)}`), tail: '', left, rank };
}

const changesOf = (line: LineReport): LineReport['changes'] => line.changes.filter((change) => change.kind !== 'unchanged');

/** The last cell of a row: what the line waits for, its code, or what it changes; and what it would take over. */
function what(line: LineReport): string {
  const changes = changesOf(line);
  const adopted = changes.filter(({ adopts }) => adopts).map(({ label }) => code(label));
  const taken = adopted.length === 0 ? '' : `, adopt ${adopted.join(', ')}`;
  if (line.waitingFor !== undefined) return `waits for ${prose(line.waitingFor)}${taken}`;
  if (line.waitingOn !== undefined) return `waits for line ${code(line.waitingOn)}${taken}`;
  if (line.problem) return line.problem.code;
  if (line.notes?.['accepted'] !== undefined) return message(line.notes['accepted']);
  if (line.earlier && changes.length === 0) return line.earlier.map((label) => code(label)).join(', ');
  if (line.notes?.['ignored'] !== undefined && changes.length === 0) return message(`ignored: ${line.notes['ignored']}`);
  const named = changes.toSorted((one, other) => weightOf(one) - weightOf(other)).filter((change, at) => at < mostNamed || change.adopts);
  const more = changes.length > named.length ? ` and ${changes.length - named.length} more` : '';
  return `${named.map((change) => `${changeText(change)} ${code(change.label)}`).join(', ')}${more}`;
}

/** As many resources as a row of the table names; the details name all. */
const mostNamed = 3;

/** What is lost or taken over is named before anything else. */
const weightOf = ({ kind, replaces, adopts }: LineReport['changes'][number]): number => (kind === 'delete' || replaces ? 0 : adopts ? 1 : 2);

const isIdle = ({ status, earlier }: LineReport): boolean => status === 'unchanged' && earlier === undefined;

const changeText = (change: LineReport['changes'][number]): string =>
  change.replaces ? (change.createsFirst ? '**create anew and delete**' : '**delete and create**') : changeWord(change);

function lineDetails(line: LineReport): string {
  const changes = changesOf(line);
  // What is deleted has no values that could be shown: its names alone are no table.
  const isBare = changes.every(({ fields }) => fields.length === 0);
  const rows = changes.flatMap((change) => {
    const resource = `${changeText(change)} ${code(change.label)}`;
    if (isBare) return [`- ${resource}`];
    if (change.fields.length === 0) return [`| ${resource} | | | |`];
    return change.fields.map(({ path, before, after }, at) => `| ${at === 0 ? resource : ''} | ${code(path)} | ${sideCell(before)} | ${sideCell(after)} |`);
  });
  const summary = `<summary>${htmlCode(line.id)}: ${changes.length === 0 ? 'notes' : count(changes.length, 'resource')}</summary>`;
  const table = isBare ? ['', ...rows] : ['', '| Resource | Attribute | Before | After |', '|---|---|---|---|', ...rows];
  return ['', '<details>', summary, ...table, ...notes(line), '', '</details>'].join('\n');
}

function notes(line: LineReport): string[] {
  const entries = Object.entries(line.notes ?? {});
  return entries.length === 0 ? [] : ['', ...entries.map(([name, text]) => `- ${prose(name)}: ${message(text)}`)];
}

/** A literal as code; a mark in italics, so that a literal spelled like one is not taken for it. */
function sideCell(side: Parameters<typeof sideWords>[0]): string {
  const words = sideWords(side);
  return 'literal' in words ? code(words.literal) : `*${prose(words.mark)}*`;
}
