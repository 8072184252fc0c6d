import type { Problem } from '../errors/error.ts';
import { isRemoval, type LineReport, type RunReport } from '../run/report.ts';
import { decidedTexts, knownOf, shortDigest, stopText } from './approval.ts';
import { plain } from './escape.ts';
import { instructionLines } from './instructions.ts';
import { asksForWord, everyProblem, isProblemOf, outcomeOf } from './outcome.ts';
import { type Painter, painter } from './paint.ts';
import { sideText } from './side.ts';
import { problemRows, problemText } from './terminal-problem.ts';
import { type Asking, questionTexts } from './terminal-question.ts';
import { changeWord, count, driftWords, statusWords, undoOf, utc, wholeMessage, wordsOf } from './words.ts';
import { wrap } from './wrap.ts';

export interface TerminalOptions extends Partial<Asking> {
  readonly colour: boolean;
  /** Columns; longer lines are broken between words, values and commands never. */
  readonly width: number;
  /** Columns that nothing but a value may pass: of a terminal. Elsewhere the first and the last line are one line each. */
  readonly columns?: number;
}

/** A run's report for a person at a terminal: one line a line, its changes below it, and the outcome last. */
export function renderTerminal(
  report: RunReport,
  { colour, width, columns = Number.POSITIVE_INFINITY, asTyped = (text) => text, ...asking }: TerminalOptions,
): string {
  const paint = painter(colour);
  const widest = Math.min(40, Math.max(0, ...report.lines.map((line) => plain(line.id).length)));
  const text = [
    ...wrap(
      `Lockkeeper ${report.undoes === undefined ? `${report.kind} of ${plain(report.plan.path)}` : `undo of run ${report.undoes.slice(0, 12)}`} in ${plain(report.environment)}, scope ${plain(report.scope)}, commit ${plain(report.commit.slice(0, 7))}`,
      '  ',
      columns,
    ),
    ...verdictTexts(report, paint, columns),
    ...(report.lines.length > 0 ? [''] : []),
    ...report.lines.flatMap((line) => lineText(line, report, widest, paint, width)),
    ...section(
      isAskedAnew(report) ? 'Stopped instead of applying what nobody has seen' : 'Earlier in this run, stopped instead of applying what nobody had seen',
      (report.stops ?? []).map((stop) => stopText(stop, report.round, knownOf(report))),
      width,
    ),
    ...todoTexts(report),
    ...section('Recovery', recoveryTexts(report).map(asTyped), width),
    ...section('Drift', driftTexts(report), width),
    ...section('Not undone, these updates stand', report.notUndone, width),
    ...section(asTyped(`Applied before, and stays; \`${undoOf(report)}\` removes what this run created`), report.stays ?? [], width),
    ...section(isRemoval(report.kind) ? 'Left alone, and not managed any more' : 'Left alone', report.kept, width),
    ...section('Warnings', report.warnings.map(problemText), width),
    ...section('Decided', decidedTexts(report), width),
    ...ownProblems(report).flatMap((problem, at) => [...(at === 0 ? [''] : []), ...problemRows(problem, '  ', width, `${paint('bad', '!')} `)]),
    ...questionTexts(report, { ...asking, asTyped }, width),
    '',
    ...wrap(`${outcomeOf(report).title}. ${managedText(report)}${plain(report.run)}.`, '  ', columns),
  ];
  return `${text.join('\n')}\n`;
}

/** Whether the question that is open came of a stop: then what moved is news. */
const isAskedAnew = ({ status, stops, question }: RunReport): boolean =>
  status === 'awaiting' && question !== undefined && stops?.at(-1)?.replanned === question.digest;

