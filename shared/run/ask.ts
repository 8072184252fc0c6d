import { findPlanDocument, type PlanDocument, wouldWrite } from '../approvals/plan-document.ts';
import { notePlanned } from '../dashboard/note-planned.ts';
import { openEverySecret } from '../engine/run-secrets.ts';
import type { Problem } from '../errors/error.ts';
import { judgeRecheck } from '../guard/recheck.ts';
import { announceStops, completeStale, readStops, replannedAs } from '../guard/stale.ts';
import { judgeTicked, refusedSince } from '../ticks/judge-ticked.ts';
import { storeAsked } from './asked-report.ts';
import { reportOf, statusOf } from './assemble.ts';
import { assemblePlan } from './assemble-plan.ts';
import { closeEarly } from './close-early.ts';
import { close } from './ending.ts';
import { isRechecking, type Run, type RunLine } from './items.ts';
import { managedNow } from './managed.ts';
import { maskLines } from './mask-lines.ts';
import { queueStep } from './phase.ts';
import { planInputs } from './plan-inputs.ts';
import { publish } from './publish.ts';
import { driveQuestion, putQuestion } from './put-question.ts';
import { storeReport } from './reports.ts';
import { freedStep, saveOrAgain } from './run-store.ts';
import { withoutSharedNames } from './same-name.ts';
import { hasApplied, settleAs } from './settle-asked.ts';
import type { ControlWorld } from './world.ts';

/**
 * Planning is done: what the run would do is put into one document, and people are asked (P7). A plan with refused or broken
 * lines ends the run without a question; one that would write nothing asks nothing and goes on to the guard.
 */
export async function ask(world: ControlWorld, run: Run, planned: readonly RunLine[]): Promise<void> {
  await openEverySecret(world, run, planned); // the redactor must know them before anything is stored
  const lines = withoutSharedNames(await maskLines(world, planned));
  const since = refusedSince(run, lines);
  if (since) return closeEarly(world, run, 'stale', since.message, since);
  if (statusOf(run, lines) === 'failed') return endPlanned(world, run, lines);
  const plan = await assemblePlan(world, run, lines);
  const { ticked } = run.options;
  const stands = ticked && (await judgeTicked(world, ticked, plan.document));
  if (stands && 'moved' in stands) return closeEarly(world, run, 'stale', stands.moved.message, stands.moved);
  if (!isRechecking(run)) return askAbout(world, run, lines, plan, stands?.left);
  const rechecked = await judgeRecheck(world, run, plan.document, plan.digest);
  if (rechecked === undefined) return;
  if ('problem' in rechecked) return closeEarly(world, run, 'failed', rechecked.problem.message, rechecked.problem);
  await askAbout(world, rechecked.run, lines, plan);
}

async function askAbout(
  world: ControlWorld,
  run: Run,
  lines: readonly RunLine[],
  { document, digest }: { readonly document: PlanDocument; readonly digest: string },
  left?: Problem,
): Promise<void> {
  const corrupt = await completeStops(world, run, document, digest);
  if (corrupt) return closeEarly(world, run, 'failed', corrupt.message, corrupt);
  await announceStops(world, run);
  const q = (run.question?.q ?? 0) + 1;
  // Where nobody decides, the tick is what the run is bound to: it is judged by the guard.
  const asksNobody = !wouldWrite(document) || (run.options.ticked !== undefined && run.protects?.length === 0);
  const expiresAt = (asksNobody ? run.options.ticked?.expiresAt : undefined) ?? world.clock.now() + (run.expiresMs ?? 0);
  const question = { q, digest, expiresAt };
  const step = freedStep(run);
  const told = left === undefined ? {} : { warnings: [...(run.warnings ?? []).filter(({ code }) => code !== left.code), left] };
  if (asksNobody) {
    const honoured = { q, digest, expiresAt, decisions: [], fence: 0, round: run.round };
    await saveOrAgain(world, run, { phase: 'guarding', question, honoured, status: 'open', step, ...told });
    return queueStep(world, run);
  }
  const execution = run.execution ?? `${run.id}-${run.round}`;
  const report = await storeAsked(world, run, question, lines);
  await notePlanned(world, run, lines);
  const since = new Date(expiresAt).toISOString();
  const asked = await saveOrAgain(world, run, { phase: 'awaiting', question, execution, status: 'awaiting', since, step, report, ...told });
  if (await putQuestion(world, asked)) await driveQuestion(world, asked);
}

/**
 * A plan that cannot be applied ends its run: nobody is asked about it. What an earlier round applied was approved and stays; then
 * the run settles, so that its receipt says so.
 */
async function endPlanned(world: ControlWorld, run: Run, lines: readonly RunLine[]): Promise<void> {
  if (await hasApplied(world, run)) return settleAs(world, run, 'failed');
  const stops = await readStops(world, run.id);
  const managed = await managedNow(world, run);
  const report = world.redactor.maskJson(reportOf(run, { status: 'failed', lines, inputs: planInputs(world, lines), managed, finishedAt: iso(world), stops }));
  await publish(world, run, report);
  await close(world, run, report, await storeReport(world, report));
}

/** Says in `plan.stale` what came of planning again. A problem: what was approved cannot be read, so nobody can say what differs. */
async function completeStops(world: ControlWorld, run: Run, document: PlanDocument, digest: string): Promise<Problem | undefined> {
  const before = (await readStops(world, run.id)).find((stop) => stop.replanned === null)?.approved;
  if (!before) return undefined;
  const approved = await findPlanDocument(world.objects, before);
  if (!approved.document) return approved.problem;
  await completeStale(world, run, replannedAs(approved.document, document, digest));
  return undefined;
}

const iso = (world: ControlWorld): string => new Date(world.clock.now()).toISOString();
