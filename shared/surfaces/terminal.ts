import { codes } from '../errors/codes.ts';
import type { Problem } from '../errors/error.ts';
import { freezeText } from '../freeze/frozen.ts';
import type { LineReport, RunReport } from '../run/report.ts';
import { approvalsText, decidedTexts, earlierTexts, keptBy, shortDigest, stopText } from './approval.ts';
import { plain } from './escape.ts';
import { instructionLines } from './instructions.ts';
import { asksForWord, everyProblem, isProblemOf, outcomeOf } from './outcome.ts';
import { type Painter, painter } from './paint.ts';
import { sideText } from './side.ts';
import { count, driftWords, sentence, statusWords, undoOf, utc, wholeMessage, wordsOf } from './words.ts';
import { wrap } from './wrap.ts';

export interface TerminalOptions {
  readonly colour: boolean;
  /** Columns; longer lines are broken between words, values never. */
  readonly width: number;
  /** Columns that nothing but a value may pass: of a terminal. Elsewhere the first and the last line are one line each. */
  readonly columns?: number;
  /** What to type to answer the question that is open. */
  readonly commands?: { readonly approve: string; readonly reject: string };
  /** How what is approved goes on when a freeze is over that keeps it. */
  readonly goesOn?: string;
  /** A text with its commands as they have to be typed where the reader is. */
  readonly asTyped?: (text: string) => string;
}

/** A run's report for a person at a terminal: one line a line, its changes below it, and the outcome last. */
export function renderTerminal(
  report: RunReport,
  { colour, width, columns = Number.POSITIVE_INFINITY, commands, goesOn, asTyped = (text) => text }: TerminalOptions,
): string {
  const paint = painter(colour);
  const widest = Math.min(40, Math.max(0, ...report.lines.map((line) => plain(line.id).length)));
  const text = [
    ...wrap(
      `Lockkeeper ${report.undoes === undefined ? report.kind : 'undo'} of ${plain(report.plan.path)} in ${plain(report.environment)}, scope ${plain(report.scope)}, commit ${plain(report.commit.slice(0, 7))}`,
      '  ',
      columns,
    ),
    ...(report.lines.length > 0 ? [''] : []),
    ...report.lines.flatMap((line) => lineText(line, widest, paint, width)),
    ...section(
      'Stopped instead of applying what nobody has seen',
      (report.stops ?? []).map((stop) => stopText(stop, report.round)),
      width,
    ),
    ...todoTexts(report),
    ...section('Recovery', recoveryTexts(report).map(asTyped), width),
    ...section('Drift', driftTexts(report), width),
    ...section('Not undone, these updates stand', report.notUndone, width),
    ...section(asTyped(`Applied before, and stays; \`${undoOf(report)}\` removes what this run created`), report.stays ?? [], width),
    ...section('Left alone, and not managed any more', report.kept, width),
    ...section('Warnings', report.warnings.map(problemText), width),
    ...section('Decided', decidedTexts(report), width),
    ...ownProblems(report).flatMap((problem, at) => [...(at === 0 ? [''] : []), ...wrap(`${paint('bad', '!')} ${problemText(problem)}`, '  ', width)]),
    ...questionTexts(report, { commands, goesOn }),
    '',
    ...wrap(`${outcomeOf(report).title}. ${managedText(report)}${plain(report.run)}.`, '  ', columns),
  ];
  return `${text.join('\n')}\n`;
}

/** What people have to do, in the plan file's words, with what to type as it is typed. Lines are not broken: instructions hold commands. */
function todoTexts(report: RunReport): string[] {
  return report.lines.flatMap(({ id, manual }) => {
    if (!manual) return [];
    const undoing = manual.action === 'undo' ? 'Undo: ' : '';
    const seen = manual.observable ? ', unless it is seen to be done before' : '';
    const then = asksForWord(report) ? [`  Then${seen}: ${plain(manual.confirm ?? `lockkeeper confirm ${id}`)}`] : [];
    return ['', `By hand, for line ${plain(id)}: ${undoing}${plain(manual.title)}`, ...instructionLines(manual).map((row) => `  │ ${row}`), ...then];
  });
}

/** What is wrong with the run as a whole; what a line says is not said again. */
const ownProblems = ({ problem, lines }: RunReport): readonly Problem[] =>
  problem ? everyProblem(problem).filter((one) => !lines.some((line) => isProblemOf(line, one))) : [];

