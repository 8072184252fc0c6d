import { codes } from '../errors/codes.ts';
import type { Problem } from '../errors/error.ts';
import type { DriftItem, LineReport, RunReport } from '../run/report.ts';
import { code, htmlCode, prose } from './escape.ts';
import { badLines, everyProblem, isProblemOf } from './outcome.ts';
import type { Block } from './shorten.ts';
import { sideWords } from './side.ts';
import { spoken } from './spoken.ts';
import { changeWord, count, driftWords, isReplaced, sentence, statusWords, undoOf, wholeMessage, wordsOf } from './words.ts';

/** Refusals and failures: what happened and what to do next, the run's own first. */
export function problems(report: RunReport): Block {
  const bad = badLines(report);
  const ofRun = report.problem ? everyProblem(report.problem).filter((problem) => !bad.some((line) => isProblemOf(line, problem))) : [];
  const told = (problem: Problem) => problemText(problem, report.pullRequest !== undefined);
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
export const stays = (report: RunReport): Block =>
  list(
    `**Applied before, and stays**; ${code(undoOf(report))} removes what this run created:`,
    report.stays ?? [],
    (n) => `${count(n, 'resource')} that stays`,
    1,
  );

/** What a destroy or a rollback let go of and left where it is; the reason stands behind each name. */
export const kept = (report: RunReport): Block =>
  list('**Left alone**, and not managed any more:', report.kept, (n) => `${count(n, 'resource')} left alone`, 3);

/** One row a line. */
export function lines(report: RunReport): Block {
  const row = (line: LineReport) => {
    const { glyph, word } = line.status === 'create' && isReplaced(line) ? { glyph: '♻️', word: 'replace' } : wordsOf(line, report);
    return `| ${glyph} | ${code(line.id)} | ${code(`${line.adapter}.${line.op}`)} | ${word} | ${what(line)} |`;
  };
  return {
    head: '\n| | Line | Op | Status | What |\n|---|---|---|---|---|\n',
    items: report.lines.map(row),
    tail: '',
    left: (n) => `${count(n, 'row')} of the table`,
    rank: 2,
  };
}

/** What differs from what the ledger remembers, apart from what the run changes (rule R0.1). */
export function drift(report: RunReport): Block {
  const row = (item: DriftItem) => {
    const [whole, where] = [wholeMessage(item), item.line === undefined ? '' : ` (line ${code(item.line)})`];
    if (whole !== undefined) return `- ${prose(whole)}${where}.`;
    return `- ${code(item.resource.label ?? item.resource.key)} ${driftWords[item.kind]}${where}: ${prose(item.message)}`;
  };
  return { head: '\n**Drift**\n', items: report.drift.map(row), tail: '', left: (n) => `${count(n, 'drift finding')}`, rank: 3 };
}

export function warnings(report: RunReport): Block {
  return {
    head: '\n**Warnings**\n',
    items: report.warnings.map((warning) => `- ${problemText(warning)}`),
    tail: '',
    left: (n) => count(n, 'warning'),
    rank: 4,
  };
}

/** One folded block a line that changes something: attribute by attribute, before and after. */
export function details(report: RunReport): Block {
  const items = report.lines.filter((line) => changesOf(line).length > 0 || Object.keys(line.notes ?? {}).length > 0).map(lineDetails);
  return { head: '', items, tail: '', left: (n) => `the details of ${count(n, 'line')}`, rank: 5 };
}

export function problemText(problem: Problem, onPullRequest = false): string {
  const { file, line, column } = problem.at ?? {};
  const at = file === undefined ? '' : ` at ${code(`${file}:${line}:${column}`)}`;
  return `**${problem.code}**${at}: ${prose(sentence(problem.message))} **Next:** ${prose(spoken(problem.hint ?? codes[problem.code].hint, onPullRequest))}`;
}

function list(title: string, entries: readonly string[], left: Block['left'], rank: number): Block {
  return { head: `\n${title}\n`, items: entries.map((entry) => `- ${prose(entry)}`), tail: '', left, rank };
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
  const [first] = changes;
  if (line.notes?.['accepted'] !== undefined) return `${prose(line.notes['accepted'])}`;
  if (!first) return line.notes?.['ignored'] === undefined ? '' : prose(`ignored: ${line.notes['ignored']}`);
  return changes.length === 1 ? `${changeText(first)} ${code(first.label)}` : `${count(changes.length, 'resource')}: ${code(first.label)}, …${taken}`;
}

const changeText = (change: LineReport['changes'][number]): string => (change.replaces ? '**delete and create**' : changeWord(change));

function lineDetails(line: LineReport): string {
  const changes = changesOf(line);
  const rows = changes.flatMap((change) => {
    const resource = `${changeText(change)} ${code(change.key)}`;
    if (change.fields.length === 0) return [`| ${resource} | | | |`];
    return change.fields.map(({ path, before, after }, at) => `| ${at === 0 ? resource : ''} | ${code(path)} | ${sideCell(before)} | ${sideCell(after)} |`);
  });
  const summary = `<summary>${htmlCode(line.id)}: ${changes.length === 0 ? 'notes' : count(changes.length, 'resource')}</summary>`;
  const table = rows.length === 0 ? [] : ['', '| Resource | Attribute | Before | After |', '|---|---|---|---|', ...rows];
  return ['', '<details>', summary, ...table, ...notes(line), '', '</details>'].join('\n');
}

function notes(line: LineReport): string[] {
  const entries = Object.entries(line.notes ?? {});
  return entries.length === 0 ? [] : ['', ...entries.map(([name, text]) => `- ${prose(name)}: ${prose(text)}`)];
}

/** A literal as code; a mark in italics, so that a literal spelled like one is not taken for it. */
function sideCell(side: Parameters<typeof sideWords>[0]): string {
  const words = sideWords(side);
  return 'literal' in words ? code(words.literal) : `*${prose(words.mark)}*`;
}
