import { renderAfterMerge } from '../surfaces/after-merge.ts';
import { type OpenCheck, renderCheck, renderInProgress } from '../surfaces/check.ts';
import { prunedMarkerOf, renderComment } from '../surfaces/comment.ts';
import { showEnd } from './card.ts';
import type { Run } from './items.ts';
import { readAsked } from './read-asked.ts';
import type { RunReport } from './report.ts';
import { readRun } from './run-store.ts';
import { attempt, readShown, type Shown, saveShown } from './shown.ts';
import { shownBy } from './shown-by.ts';
import { tellMerged } from './tell-merged.ts';
import type { ControlWorld } from './world.ts';

/**
 * Shows where a run stands, or how its round ended: a check on its commit, and one comment per plan and environment on its pull
 * request. A host that cannot be reached costs the surface, never the run.
 */
export async function publish(world: ControlWorld, run: Run, report: RunReport): Promise<void> {
  if (run.options.afterMerge) return showAfterMerge(world, run, report);
  await showEnd(world, run, report);
  if (!isShown(world, run)) return;
  if (run.options.ticked) return showTicked(world, run, report);
  if (report.kind === 'prune') return showPruned(world, run, report);
  await tellMerged(world, run, report);
  const known = await readShown(world, run);
  if (saysNothing(report)) return hasBegun(run, known) ? endCheck(world, run, report, known) : undefined;
  await showComment(world, run, report, known);
  await showCheck(world, run, report, known);
}

/** A plan or a recovery that a person asked for, and a plan file that lies in no commit, are shown to that person alone. */
const isShown = (world: ControlWorld, run: Run): boolean =>
  world.codeHost.surfaces !== undefined && run.intent !== 'plan' && run.intent !== 'recover' && run.intent !== 'drift' && run.plan.object === undefined;

/** Runs that changed nothing and found nothing wrong: no comment, and a check only where one was begun. */
const saysNothing = (report: RunReport): boolean =>
  report.status === 'superseded' || report.status === 'stale' || (report.status === 'complete' && report.kind === 'destroy' && report.lines.length === 0);

/**
 * Whether a check of this run is open, or somebody asked for it again and looks for its end. One that another run of the same commit
 * has taken over is that run's.
 */
function hasBegun(run: Run, { check }: Shown): boolean {
  if (check?.commit === run.commit) return check.run === undefined || check.run === run.id || check.run === run.retryOf;
  return run.kind === 'apply' || run.retryOf !== undefined;
}

/**
 * A prune answers on the pull request it was asked for on. It says nothing of the commit: comment and check of the scope stay as they are.
 * One that people are asked about has a check of its own, where they answer.
 */
async function showPruned(world: ControlWorld, run: Run, report: RunReport): Promise<void> {
  const { pullRequest } = run;
  if (run.gated)
    await attempt(world, run, async () => {
      const check = { ...renderCheck(shownBy(world, report)), status: 'completed' as const, commit: run.commit, externalId: run.id };
      await world.codeHost.surfaces?.upsertCheck(run.repository, check);
    });
  if (pullRequest === undefined) return;
  await attempt(world, run, async () => {
    const { marker, body } = renderComment(shownBy(world, report), { marker: prunedMarkerOf(report.plan.name, report.environment) });
    await world.codeHost.surfaces?.upsertComment(run.repository, pullRequest, marker, body);
  });
}

/**
 * What a tick started is shown on the dashboard. One that people are asked about has a check of its own beside that, where they answer; what
 * the commit's own check says of its release stays.
 */
async function showTicked(world: ControlWorld, run: Run, report: RunReport): Promise<void> {
  const { ticked } = run.options;
  if (!ticked || run.question === undefined || run.protects?.length === 0) return;
  await attempt(world, run, async () => {
    const { name, ...shown } = renderCheck(shownBy(world, report));
    const check = { ...shown, name: `${name} · ${ticked.box}`, status: 'completed' as const, commit: run.commit, externalId: run.id };
    await world.codeHost.surfaces?.upsertCheck(run.repository, check);
  });
}

/**
 * What merging would do, on the commit that would be merged: a check of its own. The scope's record of what it shows is about what stands
 * there, and knows nothing of it.
 */
