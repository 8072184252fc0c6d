import { inOrder } from '../approvals/effect.ts';
import { storeEffects } from '../approvals/effects-document.ts';
import type { Problem } from '../errors/error.ts';
import { isLive, readLease } from '../lease/lease.ts';
import { readHead } from '../ledger/head.ts';
import { readLedger } from '../ledger/ledger-line.ts';
import { reportOf, statusOf } from '../run/assemble.ts';
import { close } from '../run/ending.ts';
import type { Run, RunLine } from '../run/items.ts';
import { orphansOf } from '../run/orphans.ts';
import { planInputs } from '../run/plan-inputs.ts';
import type { DriftItem } from '../run/report.ts';
import { storeReport } from '../run/reports.ts';
import { runScope } from '../run/run-scope.ts';
import { withoutSharedNames } from '../run/same-name.ts';
import { openRun } from '../run/settle.ts';
import type { ControlWorld } from '../run/world.ts';
import type { Findings, LineFinding } from './findings.ts';
import { findingOf } from './findings-of.ts';
import { readAllDriftFound } from './found.ts';
import { handOver } from './hand-over.ts';
import { namesOfNothing } from './ignored.ts';
import { readFindings, storeFindings } from './store-findings.ts';

/**
 * Ends a scan: its report, its findings, and whoever they are for. No lease, no chain, no ledger (I4). Every part may run twice; the findings
 * that were stored first are the ones that are handed on.
 */
export async function settleScan(world: ControlWorld, run: Run): Promise<void> {
  const { lines: planned } = await openRun(world, run);
  const lines = withoutSharedNames(planned);
  const beside = await orphansBeside(world, run, lines);
  const status = statusOf(run, lines);
  const finishedAt = new Date(world.clock.now()).toISOString();
  const report = world.redactor.maskJson(reportOf(run, { status, lines, inputs: planInputs(world, lines), managed: 0, finishedAt, drift: beside }));
  const findings = (await readFindings(world, run)) ?? (await storeFindings(world, await findingsOf(world, run, lines, finishedAt, report.drift)));
  await handOver(world, run, findings);
  const key = await storeReport(world, report);
  await close(world, run, report, key);
}

/** A scan that could not be made at all says so where its findings would stand: what was found before stays. */
export async function handOverFailure(world: ControlWorld, run: Run, problem: Problem): Promise<void> {
  const findings = { ...aboutScan(run, new Date(world.clock.now()).toISOString()), lines: [], beside: [], problem };
  await handOver(world, run, (await readFindings(world, run)) ?? (await storeFindings(world, findings)));
}

/**
 * What no line wants any more. A scan of some lines does not know, and neither does one beside a run: that one's own lines would look as if
 * nobody wanted them.
 */
async function orphansBeside(world: ControlWorld, run: Run, lines: readonly RunLine[]): Promise<readonly DriftItem[]> {
  const scope = runScope(run);
  if (isPartial(run)) return [];
  const ledger = await readLedger(world.table, scope);
  const lease = await readLease(world, scope);
  const settled = (await readHead(world.table, scope))?.settled?.fence ?? 0;
  if (isLive(lease, world.clock.now() - 2 * world.timing.skew) || settled !== (run.asOf?.fence ?? 0)) return [];
  return orphansOf(ledger, lines).drift;
}

const isPartial = ({ options }: Run): boolean => options.scan?.lines !== undefined;

function aboutScan(run: Run, endedAt: string): Omit<Findings, 'lines' | 'beside'> {
  const { id, repository, plan, environment, scope, commit, startedAt, options } = run;
  return {
    run: id,
    repository,
    plan: plan.name,
    environment,
    scope,
    commit,
    by: options.scan?.by ?? 'person',
    startedAt,
    endedAt,
    asOf: run.asOf ?? { fence: 0, at: startedAt },
    ...(isPartial(run) ? { partial: true as const } : {}),
  };
}

async function findingsOf(world: ControlWorld, run: Run, looked: readonly RunLine[], endedAt: string, beside: readonly DriftItem[]): Promise<Findings> {
  const scope = runScope(run);
  const known = await readAllDriftFound(world.table, scope);
  const ledger = new Map((await readLedger(world.table, scope)).map((line) => [line.line, line]));
  const asked = run.options.scan?.lines;
  const found = looked
    .filter(({ spec }) => asked === undefined || asked.includes(spec.id))
    .map((line) => findingOf({ run, line, known: known.get(line.spec.id), ledger: ledger.get(line.spec.id) }));
  const native = found.filter(({ stack }) => stack === undefined);
  const pending = await boxed(world, native, (one) => one.pending === true, true);
  const drifted = await boxed(world, native, (one) => one.drifted !== undefined && one.pending !== true, false);
  const unmatched = isPartial(run)
    ? []
    : namesOfNothing(
        looked.map(({ spec, result }) => ({ rules: spec.ignores ?? [], seen: result?.scanned?.looked === 'yes' ? result.scanned.resources : undefined })),
      );
  const outside = beside.filter(({ kind }) => kind === 'unmanaged' || kind === 'orphan');
  return {
    ...aboutScan(run, endedAt),
    lines: await Promise.all(found.map((line) => withBox(world, line))),
    ...(pending ? { apply: pending } : {}),
    ...(drifted ? { repair: drifted } : {}),
    ...(unmatched.length > 0 ? { unmatched } : {}),
    beside: outside,
  };
}

type Picked = (resource: LineFinding['resources'][number]) => boolean;

/** What one box stands for, by the lines' own effects. */
async function boxed({ objects }: ControlWorld, found: readonly LineFinding[], picked: Picked, deeds: boolean): Promise<Findings['apply']> {
  const lines = found
    .map(({ id, resources, ...line }) => ({ id, effects: [...resources.filter(picked).flatMap(({ effect }) => effect ?? []), ...(deeds ? line.deeds : [])] }))
    .filter(({ effects }) => effects.length > 0);
  const digest = await storeEffects(objects, lines);
  return digest === undefined ? undefined : { digest, lines };
}

/**
 * The box of a stack's own row: all that its tool would do, since it does all of it or nothing (R2.16, R2.25), with the effect of the stack as a whole, which
 * names no saved plan.
 */
async function withBox({ objects }: ControlWorld, line: LineFinding): Promise<LineFinding> {
  const { id, stack, resources } = line;
  const head = stack?.look?.head;
  if (!stack || !head || line.looked !== 'yes') return line;
  const lines = [{ id, effects: inOrder([head, ...resources.flatMap(({ effect }) => effect ?? [])]) }];
  const digest = await storeEffects(objects, lines);
  return digest === undefined ? line : { ...line, stack: { ...stack, box: { digest, lines } } };
}