/** What is asked, with what to type as it is typed: never broken. */
function questionTexts(report: RunReport, { commands, goesOn }: { [Name in 'commands' | 'goesOn']: TerminalOptions[Name] | undefined }): string[] {
  const { status, question, frozen, done = [] } = report;
  if (status !== 'awaiting' || !question) return [];
  const kept = keptBy(report);
  const approved = approvalsText(question) ?? (kept && `by ${(question.approvedBy ?? []).join(', ')}`);
  const rows = [
    ['Plan', shortDigest(question.digest)],
    ['Digest', question.digest],
    ['Until', utc(question.expiresAt)],
    ...(done.length === 0 ? [] : [['Done', done.join(', ')] as const]),
    ...(approved === undefined ? [] : [['Approved', approved] as const]),
    ...(frozen ? [['Frozen', `${freezeText(frozen)} What is approved waits until then.`] as const] : []),
    ...(kept && goesOn !== undefined ? [['Then', goesOn] as const] : []),
    ...(commands && !kept ? [['Approve', commands.approve] as const, ['Reject', commands.reject] as const] : []),
  ] as const;
  const earlier = question.earlier === undefined ? [] : ['', `Otherwise than in plan ${shortDigest(question.earlier.digest)}, which was asked about before:`];
  return [
    ...earlier,
    ...earlierTexts(question).map((text) => `  ${plain(text)}`),
    '',
    kept ? 'The approval is recorded, and a freeze keeps it from being applied:' : 'Asks for an approval of exactly this:',
    ...rows.map(([name, text]) => `  ${name.padEnd(8)} ${plain(text)}`),
  ];
}

/** A plan takes no lease, so it does not say what is managed. */
const managedText = ({ kind, managed }: RunReport): string => (kind === 'plan' || kind === 'drift' ? 'Run ' : `${count(managed, 'resource')} managed; run `);

/** One problem as one sentence or two: code, place, what happened, what to do next. For `--json`-less errors too. */
export function problemText({ code, message, hint, at }: Problem): string {
  const place = at ? `${plain(at.file)}:${at.line}:${at.column}: ` : '';
  return `${place}${code}: ${plain(sentence(message))} ${plain(hint ?? codes[code].hint)}`;
}

function lineText(line: LineReport, widest: number, paint: Painter, width: number): string[] {
  const { symbol, word, tone } = wordsOf(line);
  const waits = line.waitingFor ?? (line.waitingOn === undefined ? undefined : `line ${line.waitingOn}`);
  const state =
    waits === undefined
      ? paint(tone, word)
      : line.status === 'waiting'
        ? paint(tone, `waits for ${plain(waits)}`)
        : `${paint(tone, word)}, waits for ${plain(waits)}`;
  const first = `${paint(tone, symbol)} ${plain(line.id).padEnd(widest)}  ${plain(line.adapter)}.${plain(line.op)}  ${state}`;
  return [first, ...changeTexts(line), ...noteTexts(line, width), ...(line.problem ? wrap(problemText(line.problem), '    ', width, '    ') : [])];
}

const noteTexts = ({ notes }: LineReport, width: number): string[] =>
  Object.entries(notes ?? {}).flatMap(([name, text]) => wrap(`${plain(name)}: ${plain(text)}`, '      ', width, '    '));

function changeTexts(line: LineReport): string[] {
  return line.changes
    .filter((change) => change.kind !== 'unchanged')
    .flatMap((change) => [
      `    ${statusWords[change.kind].symbol} ${change.adopts ? 'adopt ' : ''}${plain(change.label)}${change.replaces ? ': what is there is deleted first' : ''}`,
      ...change.fields.map(({ path, before, after }) => `        ${plain(path)}: ${sideText(before)} → ${sideText(after)}`),
    ]);
}

/** What a recovery goes by and does, line by line; what it leaves is named with the reason. */
function recoveryTexts({ recovery }: RunReport): string[] {
  if (!recovery) return [];
  const { from, skipped, lines, head, dry } = recovery;
  const verbs = { restore: dry ? 'would be restored' : 'restored', keep: 'kept as it is', lost: 'damaged, and in no receipt: left' } as const;
  return [
    `from the receipt of run ${from.run}, of ${utc(from.at)}; the fence goes on above ${from.fence}`,
    ...skipped.map(({ version, at, why }) => `skipped the version ${version} of ${utc(at)}: ${why}`),
    ...(head === 'restore' ? [`the head is ${verbs.restore}`] : []),
    ...lines.map(({ line, does, resources }) => `line ${line} ${verbs[does]}${resources.length > 0 ? `: ${resources.join(', ')}` : ''}`),
    ...lines.flatMap(({ foreign }) => foreign.map(({ label, owner }) => `${label} is not taken: it belongs to ${owner}`)),
    ...(dry ? ['nothing was written; `lockkeeper recover --yes` does it'] : []),
  ];
}

const driftTexts = (report: RunReport): string[] =>
  report.drift.map((item) => {
    const [whole, where] = [wholeMessage(item), item.line === undefined ? '' : ` (line ${item.line})`];
    return whole === undefined ? `${item.resource.label ?? item.resource.key} ${driftWords[item.kind]}${where}: ${item.message}` : `${whole}${where}.`;
  });

function section(title: string, entries: readonly string[], width: number): string[] {
  return entries.length === 0 ? [] : ['', `${title}:`, ...entries.flatMap((entry) => wrap(`- ${plain(entry)}`, '    ', width, '  '))];
}
