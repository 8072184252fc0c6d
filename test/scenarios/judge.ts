/** Holds what happened against what was expected: every difference, one line each. */
import { painter } from '../../shared/surfaces/paint.ts';
import { demo } from '../sim/seed.ts';
import { covers } from '../sim/wire/glob.ts';
import { boardOf, rowsOf, tickedOf, ticksOf, toldOn } from './board.ts';
import { differences, partDifferences } from './differences.ts';
import type { Expectation } from './expectation.ts';
import { holdings, inSlack, type Observed, standsAs, surfaces, textOfLine } from './observed.ts';
import { findingsOf, foundOf, noticesIn } from './scans.ts';
import type { Stage } from './stage.ts';

export function judge(stage: Stage, expected: Expectation, seen: Observed): string[] {
  return [
    ...ofTheAnswer(expected, seen),
    ...ofTheRun(expected, seen),
    ...ofTheLines(expected, seen),
    ...ofTheProviders(stage, expected, seen),
    ...ofTheScans(stage, expected, seen),
    ...ofTheSurfaces(stage, expected, seen),
    ...ofSlack(stage, expected),
    ...ofTheBoard(stage, expected),
    ...partDifferences(expected.log, seen.log, 'log'),
    ...partDifferences(expected.runLog, seen.runLog, 'runLog'),
    ...codeDifferences(expected.codes ?? [], seen),
  ];
}

function ofTheBoard(stage: Stage, { rows, board, ticked, ticks, toldOnBoard }: Expectation): string[] {
  return [
    ...(rows === undefined ? [] : differences(rows, rowsOf(stage), 'rows')),
    ...(board === undefined ? [] : partDifferences(board, boardOf(stage).body, 'board')),
    ...(ticked === undefined ? [] : differences(ticked, tickedOf(stage), 'ticked')),
    ...(ticks === undefined ? [] : differences(ticks, ticksOf(stage), 'ticks')),
    ...(toldOnBoard === undefined ? [] : partDifferences(toldOnBoard, toldOn(stage), 'toldOnBoard')),
  ];
}

function codeDifferences(codes: readonly string[], { run, report, runLog, log, outcome }: Observed): string[] {
  const text = `${JSON.stringify([run, report, outcome.answer?.document])}${runLog}${log}`;
  return codes.filter((code) => !text.includes(`"code":"${code}"`)).map((code) => `codes: ${code} stands nowhere in answer, run, report and logs`);
}

function ofTheAnswer({ exit, code, says, http }: Expectation, { outcome }: Observed): string[] {
  const { answer, problem } = outcome;
  const printed = answer?.text({ paint: painter(false), colour: false, width: 100 }) ?? '';
  return [
    ...differences(exit, outcome.exit, 'exit'),
    ...differences(code, problem?.code, 'code'),
    ...partDifferences(says, `${printed}\n${problem?.message ?? ''} ${problem?.hint ?? ''}`, 'says'),
    ...differences(http, outcome.http, 'http'),
  ];
}

type ProblemLike = { readonly code: string; readonly message: string; readonly hint?: string } | undefined;

function problemDifferences(expected: Expectation['problem'], actual: ProblemLike, at: string): string[] {
  if (expected === undefined) return [];
  if (expected === null || typeof expected === 'string') return differences(expected, actual?.code, at);
  return [
    ...differences(expected.code, actual?.code, `${at}.code`),
    ...partDifferences(expected.says, actual?.message ?? '', `${at}.says`),
    ...partDifferences(expected.hint, actual?.hint ?? '', `${at}.hint`),
  ];
}

function ofTheRun(expected: Expectation, { run, runs, report, ledger, questions, stale }: Observed): string[] {
  const { kind, environment, scope, round } = expected;
  const { notUndone, kept, managed, tookOver, stops } = expected;
  return [
    ...differences(expected.status, standsAs(run), 'status'),
    ...differences(expected.runs, runs.map(standsAs), 'runs'),
    ...differences({ kind, environment, scope, round }, run ?? {}, 'run'),
    ...problemDifferences(expected.problem, run?.problem ?? report?.problem, 'problem'),
    ...differences({ notUndone, kept, managed, stops }, report ?? {}, ''),
    ...(tookOver === undefined ? [] : differences(tookOver === null ? null : '*', report?.tookOver, 'tookOver')),
    ...differences(expected.questions, questions, 'questions'),
    ...differences(expected.stale, stale, 'stale'),
    ...differences(expected.report, report, 'report'),
    ...differences(expected.ledger, ledger, 'ledger'),
    ...(expected.warnings === undefined ? [] : warningDifferences(expected.warnings, report?.warnings ?? [])),
    ...(expected.drift === undefined ? [] : driftDifferences(expected.drift, told(report?.drift ?? []))),
  ];
}

function warningDifferences(expected: NonNullable<Expectation['warnings']>, actual: readonly NonNullable<ProblemLike>[]): string[] {
  if (expected.length !== actual.length)
    return [`warnings: expected ${expected.length}, was ${JSON.stringify(actual.map(({ code, message }) => [code, message]))}`];
  return expected.flatMap((one, index) => problemDifferences(one, actual[index], `warnings[${index}]`));
}

type Drift = NonNullable<Observed['report']>['drift'];

