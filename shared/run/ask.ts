import { differences } from '../approvals/differences.ts';
import { effectsDigest, findPlanDocument, type PlanDocument } from '../approvals/plan-document.ts';
import { openQuestion, type Question, readQuestion, storeToken } from '../approvals/question.ts';
import { openSecrets } from '../engine/inputs.ts';
import type { Problem } from '../errors/error.ts';
import { completeStale, readStops } from '../guard/stale.ts';
import { addOpenRun, ensureHead, readHead } from '../ledger/head.ts';
import { Again } from './again.ts';
import { readAsked, storeAsked } from './asked-report.ts';
import { reportOf, statusOf } from './assemble.ts';
import { assemblePlan } from './assemble-plan.ts';
import { closeEarly } from './close-early.ts';
import { judgeAsked } from './decided.ts';
import { endAsked } from './end-asked.ts';
import { close } from './ending.ts';
import { forgetSecrets } from './forget-secrets.ts';
import type { Run, RunLine } from './items.ts';
import { managedNow } from './managed.ts';
import { publish } from './publish.ts';
import { storeReport } from './reports.ts';
import { logEvent } from './run-log.ts';
import { runAddress, runScope } from './run-scope.ts';
import { freeStep, readRun, readRunLines, saveRun } from './run-store.ts';
import { hasApplied, settleAs } from './settle-asked.ts';
import { supersedeOpenRuns } from './supersede.ts';
import { toQuestion } from './tell-machine.ts';
import type { ControlWorld } from './world.ts';

/**
 * Planning is done: what the run would do is put into one document, and people are asked (P7). A plan with refused or broken
 * lines ends the run without a question; one that would write nothing asks nothing and goes on to the guard.
 */
export async function ask(world: ControlWorld, run: Run, lines: readonly RunLine[]): Promise<void> {
  await openSecrets(world, run); // the redactor must know them before anything is stored
  if (statusOf(run, lines) === 'failed') return endPlanned(world, run, lines);
  const { document, digest } = await assemblePlan(world, run, lines);
  const corrupt = await completeStops(world, run, document, digest);
  if (corrupt) return closeEarly(world, run, 'failed', corrupt.message, corrupt);
  const q = (run.question?.q ?? 0) + 1;
  const expiresAt = world.clock.now() + (run.expiresMs as number);
  const writes = document.lines.some((line) => line.effects.length > 0);
  const question = { q, digest, expiresAt };
  const step = { attempt: run.step?.attempt ?? 0, until: 0 };
  if (!writes) {
    const honoured = { q, digest, expiresAt, decisions: [], fence: 0, round: run.round };
    await orAgain(saveRun(world, run, { phase: 'guarding', question, honoured, status: 'open', step }));
    return wake(world, run);
  }
  const execution = run.execution ?? `${run.id}-${run.round}`;
  const report = await storeAsked(world, run, question, lines);
  const since = new Date(expiresAt).toISOString();
  const asked = await orAgain(saveRun(world, run, { phase: 'awaiting', question, execution, status: 'awaiting', since, step, report }));
  await putQuestion(world, asked);
  await driveQuestion(world, asked);
}

const wake = (world: ControlWorld, run: Run) => world.queues.control({ format: 1, run: run.id, group: run.repository.id });

async function orAgain(saved: Promise<Run | undefined>): Promise<Run> {
  const run = await saved;
  if (!run) throw new Again('the run moved on meanwhile', 0);
  return run;
}

/**
 * A plan that cannot be applied ends its run: nobody is asked about it. What an earlier round applied was approved and stays; then
 * the run settles, so that its receipt says so.
 */
async function endPlanned(world: ControlWorld, run: Run, lines: readonly RunLine[]): Promise<void> {
  if (await hasApplied(world, run)) return settleAs(world, run, 'failed');
  const stops = await readStops(world, run.id);
  const managed = await managedNow(world, run);
  const report = world.redactor.maskJson(reportOf(run, { status: 'failed', lines, managed, finishedAt: iso(world), stops }));
  await publish(world, run, report);
  await close(world, run, report, await storeReport(world, report));
}

/** Says in `plan.stale` what came of planning again. A problem: what was approved cannot be read, so nobody can say what differs. */
async function completeStops(world: ControlWorld, run: Run, document: PlanDocument, digest: string): Promise<Problem | undefined> {
  const before = (await readStops(world, run.id)).find((stop) => stop.replanned === null)?.approved;
  if (!before) return undefined;
  const approved = await findPlanDocument(world.objects, before);
  if (!approved.document) return approved.problem;
  const differs = effectsDigest(approved.document) !== effectsDigest(document);
  await completeStale(world, run, digest, differs, differences(approved.document, document));
  return undefined;
}

