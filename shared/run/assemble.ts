import type { Code } from '../errors/codes.ts';
import type { Problem } from '../errors/error.ts';
import { isOfPlan, toldByLine } from '../redeploys/told-by-lines.ts';
import { cancelledHint } from './cancelled-hint.ts';
import { driftOfLines, type LineDrift } from './drift-of-lines.ts';
import type { LineResult, Run, RunLine } from './items.ts';
import { type DriftItem, isRemoval, type LineReport, type LineStatus, type ManualTodo, type RunReport, type RunStatus } from './report.ts';

/** What a line came to over the phases of its round: an apply that was rolled back shows what was undone. */
function mergedResult(line: RunLine): LineResult {
  const now = line.result ?? { status: 'skipped', changes: [], outputs: {} };
  const before = line.applied;
  if (line.phase !== 'rolling-back' || !before) return now;
  const notes = { ...before.notes, ...now.notes };
  const left = now.kept ? { kept: now.kept } : {};
  if (now.status === 'rollback_failed') return { ...before, status: 'rollback_failed', notes, ...left, ...(now.problem ? { problem: now.problem } : {}) };
  const undone = now.status === 'rolled_back' && before.status === 'applied' && before.stack === undefined;
  return { ...before, status: undone ? 'rolled_back' : before.status, notes, ...left };
}

function lineReport(line: RunLine, lines: readonly RunLine[], { inputs: all, earlier }: Closing): LineReport {
  const { spec } = line;
  const { status, changes, outputs, problem, waitingFor, waitingOn, manual, notes } = toldByLine(line, mergedResult(line), lines);
  const [inputs, before] = [all?.get(spec.id), status === 'unchanged' ? earlier?.get(spec.id) : undefined];
  const base = { id: spec.id, adapter: spec.adapter, op: spec.op, status, changes, outputs };
  return {
    ...base,
    ...(inputs ? { inputs } : {}),
    ...(problem ? { problem } : {}),
    ...(waitingFor === undefined ? {} : { waitingFor }),
    ...(waitingOn === undefined ? {} : { waitingOn }),
    ...(manual ? { manual: asShown(manual) } : {}),
    ...(notes && Object.keys(notes).length > 0 ? { notes } : {}),
    ...(before ? { earlier: before } : {}),
  };
}

/** What a person reads of it: the fingerprint of what was shown stays in the store. */
function asShown({ shown: _, ...todo }: NonNullable<LineResult['manual']>): ManualTodo {
  return todo;
}

/** A run that waits for nobody's word any more, although a line of it did. */
const isOver = (status: RunStatus): boolean => status !== 'partial' && status !== 'awaiting' && status !== 'complete';

/** A step that nobody is to confirm: the run has ended, and a word about it would be refused. The next one asks for it again. */
function withoutConfirm({ manual, problem, ...line }: LineReport): LineReport {
  if (!manual) return { ...line, ...(problem ? { problem } : {}) };
  const { confirm: _none, ...todo } = manual;
  const hint = 'This run has ended, so nobody confirms it now: see to what failed first. The next run shows the step again, and takes the word for it.';
  return { ...line, manual: todo, ...(problem?.code === 'MANUAL_STEP_PENDING' ? { problem: { ...problem, hint } } : problem ? { problem } : {}) };
}

const failing: ReadonlySet<LineStatus> = new Set(['failed', 'blocked', 'error', 'rollback_failed', 'destroy_failed']);

/** What fails a run and rolls nothing back. */
const outside: ReadonlySet<Code> = new Set(['EXTERNAL_FAILED', 'REDEPLOY_FAILED']);

const hasFailed = ({ status, problem }: LineResult): boolean => failing.has(status) || (problem !== undefined && outside.has(problem.code));

/** The first line that failed its round and says why; lines that were skipped for its sake, and those that wait, are passed over. */
export function firstFailure(lines: readonly RunLine[]): { readonly line: string; readonly problem: Problem } | undefined {
  for (const line of lines) {
    const result = mergedResult(line);
    if (result.problem && hasFailed(result)) return { line: line.spec.id, problem: result.problem };
  }
  return undefined;
}

/** How a round ends, judged by its lines alone (R1.62). A failed outside event fails the run and rolls nothing back. */
export function statusOf(run: Run, lines: readonly RunLine[]): RunStatus {
  if (run.stopping?.cause === 'died') return 'failed';
  if (run.stopping?.cause === 'superseded' || run.stopping?.cause === 'cancelled') return run.stopping.cause;
  const results = lines.map(mergedResult);
  const failed = results.some((result) => hasFailed(result) || (isRemoval(run.kind) && result.status === 'skipped' && !result.moved));
  if (failed) return 'failed';
  return results.some((result) => result.status === 'waiting') ? 'partial' : 'complete';
}

/** Whether a round's failure asks for undoing what the run created: a failed or refused line does, a failed event does not. */
export function mustRollBack(run: Run, lines: readonly RunLine[]): boolean {
  // A step that died between the items of the rollback and its swap has moved results aside already.
  const statuses = lines.map((line) => (line.applied ?? line.result)?.status);
  return run.kind === 'apply' && (statuses.includes('failed') || statuses.includes('blocked'));
}

