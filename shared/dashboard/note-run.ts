import type { Code } from '../errors/codes.ts';
import { readHead } from '../ledger/head.ts';
import { mainScope } from '../plan/scope.ts';
import type { Run } from '../run/items.ts';
import type { RunReport } from '../run/report.ts';
import { runScope } from '../run/run-scope.ts';
import type { ControlWorld } from '../run/world.ts';
import { issueKey } from '../table/keys.ts';
import { changeRow, type RowAddress, type RowContent, readStackRows } from './change-row.ts';
import { type Ended, nothingKnown, withoutUndefined } from './ended.ts';
import { leftUnsure, metDrift, tookAway, wroteNothing } from './left-unsure.ts';
import type { MarkWorld } from './mark.ts';
import { type AsOf, isOlder, type OpenRun, type Row } from './row.ts';
import { type StackEnd, stackEnded } from './stack-ended.ts';

/** A row is told of a run's beginning, of its rests, and of its end: repeated, each says the same. */

export const addressOf = ({ repository, plan, environment }: Run) => ({ repository, plan: plan.name, environment });

/** Runs that a row shows while they are open. A scan and a plan write nothing. */
export const isShown = ({ board, kind }: Pick<Run, 'board' | 'kind'>): boolean => board === true && kind !== 'plan' && kind !== 'drift';

/** A run is at work in the row's scope, or rests: at a question, or until an event comes. */
export async function noteOpen(world: MarkWorld, run: Run, rests?: OpenRun['rests']): Promise<void> {
  if (!isShown(run)) return;
  const open = openOf(run, rests);
  for (const at of await rowsOf(world, run)) {
    await changeRow(world, at, (before) => {
      if (isNewerOpen(before.open, open)) return undefined;
      return sameOpen(before.open, open) ? undefined : { ...before, open };
    });
  }
}

/** The rows that a run is at work on: its plan's and those of the plan's stacks; of one that a tick started, the row whose box that was. */
async function rowsOf({ table }: Pick<MarkWorld, 'table'>, run: Run): Promise<readonly RowAddress[]> {
  const at = addressOf(run);
  const { ticked } = run.options;
  if (ticked) return [ticked.line === undefined ? at : { ...at, line: ticked.line }];
  return [at, ...(await readStackRows(table, at)).map(({ line }) => ({ ...at, line }))];
}

/** Of two open runs the newer one is shown: an older one's late step says nothing new. */
export const isNewerOpen = (known: OpenRun | undefined, open: OpenRun): boolean =>
  known !== undefined && known.run !== open.run && known.startedAt > open.startedAt;

export function openOf({ id, kind = 'apply', commit, startedAt, triggeredBy, options }: Run, rests?: OpenRun['rests']): OpenRun {
  const by = options.ticked?.by ?? triggeredBy;
  const named = { ...(by === undefined ? {} : { by }), ...(options.ticked ? { box: options.ticked.box } : {}) };
  return { run: id, kind, commit, startedAt, ...named, ...(rests === undefined ? {} : { rests }) };
}

const sameOpen = (a: OpenRun | undefined, b: OpenRun): boolean => a !== undefined && a.run === b.run && a.rests === b.rests && a.kind === b.kind;

/** The run has ended: what it says of the row, where nothing newer stands there. */
export async function noteEnd(world: MarkWorld & Pick<ControlWorld, 'registry'>, run: Run, report: RunReport): Promise<void> {
  if (!(await isTold(world, run, report))) return;
  const fence = (await readHead(world.table, runScope(run)))?.settled?.fence ?? 0;
  const asOf = { fence, at: report.finishedAt };
  const stacks = stacksIn(world, report);
  const known = await rowsOf(world, run);
  const unknown = run.options.ticked || report.kind !== 'apply' ? [] : [...stacks.keys()].filter((line) => known.every((at) => at.line !== line));
  for (const at of [...known, ...unknown.map((line) => ({ ...addressOf(run), line }))]) {
    await changeRow(world, at, (before) => {
      const { open, ...rest } = before;
      const kept = open === undefined || open.run === run.id ? rest : { ...rest, open };
      if (isOlder(asOf, before.seen?.asOf)) return kept;
      const source = { run: run.id, commit: run.commit, asOf };
      return at.line === undefined
        ? whatEnded(kept, run, report, asOf)
        : withoutUndefined({ ...kept, ...stackEnded(kept, run, report, source, stacks.get(at.line)) });
    });
  }
}