/** How it went, before the lines where they read otherwise: of what came to nothing, they say what would have been done. */
function verdictTexts(report: RunReport, paint: Painter, columns: number): string[] {
  const { status, question, stops, done = [], lines } = report;
  if (isAskedAnew(report)) {
    const [before, now] = [shortDigest(stops?.at(-1)?.approved ?? ''), shortDigest(question?.digest ?? '')];
    const what =
      done.length > 0 ? `Of plan ${before}, which was approved, only a part was applied` : `Nothing of plan ${before}, which was approved, was applied`;
    return wrap(paint('bad', `${what}: what it would write has moved. Look, and answer plan ${now}.`), '', columns);
  }
  if (lines.length === 0 || status === 'complete' || status === 'partial' || status === 'awaiting') return [];
  return wrap(paint('bad', `${outcomeOf(report).title}.`), '', columns);
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

/** A plan takes no lease, so it does not say what is managed. */
const managedText = ({ kind, managed }: RunReport): string => (kind === 'plan' || kind === 'drift' ? 'Run ' : `${count(managed, 'resource')} managed; run `);

function lineText(line: LineReport, report: RunReport, widest: number, paint: Painter, width: number): string[] {
  const { symbol, word, tone } = wordsOf(line, report);
  const waits = line.waitingFor ?? (line.waitingOn === undefined ? undefined : `line ${line.waitingOn}`);
  const state =
    waits === undefined
      ? paint(tone, word)
      : line.status === 'waiting'
        ? paint(tone, `waits for ${plain(waits)}`)
        : `${paint(tone, word)}, waits for ${plain(waits)}`;
  const first = `${paint(tone, symbol)} ${plain(line.id).padEnd(widest)}  ${plain(line.adapter)}.${plain(line.op)}  ${state}`;
  return [
    first,
    ...changeTexts(line),
    ...noteTexts(line, width),
    ...(line.problem && !isSaidByHand(line, report) ? problemRows(line.problem, '    ', width) : []),
  ];
}

/** What a person has to do, and what to type then, stands in a section of its own. */
const isSaidByHand = ({ manual, problem }: LineReport, report: RunReport): boolean =>
  problem?.code === 'MANUAL_STEP_PENDING' && manual !== undefined && asksForWord(report);

const noteTexts = ({ notes }: LineReport, width: number): string[] =>
  Object.entries(notes ?? {}).flatMap(([name, text]) => wrap(`${plain(name)}: ${plain(text)}`, '      ', width, '    '));

function replacedText({ replaces, createsFirst }: LineReport['changes'][number]): string {
  if (!replaces) return '';
  return createsFirst ? ': made anew, and what is there is deleted then' : ': what is there is deleted first';
}

function changeTexts(line: LineReport): string[] {
  return line.changes
    .filter((change) => change.kind !== 'unchanged')
    .flatMap((change) => [
      `    ${statusWords[change.kind].symbol} ${change.adopts || change.as ? `${changeWord(change)} ` : ''}${plain(change.label)}${replacedText(change)}`,
      ...change.fields.map(({ path, before, after }) => `        ${plain(path)}: ${sideText(before)} → ${sideText(after)}`),
    ]);
}

/** What a recovery goes by and does, line by line; what it leaves is named with the reason. */
function recoveryTexts({ recovery }: RunReport): string[] {
  if (!recovery) return [];
  const { from, skipped, lines, head, dry } = recovery;
  const verbs = { restore: dry ? 'would be restored' : 'restored', keep: 'kept as it is', lost: 'damaged, and in no receipt: left' } as const;
  return [
    `from the receipt of run ${from.run}, of ${utc(from.at)}; later runs write under a fence above ${from.fence}`,
    ...skipped.map(({ version, at, why }) => `skipped the version ${version} of ${utc(at)}: ${why}`),
    ...(head === 'restore' ? [`the head is ${verbs.restore}`] : []),
    ...lines.map(({ line, does, resources }) => `line ${line} ${verbs[does]}${resources.length > 0 ? `: ${resources.join(', ')}` : ''}`),
    ...lines.flatMap(({ foreign }) => foreign.map(({ label, owner }) => `${label} is not taken: it belongs to ${owner}`)),
    ...(dry && (head === 'restore' || lines.some(({ does }) => does === 'restore')) ? ['nothing was written; `lockkeeper recover --yes` does it'] : []),
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
