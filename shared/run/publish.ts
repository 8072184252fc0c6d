import { maskProblem } from '../engine/line-call.ts';
import { problemOf } from '../errors/error.ts';
import { renderCheck, renderInProgress } from '../surfaces/check.ts';
import { renderComment } from '../surfaces/comment.ts';
import { always } from '../table/condition.ts';
import { surfaceKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import type { Run } from './items.ts';
import type { RunReport } from './report.ts';
import { logEvent } from './run-log.ts';
import { runScope } from './run-scope.ts';
import { readRun } from './run-store.ts';
import type { ControlWorld } from './world.ts';

/** Ids of what a scope has shown at its host, so that it is updated in place. */
interface Surfaces {
  readonly comment?: number;
  readonly check?: { readonly commit: string; readonly id: number };
}

/**
 * Shows a round's end on its pull request: one comment per plan and environment, one check per commit. A host that cannot be reached costs
 * the surface, never the run. A plan is for whoever asked for it: what stands on the pull request is what was done.
 */
export async function publish(world: ControlWorld, run: Run, report: RunReport): Promise<void> {
  const host = world.codeHost.surfaces;
  if (!host || run.pullRequest === undefined || run.intent === 'plan') return;
  const known = await readSurfaces(world, run);
  const started = known.check?.commit === run.commit;
  if (saysNothing(report)) return started ? showCheck(world, run, report, known) : undefined;
  await attempt(world, run, async () => {
    const { marker, body } = renderComment(report);
    const comment = await host.upsertComment(run.repository, run.pullRequest as number, marker, body, known.comment);
    if (comment !== known.comment) await saveSurfaces(world, run, { comment });
  });
  await showCheck(world, run, report, known);
}

/** Runs that changed nothing and found nothing wrong: no comment, and a check only where one was begun. */
const saysNothing = (report: RunReport): boolean =>
  report.status === 'superseded' || report.status === 'stale' || (report.status === 'complete' && report.kind === 'destroy' && report.lines.length === 0);

async function showCheck(world: ControlWorld, run: Run, report: RunReport, known: Surfaces): Promise<void> {
  await attempt(world, run, async () => {
    const check = { ...renderCheck(report), commit: run.commit, externalId: run.id, status: 'completed' as const };
    const id = await world.codeHost.surfaces?.upsertCheck(run.repository, check, known.check?.commit === run.commit ? known.check.id : undefined);
    if (id !== undefined && id !== known.check?.id) await saveSurfaces(world, run, { check: { commit: run.commit, id } });
  });
}

/**
 * Ends the check that a run began before it lost its lease: it would be in progress for ever. Comment and the scope's record of
 * what is shown are the new holder's, and so is the check where that run is at work on the same commit.
 */
export async function publishFencedOut(world: ControlWorld, run: Run, report: RunReport, holder: string): Promise<void> {
  const host = world.codeHost.surfaces;
  if (!host || run.pullRequest === undefined || run.kind !== 'apply') return;
  if ((await readRun(world.table, holder))?.commit === run.commit) return;
  const check = { ...renderCheck(report), commit: run.commit, externalId: run.id, status: 'completed' as const };
  await attempt(world, run, async () => void (await host.upsertCheck(run.repository, check)));
}

/** Shows at the start that a run is at work on this commit. */
export async function publishStart(world: ControlWorld, run: Run): Promise<void> {
  const host = world.codeHost.surfaces;
  if (!host || run.pullRequest === undefined) return;
  await attempt(world, run, async () => {
    const known = await readSurfaces(world, run);
    const shown = renderInProgress({ plan: run.plan.name, environment: run.environment, kind: run.kind ?? 'apply', run: run.id, commit: run.commit });
    const check = { ...shown, commit: run.commit, externalId: run.id, status: 'in_progress' as const };
    const id = await host.upsertCheck(run.repository, check, known.check?.commit === run.commit ? known.check.id : undefined);
    if (id !== known.check?.id) await saveSurfaces(world, run, { check: { commit: run.commit, id } });
  });
}

async function attempt(world: ControlWorld, run: Run, show: () => Promise<void>): Promise<void> {
  try {
    await show();
  } catch (error) {
    const problem = problemOf(error);
    world.log.warn('a surface could not be written', { run: run.id, code: problem.code });
    await logEvent(world, run, 'surface failed', { problem: maskProblem(world, { code: 'SURFACE_FAILED', message: problem.message }) });
  }
}

async function readSurfaces(world: ControlWorld, run: Run): Promise<Surfaces> {
  const item = await world.table.get(surfaceKey(runScope(run)));
  return (item ?? {}) as Surfaces;
}

async function saveSurfaces(world: ControlWorld, run: Run, surfaces: Surfaces): Promise<void> {
  await write(world, surfaceKey(runScope(run)), { set: { ...surfaces } }, always);
}