export interface Closing {
  readonly status: RunStatus;
  readonly lines: readonly RunLine[];
  /** Of a plan: where the values of its lines come from. */
  readonly inputs?: ReadonlyMap<string, NonNullable<LineReport['inputs']>>;
  /** By line: labels of what earlier rounds of the run wrote. */
  readonly earlier?: ReadonlyMap<string, readonly string[]>;
  readonly managed: number;
  readonly finishedAt: string;
  readonly drift?: readonly DriftItem[];
  /** Updates that stand although the run failed. */
  readonly notUndone?: readonly string[];
  readonly stays?: readonly string[];
  readonly question?: RunReport['question'];
  readonly decisions?: RunReport['decisions'];
  readonly stops?: RunReport['stops'];
  readonly problem?: Problem;
  readonly recovery?: RunReport['recovery'];
}

/** A receipt that knows nothing of what the stack did, and the other way round: whoever reads it is told. */
const besideStack = ({ options: { beside } }: Run): Problem[] =>
  beside === undefined ? [] : [{ code: 'STACK_BYPASSED', message: `It was run with --local, beside the stack ${beside}, whose ledger knows nothing of it.` }];

const unverifiedHead = ({ honoured, commit }: Run): Problem[] =>
  honoured?.head === undefined
    ? []
    : [
        {
          code: 'HEAD_UNVERIFIED',
          message: `GitHub did not answer when the guard let it go on, so nobody could see whether ${commit.slice(0, 7)} was still to be released.`,
        },
      ];

/** Who looks for what they made of it is told that it is gone (R0.17). */
function deletedThough(lines: readonly RunLine[]): Problem[] {
  const notes = lines.flatMap((line) => {
    const changed = mergedResult(line).notes?.['changedOutside'];
    return changed === undefined ? [] : [{ line: line.spec.id, changed }];
  });
  return notes.map(({ line, changed }) => ({
    code: 'CHANGED_OUTSIDE',
    message: `Line ${line}: ${changed} was deleted although it was edited outside since Lockkeeper wrote it.`,
  }));
}

/** What a tool did beside what people had approved is said where nobody overlooks it. */
const didOtherwise = (lines: readonly RunLine[]): Problem[] =>
  lines.flatMap((line): Problem[] => {
    const differs = mergedResult(line).notes?.['differs'];
    if (differs === undefined || mergedResult(line).stack === undefined) return [];
    return [{ code: 'TOOL_DIFFERED', message: `Line ${line.spec.id}: its tool reports other work than was approved: ${differs}.` }];
  });

function tickedOf({ options: { ticked } }: Run): Pick<RunReport, 'ticked'> {
  if (ticked === undefined) return {};
  const { box, digest, by, at } = ticked;
  return { ticked: { box, digest, by, at } };
}

const driftOf = (line: RunLine, result: LineResult | undefined): LineDrift => ({
  line,
  drift: result?.drift ?? [],
  wants: (result?.changes ?? []).map(({ key }) => key),
});

/** The report of a round, lines in the order given. */
export function reportOf(run: Run, closing: Closing): RunReport {
  const results = closing.lines.map(mergedResult);
  const reason = closing.problem ?? run.problem ?? run.stopping?.problem;
  const problem = reason?.code === 'CANCELLED' ? { hint: cancelledHint(run, results, closing.stays), ...reason } : reason;
  return {
    format: 1,
    run: run.id,
    kind: run.kind ?? (run.intent === 'follow' ? 'apply' : run.intent),
    status: closing.status,
    round: run.round,
    repository: { id: run.repository.id, owner: run.repository.owner, name: run.repository.name },
    plan: { name: run.plan.name, path: run.plan.path, ...(run.plan.hash === undefined ? {} : { hash: run.plan.hash }) },
    environment: run.environment,
    scope: run.scope,
    commit: run.commit,
    ...(run.pullRequest === undefined ? {} : { pullRequest: run.pullRequest }),
    startedAt: run.startedAt,
    finishedAt: closing.finishedAt,
    ...(problem && closing.status !== 'complete' && closing.status !== 'partial' ? { problem } : {}),
    lines: closing.lines
      .filter(isOfPlan)
      .map((line) => lineReport(line, closing.lines, closing))
      .map((line) => (isOver(closing.status) ? withoutConfirm(line) : line)),
    drift: [...driftOfLines(closing.lines.map((line, at) => driftOf(line, results[at]))), ...(closing.drift ?? [])],
    warnings: [...besideStack(run), ...unverifiedHead(run), ...(run.warnings ?? []), ...deletedThough(closing.lines), ...didOtherwise(closing.lines)],
    notUndone: closing.status === 'failed' ? (closing.notUndone ?? []) : [],
    ...(closing.stays && closing.stays.length > 0 ? { stays: closing.stays } : {}),
    kept: results.flatMap((result) => result.kept ?? []),
    ...(closing.question ? { question: closing.question } : {}),
    ...(closing.decisions && closing.decisions.length > 0 ? { decisions: closing.decisions } : {}),
    ...(closing.stops && closing.stops.length > 0 ? { stops: closing.stops } : {}),
    ...(closing.recovery ? { recovery: closing.recovery } : {}),
    ...(run.honoured?.head ? { head: run.honoured.head } : {}),
    ...(run.options.undo === undefined ? {} : { undoes: run.options.undo }),
    ...tickedOf(run),
    ...(run.tookOver === undefined ? {} : { tookOver: run.tookOver }),
    managed: closing.managed,
  };
}