/** Sorted by kind and key, without what the seeded cloud held before anybody did anything. */
const told = (drift: Drift): Drift =>
  drift.filter(({ resource: { key } }) => !seeded.has(key)).toSorted((a, b) => (`${a.kind} ${a.resource.key}` < `${b.kind} ${b.resource.key}` ? -1 : 1));

const seeded: ReadonlySet<string> = new Set([
  `redirect:${demo.clerkRedirect}`,
  ...['preview', 'production', 'development'].map((target) => `env:${target}:*:NEXT_PUBLIC_SITE_NAME`),
]);

function driftDifferences(expected: NonNullable<Expectation['drift']>, actual: Drift): string[] {
  if (expected.length !== actual.length) return [`drift: expected ${expected.length} items, was ${JSON.stringify(actual)}`];
  return expected.flatMap(({ says, key, ...plain }, index) => {
    const item = actual[index];
    const at = `drift[${index}]`;
    return [...differences(plain, item, at), ...differences(key, item?.resource.key, `${at}.key`), ...partDifferences(says, item?.message ?? '', `${at}.says`)];
  });
}

function ofTheLines({ lines = {} }: Expectation, { report }: Observed): string[] {
  return Object.entries(lines).flatMap(([id, wanted]) => {
    const line = report?.lines.find((one) => one.id === id);
    const at = `lines.${id}`;
    if (!line) return [`${at}: is in no report; there are ${report?.lines.map((one) => one.id).join(', ') || 'none'}`];
    if (typeof wanted === 'string') return differences(wanted, line.status, `${at}.status`).map((text) => `${text} ${textOfLine(line)}`);
    const { code, says, changes, report: more, ...plain } = wanted;
    return [
      ...differences(plain, line, at).map((text) => `${text} ${textOfLine(line)}`),
      ...differences(code, line.problem?.code, `${at}.code`),
      ...partDifferences(says, textOfLine(line), `${at}.says`),
      ...partDifferences(changes, JSON.stringify(line.changes), `${at}.changes`),
      ...differences(more, line, at),
    ];
  });
}

function ofTheProviders(stage: Stage, expected: Expectation, { writes, requests }: Observed): string[] {
  const { neon, vercel, clerk, rest } = expected;
  const sent = writes.map(({ method, path }) => `${method} ${path}`);
  const count = typeof expected.writes === 'number' ? differences(expected.writes, sent.length, 'writes').map((text) => `${text}: ${sent.join(', ')}`) : [];
  return [
    ...count,
    ...(Array.isArray(expected.writes) ? orderDifferences(expected.writes, writes) : []),
    ...differences(expected.asked, [...new Set(requests.map(({ provider }) => provider))].sort(), 'asked'),
    ...differences(expected.requests, requests.length, 'requests'),
    ...differences({ neon, clerk }, holdings(stage), ''),
    ...differences(vercel, holdings(stage).vercel, 'vercel'),
    ...objectDifferences(rest, holdings(stage).rest),
  ];
}

function objectDifferences(expected: Expectation['rest'], actual: Record<string, unknown>): string[] {
  if (expected === undefined) return [];
  return [...differences(Object.keys(expected).sort(), Object.keys(actual).sort(), 'rest'), ...differences(expected, actual, 'rest')];
}

function orderDifferences(expected: readonly string[], writes: Observed['writes']): string[] {
  const sent = writes.map(({ method, path }) => `${method} ${path}`);
  const fits = expected.length === sent.length && expected.every((rule, index) => covers(rule, writes[index]?.method ?? '', writes[index]?.path ?? ''));
  return fits ? [] : [`writes: expected\n    ${expected.join('\n    ')}\n  was\n    ${sent.join('\n    ')}`];
}

function ofSlack(stage: Stage, { card, cards, below, told }: Expectation): string[] {
  const shown = inSlack(stage);
  return [
    ...partDifferences(card, shown.card, 'card'),
    ...differences(cards, shown.cards, 'cards'),
    ...partDifferences(below, shown.below, 'below'),
    ...partDifferences(told, shown.told, 'told'),
  ];
}

function ofTheScans(stage: Stage, { findings, found, notices }: Expectation, { runs, log }: Observed): string[] {
  const scan = runs.findLast(({ intent }) => intent === 'drift');
  const kept = foundOf(stage);
  return [
    ...differences(findings, findingsOf(stage, scan?.id), 'findings'),
    ...differences(found, kept, 'found'),
    ...(found ? differences(Object.keys(found).sort(), Object.keys(kept).sort(), 'found') : []),
    ...differences(notices, noticesIn(log), 'notices'),
  ];
}

function ofTheSurfaces(stage: Stage, { comment, check }: Expectation, { run }: Observed): string[] {
  if (comment === undefined && check === undefined) return [];
  const shown = surfaces(stage, run);
  const wanted = typeof check === 'string' ? { conclusion: check } : (check ?? {});
  return [
    ...partDifferences(comment, shown.comment, 'comment'),
    ...differences(wanted.conclusion, shown.check.conclusion, 'check.conclusion'),
    ...partDifferences(wanted.title, shown.check.title, 'check.title'),
    ...partDifferences(wanted.says, shown.check.text, 'check.says'),
  ];
}
