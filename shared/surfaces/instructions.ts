import type { ManualTodo } from '../run/report.ts';
import { code, plain, preformatted, prose } from './escape.ts';
import { asksForWord } from './outcome.ts';
import type { Block } from './shorten.ts';
import type { ShownReport } from './shown-report.ts';
import { count } from './words.ts';

/** So many lines of one step's instructions are shown; the whole lies in the receipt. */
const mostLines = 100;

/** The instructions line by line, with nothing in them that a reader cannot see. */
export function instructionLines({ instructions }: Pick<ManualTodo, 'instructions'>): string[] {
  const rows = instructions.split(/\r\n|\r|\n/);
  const shown = rows.slice(0, mostLines).map((row) => `${' '.repeat(indentOf(row))}${plain(row)}`);
  return rows.length > mostLines ? [...shown, `(${count(rows.length - mostLines, 'line')} more in the receipt)`] : shown;
}

/** Indentation says something in Markdown, and in the code inside it. */
const indentOf = (row: string): number => Math.min(40, row.length - row.trimStart().length);

/**
 * What people have to do, one block a line. The instructions are Markdown that somebody else wrote; they are shown as they are written,
 * so that nothing in them can mention anybody, hide text, link elsewhere than it says, or pass for ours.
 */
export function todos(report: ShownReport): Block {
  const items = report.lines.flatMap(({ id, manual }) => (manual ? [todoText(id, manual, report)] : []));
  return { head: '', items, tail: '', left: (n) => `the instructions of ${count(n, 'line')}`, rank: 0, share: 2 / 3 };
}

function todoText(line: string, manual: ManualTodo, report: ShownReport): string {
  const what = manual.action === 'undo' ? 'Undo' : 'To do';
  const head = `\n✋ **${what}** by a person, for line ${code(line)}: ${prose(manual.title)}\n`;
  const body = `\n${preformatted(instructionLines(manual))}\n`;
  if (report.kind === 'plan') return head + body;
  if (!asksForWord(report))
    return `${head}${body}\nNobody confirms it now, since this run has ended: the next run shows the step again, and takes the word for it.`;
  const comment = report.pullRequest === undefined ? '' : `, or comment ${code(`/lockkeeper confirm ${line}`)}`;
  const seen = manual.observable ? ' Lockkeeper also looks by itself whether it is done, whenever it runs.' : '';
  const typed = `${manual.confirm ?? `lockkeeper confirm ${line}`} --stack ${report.stack ?? '<stack>'}`;
  return `${head}${body}\nWhen it is done, type ${code(typed)}${comment}.${seen}`;
}