/** The lines of a report that are stacks, by id, and whether the run has seen what is live of each. */
function stacksIn({ registry }: Pick<ControlWorld, 'registry'>, { lines, ticked }: RunReport): ReadonlyMap<string, StackEnd> {
  return new Map(
    lines.flatMap((line): [string, StackEnd][] => {
      const stack = registry.find(line.adapter, line.op)?.stack;
      return stack ? [[line.id, { line, live: stack.readsLive || ticked !== undefined }]] : [];
    }),
  );
}

/** Whether the end of the run is for a row. One that failed before its policy was read, and one that removes, reads none: then it is where there is a dashboard. */
export async function isTold({ table }: Pick<MarkWorld, 'table'>, { board, scope, repository }: Run, { kind, status, ...report }: RunReport): Promise<boolean> {
  if (kind === 'plan' || kind === 'drift') return false;
  if (board || scope !== mainScope) return board === true;
  if (status !== 'failed' && !tookAway({ kind, ...report }) && kind !== 'prune') return false;
  return (await table.get(issueKey(repository.id))) !== undefined;
}

function whatEnded(before: RowContent, run: Run, report: RunReport, asOf: AsOf): RowContent {
  return withoutUndefined({ ...before, ...ended(before, run, report, asOf) });
}

function ended(before: RowContent, run: Run, report: RunReport, asOf: AsOf): Ended {
  const { status, kind } = report;
  const source = { run: run.id, commit: run.commit, asOf };
  if (status === 'complete' && kind === 'apply') return { ...applied(before, run, report, source), lastFailed: undefined };
  if (status === 'complete' && tookAway(report)) return { ...nothingKnown, seen: source };
  if (status === 'complete' && kind === 'prune') return { lastFailed: undefined, orphans: undefined };
  if (status === 'complete' || status === 'partial') return { lastFailed: undefined };
  // What a tick asked for and could not have says nothing of what is pending.
  if (status === 'failed' && wroteNothing(report) && !metDrift(report) && !run.options.ticked) return { failed: { ...source, ...failureOf(report) } };
  const unsure = leftUnsure(report) || (metDrift(report) && !run.options.ticked) ? { unsure: true as const } : {};
  if (status !== 'failed' && status !== 'fenced-out') return unsure;
  const { code } = failureOf(report);
  return { ...unsure, lastFailed: { run: run.id, status, code, at: report.finishedAt } };
}

/**
 * A run that a tick started was about what its box names, and says nothing of the rest of the row. A repair puts back what an earlier commit has
 * released: it deploys none.
 */
function applied(before: RowContent, { id, commit, triggeredBy, options: { ticked } }: Run, report: RunReport, source: NonNullable<Row['seen']>): Ended {
  const { finishedAt, drift } = report;
  const by = ticked?.by ?? triggeredBy;
  const done = { run: id, at: finishedAt, ...(by === undefined ? {} : { by }) };
  const isRepair = ticked?.box === 'repair';
  // A run that found nothing to do has released nothing anew.
  const hasReleased = !isRepair && !(wroteNothing(report) && before.applied);
  const orphans = drift.filter(({ kind }) => kind === 'orphan').length;
  return {
    ...(hasReleased ? { applied: { ...done, commit } } : {}),
    ...(isRepair && !wroteNothing(report) ? { repaired: done } : {}),
    ...(ticked ? {} : { unsure: undefined, orphans: orphans === 0 ? undefined : orphans }),
    failed: undefined,
    seen: source,
    ...(isRepair ? {} : { pending: undefined }),
    // What a box of pending changes does leaves what drifted alone, and has its repair stand.
    drift: ticked?.box === 'apply' ? before.drift : undefined,
  };
}

function failureOf({ problem, lines }: RunReport): { code: Code; message: string } {
  const first = problem ?? lines.find((line) => line.problem)?.problem;
  return { code: first?.code ?? 'INTERNAL', message: first?.message ?? 'The run failed.' };
}