/**
 * The question, after its digest stands in the run (P2). What goes with it comes first, so that a question that is there says that all
 * of it has happened: it was shown, older questions of the scope end, and the run is open in its scope.
 */
async function putQuestion(world: ControlWorld, run: Run): Promise<void> {
  const { q, digest, expiresAt } = questionOf(run);
  const address = runAddress(run);
  await publish(world, run, await readAsked(world, run));
  await forgetSecrets(world, run);
  const head = (await readHead(world.table, runScope(run))) ?? (await ensureHead(world, address, { fence: 0, deadline: 0 }));
  await supersedeOpenRuns(world, run, await olderOf(world, run, head.openRuns));
  await addOpenRun(world, runScope(run), run.id);
  await logEvent(world, run, 'asked', { detail: digest });
  await openQuestion(world, { run: run.id, q, digest, askedAt: iso(world), expiresAt }, address);
}

/** The runs that began before this one: a newer one's question is not its to end. */
async function olderOf(world: ControlWorld, run: Run, ids: readonly string[]): Promise<string[]> {
  const others = await Promise.all(ids.map((id) => readRun(world.table, id)));
  return others.flatMap((other) => (other && other.startedAt < run.startedAt ? [other.id] : []));
}

const questionOf = (run: Run): NonNullable<Run['question']> => run.question as NonNullable<Run['question']>;

/** The machine waits for the answer: told that a plan made anew is to be asked, or started. Repeating it starts nothing twice. */
async function driveQuestion(world: ControlWorld, run: Run): Promise<void> {
  const told = run.replan !== undefined && (await world.machine.succeed(run.replan.token, toQuestion(world, run))) === 'done';
  if (!told) await startExecution(world, run);
}

function startExecution(world: ControlWorld, run: Run): Promise<'started' | 'exists'> {
  const { expiresSeconds } = toQuestion(world, run);
  return world.machine.start(run.execution as string, { enter: 'ask', run: run.id, group: run.repository.id, expiresSeconds });
}

/**
 * A step of a run that is parked at a question: the token it brings is stored first, then decisions and expiry are looked at.
 * Whoever finds enough completes the token. Nobody may be waiting with it any more: its execution has ended, or goes to the guard just
 * now. The guard then begins without it; a state of the machine that comes later is told what has become of the run (P7).
 */
export async function tendQuestion(world: ControlWorld, run: Run, arrival?: { token: string; entered: string }): Promise<void> {
  const { expiresAt } = questionOf(run);
  const found = await questionThere(world, run);
  const question = arrival && found ? await storeToken(world, found, arrival.token, arrival.entered) : found;
  if (!question) throw new Again('the question is not there yet', 1);
  if (run.stopping) return endAsked(world, run, question, run.stopping.cause === 'died' ? 'failed' : 'superseded');
  const { verdict, counted } = await judgeAsked(world, run);
  if (verdict === 'reject') return endAsked(world, run, question, 'rejected', counted);
  if (verdict === undefined && expiresAt <= world.clock.now()) return endAsked(world, run, question, 'expired');
  if (verdict === 'approve' && !(await toGuard(world, run, question))) return guardUntold(world, run);
  // An embedded stack that was ended forgot its executions; a running one says that it exists.
  if (verdict === undefined && !arrival) await startExecution(world, run);
  return freeStep(world, run);
}

/** Tells the machine that there is something to guard. False: no state of it waits to hear that. */
async function toGuard(world: ControlWorld, run: Run, { token }: Question): Promise<boolean> {
  if (token === undefined) return (await startExecution(world, run)) === 'started';
  return (await world.machine.succeed(token, { next: 'guard' })) === 'done';
}

/** The question; a death between the swap and it must not leave a run that nobody can answer. */
async function questionThere(world: ControlWorld, run: Run): Promise<Question | undefined> {
  const { q, digest } = questionOf(run);
  const found = await readQuestion(world.table, digest, run.id, q);
  if (found) return found;
  await putQuestion(world, run);
  return readQuestion(world.table, digest, run.id, q);
}

async function guardUntold(world: ControlWorld, run: Run): Promise<void> {
  const since = iso(world);
  await orAgain(saveRun(world, run, { phase: 'guarding', status: 'open', since, step: { attempt: run.step?.attempt ?? 0, until: 0 } }));
  await wake(world, run);
}

export const plannedLines = async (world: ControlWorld, run: Run): Promise<RunLine[]> =>
  (await readRunLines(world.table, run.id)).filter((line) => line.round === run.round).sort((a, b) => a.spec.order - b.spec.order);

const iso = (world: ControlWorld): string => new Date(world.clock.now()).toISOString();
