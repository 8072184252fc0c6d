import { codes } from '../errors/codes.ts';
import type { LineReport, PlanStale, ReportedDecision, RunReport } from '../run/report.ts';
import { asciiJson, jsonBlock } from './escape.ts';
import { badLines } from './outcome.ts';
import { statusWords } from './words.ts';

/** Longest JSON of a status block, in bytes: what a program reads without thinking about it. */
export const LONGEST_STATUS_BLOCK = 8 * 1024;

/** One line in a status block. */
export interface LineState {
  readonly id: string;
  readonly status: LineReport['status'];
  readonly code?: string;
  readonly waitingFor?: string;
  readonly waitingOn?: string;
  readonly hint?: string;
}

/** What a status block holds, format 1: for programs and agents that read a check run. Never a value. */
export interface StatusBlock {
  readonly format: 1;
  readonly run: string;
  readonly kind: RunReport['kind'];
  readonly status: RunReport['status'];
  readonly plan: string;
  readonly environment: string;
  readonly scope: string;
  readonly commit: string;
  readonly managed: number;
  readonly code?: string;
  readonly hint?: string;
  /** The plan that waits for an answer, or was decided on. */
  readonly question?: { readonly digest: string; readonly expiresAt: string; readonly approved?: number; readonly required?: number };
  /** Until when nothing is applied there, whoever approves it. */
  readonly frozenUntil?: string;
  /** Who decided; the first ten. */
  readonly decisions?: readonly Pick<ReportedDecision, 'verdict' | 'person' | 'standing'>[];
  /** The latest time the world moved under an approved plan. */
  readonly stale?: Omit<PlanStale, 'different' | 'moved'>;
  readonly lines: readonly LineState[];
  /** How many lines are not in `lines`, for length; unchanged ones are the first to go. */
  readonly omitted: number;
}

/** The fenced block at the end of a check run's text. Its JSON is valid, pure ASCII, and never longer than 8 KiB. */
export function statusBlock(report: RunReport): string {
  return jsonBlock(statusJson(report));
}

/** The JSON alone: everything, else without unchanged lines, else without hints, else what needs a person first. */
export function statusJson(report: RunReport): string {
  const all = report.lines;
  const moved = all.filter((line) => statusWords[line.status].tone !== 'same');
  for (const [lines, hints] of [
    [all, true],
    [moved, true],
    [moved, false],
  ] as const) {
    const json = asciiJson(blockOf(report, lines, hints));
    if (json.length <= LONGEST_STATUS_BLOCK) return json;
  }
  return asciiJson(blockOf(report, mostUrgent(report, moved), false));
}

/** As many lines as fit, bad ones first, then open ones; in the report's order. */
function mostUrgent(report: RunReport, lines: readonly LineReport[]): readonly LineReport[] {
  const bad = new Set(badLines(report));
  const urgency = (line: LineReport) => (bad.has(line) ? 0 : statusWords[line.status].tone === 'done' ? 2 : 1);
  let room = LONGEST_STATUS_BLOCK - asciiJson(blockOf(report, [], false)).length - String(report.lines.length).length;
  const fitting = new Set<LineReport>();
  for (const line of lines.toSorted((a, b) => urgency(a) - urgency(b))) {
    room -= asciiJson(stateOf(line, false)).length + 1;
    if (room < 0) break;
    fitting.add(line);
  }
  return lines.filter((line) => fitting.has(line));
}

function blockOf(report: RunReport, lines: readonly LineReport[], hints: boolean): StatusBlock {
  const { run, kind, status, plan, environment, scope, commit, managed, problem } = report;
  const short = (text: string) => text.slice(0, 200);
  return {
    format: 1,
    run: short(run),
    kind,
    status,
    plan: short(plan.name),
    environment: short(environment),
    scope: short(scope),
    commit: short(commit),
    managed,
    ...(problem ? { code: problem.code, hint: short(problem.hint ?? codes[problem.code].hint) } : {}),
    ...gateOf(report, short),
    lines: lines.map((line) => stateOf(line, hints)),
    omitted: report.lines.length - lines.length,
  };
}

function gateOf(
  { question, decisions, stops, frozen }: RunReport,
  short: (text: string) => string,
): Pick<StatusBlock, 'question' | 'frozenUntil' | 'decisions' | 'stale'> {
  const stop = stops?.at(-1);
  return {
    ...(question ? { question: { digest: short(question.digest), expiresAt: short(question.expiresAt), ...quorumOf(question) } } : {}),
    ...(frozen ? { frozenUntil: short(frozen.unreadable ? 'unknown' : frozen.until) } : {}),
    ...(decisions ? { decisions: decisions.slice(0, 10).map(({ verdict, person, standing }) => ({ verdict, person: short(person), standing })) } : {}),
    ...(stop ? { stale: staleOf(stop, short) } : {}),
  };
}

const quorumOf = ({ required = 1, approvedBy = [] }: NonNullable<RunReport['question']>) => (required > 1 ? { approved: approvedBy.length, required } : {});

/** Without what differs: the plan that is asked about tells it. */
function staleOf({ different: _different, moved: _moved, ...stop }: PlanStale, short: (text: string) => string): Omit<PlanStale, 'different' | 'moved'> {
  return { ...stop, step: short(stop.step) };
}

function stateOf({ id, status, problem, waitingFor, waitingOn }: LineReport, hints: boolean): LineState {
  return {
    id,
    status,
    ...(problem ? { code: problem.code } : {}),
    ...(waitingFor === undefined ? {} : { waitingFor }),
    ...(waitingOn === undefined ? {} : { waitingOn }),
    ...(problem && hints ? { hint: problem.hint ?? codes[problem.code].hint } : {}),
  };
}