async function showAfterMerge(world: ControlWorld, run: Run, report: RunReport): Promise<void> {
  await attempt(world, run, async () => {
    const check = { ...renderAfterMerge(shownBy(world, report)), commit: run.commit, externalId: run.id, status: 'completed' as const };
    await world.codeHost.surfaces?.upsertCheck(run.repository, check);
  });
}

async function showComment(world: ControlWorld, run: Run, report: RunReport, known: Shown): Promise<void> {
  const { pullRequest } = run;
  if (pullRequest === undefined) return;
  await attempt(world, run, async () => {
    const { marker, body } = renderComment(shownBy(world, report));
    const comment = await world.codeHost.surfaces?.upsertComment(run.repository, pullRequest, marker, body, known.comment);
    if (comment !== undefined && comment !== known.comment) await saveShown(world, run, { comment });
  });
}

async function showCheck(world: ControlWorld, run: Run, report: RunReport, known: Shown): Promise<void> {
  await attempt(world, run, async () => upsertCheck(world, run, { ...renderCheck(shownBy(world, report)), status: 'completed' }, known));
}

/** Shows at the start that a run is at work on this commit. */
export async function publishStart(world: ControlWorld, run: Run): Promise<void> {
  if (!isShown(world, run) || run.options.ticked) return;
  const known = await readShown(world, run);
  await attempt(world, run, async () => {
    await upsertCheck(world, run, { ...inProgress(run), status: 'in_progress' }, known);
  });
}

/**
 * Says something on one check of a run beside how the run stands: the answer to a button that was pressed there. The next change of the run
 * writes the check anew.
 */
export async function publishNote(world: ControlWorld, run: Run, note: string, check: number): Promise<void> {
  if (!isShown(world, run)) return;
  const rests = run.phase === 'awaiting' || run.phase === 'waiting' || run.phase === 'done';
  await attempt(world, run, async () => {
    const fixed = { commit: run.commit, externalId: run.id };
    const shown = rests
      ? { ...renderCheck(shownBy(world, await readAsked(world, run)), note), ...fixed, status: 'completed' as const }
      : { ...withNote(inProgress(run), note), ...fixed, status: 'in_progress' as const };
    await world.codeHost.surfaces?.upsertCheck(run.repository, shown, check);
  });
}

const withNote = (shown: OpenCheck, note: string): OpenCheck => ({ ...shown, summary: `${note}\n${shown.summary}` });

const inProgress = (run: Run): OpenCheck =>
  renderInProgress({ plan: run.plan.name, environment: run.environment, kind: run.kind ?? 'apply', run: run.id, commit: run.commit });

type ShownCheck = Omit<Parameters<NonNullable<ControlWorld['codeHost']['surfaces']>['upsertCheck']>[1], 'commit' | 'externalId'>;

async function upsertCheck(world: ControlWorld, run: Run, shown: ShownCheck, { check: known }: Shown): Promise<void> {
  const ofCommit = known?.commit === run.commit ? known : undefined;
  const id = await world.codeHost.surfaces?.upsertCheck(run.repository, { ...shown, commit: run.commit, externalId: run.id }, ofCommit?.id);
  if (id !== undefined && (id !== ofCommit?.id || ofCommit.run !== run.id)) await saveShown(world, run, { check: { commit: run.commit, id, run: run.id } });
}

/**
 * Ends the check that a run began before it lost its lease: it would be in progress for ever. Comment and the scope's record of
 * what is shown are the new holder's, and so is the check where that run is at work on the same commit.
 */
export async function publishFencedOut(world: ControlWorld, run: Run, report: RunReport, holder: string): Promise<void> {
  if (!isShown(world, run) || (run.kind !== 'apply' && !run.gated)) return;
  if ((await readRun(world.table, holder))?.commit === run.commit) return;
  await endCheck(world, run, report, {});
}

/** Ends the check of a run that another one has overtaken: what the scope shows by now is that one's, and so is the record of it. */
async function endCheck(world: ControlWorld, run: Run, report: RunReport, { check: known }: Shown): Promise<void> {
  const check = { ...renderCheck(shownBy(world, report)), commit: run.commit, externalId: run.id, status: 'completed' as const };
  const id = known?.commit === run.commit ? known.id : undefined;
  await attempt(world, run, async () => void (await world.codeHost.surfaces?.upsertCheck(run.repository, check, id)));
}
