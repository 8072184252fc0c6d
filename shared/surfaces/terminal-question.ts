import { freezeText } from '../freeze/frozen.ts';
import type { RunReport } from '../run/report.ts';
import { approvalsText, earlierTexts, isOutlasted, keptBy, shortDigest } from './approval.ts';
import { plain } from './escape.ts';
import { utc } from './words.ts';
import { wrap } from './wrap.ts';

/** What a question at a terminal says beside its report. */
export interface Asking {
  /** What to type to answer it. */
  readonly commands?: { readonly approve: string; readonly reject: string };
  /** How what is approved goes on when a freeze is over that keeps it. */
  readonly goesOn?: string;
  /** Who may answer it here. */
  readonly decides?: string;
  /** A text with its commands as they have to be typed where the reader is. */
  readonly asTyped: (text: string) => string;
}

/** One row: its name, and what stands behind it. A command is never broken. */
type Row = readonly [name: string, text: string, command?: 'command'];

/** What is asked, and what to type, one command a row. */
export function questionTexts(report: RunReport, asking: Asking, width: number): string[] {
  const { question } = report;
  if (report.status !== 'awaiting' || !question) return [];
  const earlier = question.earlier === undefined ? [] : ['', `Otherwise than in plan ${shortDigest(question.earlier.digest)}, which was asked about before:`];
  return [
    ...earlier,
    ...earlierTexts(question).map((text) => `  ${plain(text)}`),
    '',
    keptBy(report) ? 'The approval is recorded, and a freeze keeps it from being applied:' : 'Asks for an approval of exactly this:',
    ...rowsOf(report, question, asking).flatMap(([name, text, kind]) => {
      const start = `  ${name.padEnd(8)} `;
      return kind === 'command' ? [start + plain(text)] : wrap(plain(text), ' '.repeat(start.length), width, start);
    }),
  ];
}

function rowsOf(report: RunReport, question: NonNullable<RunReport['question']>, { commands, goesOn, decides, asTyped }: Asking): Row[] {
  const { frozen, done = [] } = report;
  const kept = keptBy(report);
  const approved = approvalsText(question) ?? (kept && `by ${(question.approvedBy ?? []).join(', ')}`);
  const rows: (Row | undefined)[] = [
    ['Plan', shortDigest(question.digest)],
    ['Digest', question.digest],
    ['Until', utc(question.expiresAt)],
    done.length > 0 ? ['Done', done.join(', ')] : undefined,
    decides !== undefined && !kept ? ['Decides', decides] : undefined,
    approved !== undefined ? ['Approved', approved] : undefined,
    ...(frozen ? frozenRows(report, frozen, kept ? goesOn : undefined, (command) => asTyped(`\`${command}\``).slice(1, -1)) : []),
    commands && !kept ? ['Approve', commands.approve, 'command'] : undefined,
    commands && !kept ? ['Reject', commands.reject, 'command'] : undefined,
  ];
  return rows.filter((row) => row !== undefined);
}

/** What a freeze makes of the question; and once it is approved, what ends the waiting before. */
function frozenRows(report: RunReport, frozen: NonNullable<RunReport['frozen']>, goesOn: string | undefined, typed: (command: string) => string): Row[] {
  const { question, run } = report;
  const then: Row[] = isOutlasted(report)
    ? [
        ['Then', `The question runs out before that, at ${utc(question?.expiresAt ?? '')}, and nothing of it is applied. Afterwards it is asked again by`],
        ['', typed(`lockkeeper retry ${run.slice(0, 12)}`), 'command'],
      ]
    : [['Then', goesOn ?? 'What is approved waits until then.']];
  const ways: Row[] = keptBy(report)
    ? [
        ['Unfreeze', typed(`lockkeeper unfreeze ${frozen.environment}`), 'command'],
        ['Withdraw', typed(`lockkeeper withdraw ${shortDigest(question?.digest ?? '')}`), 'command'],
      ]
    : [];
  return [['Frozen', freezeText(frozen)], ...then, ...ways];
}
