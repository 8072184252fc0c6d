import { closeQuestion } from '../approvals/question.ts';
import { lookAfterRest } from '../dashboard/look-after-end.ts';
import { guardOrBreakGlass } from '../guard/break-glass.ts';
import { planAgain } from '../guard/plan-again.ts';
import { isStale } from '../guard/stale.ts';
import { enterLease } from '../lease/lease.ts';
import type { LedgerLine } from '../ledger/entry.ts';
import { readHead } from '../ledger/head.ts';
import { readLedger } from '../ledger/ledger-line.ts';
import { madeBy } from '../ledger/made-by.ts';
import { settleScan } from '../scans/settle-scan.ts';
import { endRecorded } from '../stacks/end-recorded.ts';
import { wakeTickers } from '../ticks/look-after.ts';
import { type Arrival, arrive, isLeftBehind } from './arrive.ts';
import { ask } from './ask.ts';
import { mustRollBack, statusOf } from './assemble.ts';
import { isCancelled } from './cancel.ts';
import { mendCard } from './card.ts';
import { closeEarly } from './close-early.ts';
import { destroyLines } from './destroy-lines.ts';
import { orEndUnreadable } from './end-unreadable.ts';
import { endWaiting } from './end-waiting.ts';
import { afterWait } from './ending.ts';
import { enterPhase } from './enter-phase.ts';
import type { Run } from './items.ts';
import { eventHappened } from './look-for-event.ts';
import { queueLines, readOpenWork, tail } from './phase.ts';
import { prepare } from './prepare.ts';
import { releaseAndWake } from './release.ts';
import { resumeRun } from './resume.ts';
import { logEvent } from './run-log.ts';
import { runScope } from './run-scope.ts';
import { claimStep, freeStep, readLinesOfRound, readRun, saveOrAgain } from './run-store.ts';
import { ownJobs, settle, settlePlan } from './settle.ts';
import { tellAtLast } from './tell-at-last.ts';
import { dismissMachine, tellMachine } from './tell-machine.ts';
import { tendQuestion } from './tend-question.ts';
import type { ControlWorld } from './world.ts';

/**
 * One control step of a run: does what the run item says is due, whatever brought the message (P2). A run that is done gives
 * back a lease that a crash left with it; one that waits repeats what follows its waiting, which a crash may have cut off.
 *
 * @throws Again when the message must come back.
 */
export async function advance(world: ControlWorld, id: string, arrival?: Arrival): Promise<void> {
  const run = await readRun(world.table, id);
  if (!run) return;
  if (run.phase === 'waiting' || run.phase === 'done') return atRest(world, run, arrival);
  const claimed = await claimStep(world, run, await tellMachine(world, run));
  try {
    const now = arrival ? await arrive(world, claimed, arrival) : claimed;
    await step(world, now, arrival && !isLeftBehind(claimed, arrival) ? arrival : undefined);
  } catch (error) {
    await freeStep(world, claimed);
    throw error;
  }
}

/** Whatever follows a run's rest and may have been cut off by a death; and whatever of the machine waits for it is let go. */
async function atRest(world: ControlWorld, run: Run, arrival?: Arrival): Promise<void> {
  if (arrival) await world.machine.succeed(arrival.token, { next: 'done' });
  await dismissMachine(world, run);
  // A death right after the run's end left its question open: nobody must be shown it.
  if (run.phase === 'done' && run.question && run.honoured?.q !== run.question.q) await closeQuestion(world, { ...run.question, run: run.id });
  if (run.phase === 'waiting' && isCancelled(run)) return void (await endWaiting(world, run, 'cancelled', run.stopping?.problem));
  await mendCard(world, run);
  if (isDueAgain(world, run) || (await hasItsEvent(world, run))) return void (await resumeRun(world, run));
  await (run.phase === 'waiting' ? afterWait(world, run) : releaseAndWake(world, run));
  await tellAtLast(world, run);
  if (run.phase !== 'done') return;
  await wakeTickers(world, run);
  await lookAfterRest(world, run);
}

/** On a person's machine nobody tells of events: whoever wakes a waiting run there has it look. */
const hasItsEvent = async (world: ControlWorld, run: Run): Promise<boolean> =>
  run.phase === 'waiting' && world.stack === 'embedded' && (await eventHappened(world, run));

/** A provider's pause is over, or a failed destroy is to be tried once more. */
const isDueAgain = (world: ControlWorld, run: Run): boolean => run.resumeAt !== undefined && run.resumeAt <= world.clock.now();

async function step(world: ControlWorld, run: Run, arrival?: Arrival): Promise<void> {
  if (run.phase === 'awaiting') return tendQuestion(world, run, arrival?.step === 'ask' ? arrival : undefined);
  if (run.phase === 'guarding' || run.phase === 'preparing') {
    if (isCancelled(run)) return endCancelled(world, run);
    const due = run.phase === 'guarding' ? guardOrBreakGlass : prepare;
    return hasDied(run) ? endDeadPrepare(world, run) : orEndUnreadable(world, run, () => due(world, run));
  }
  if (run.phase === 'settling') return settleAsKind(world, run);
  const open = await readOpenWork(world, run);
  if (open.length === 0) return phaseDone(world, run);
  await tendOpenWork(world, run, open);
  return freeStep(world, run);
}

function settleAsKind(world: ControlWorld, run: Run): Promise<void> {
  if (run.kind === 'drift') return settleScan(world, run);
  return run.kind === 'plan' ? settlePlan(world, run) : settle(world, run);
}

/** Stopped by a person before a line of this round was let go. */
const endCancelled = (world: ControlWorld, run: Run): Promise<void> => closeEarly(world, run, 'cancelled', 'It was cancelled.', run.stopping?.problem);

const hasDied = (run: Run): boolean => run.stopping?.cause === 'died';

/**
 * What an earlier round of the run has made is undone; with nothing made, the run ends here (P1). Of a gated run it was approved, and
 * nothing was being written: it stays, as after any re-plan that fails, whichever of its steps died.
 */
async function endDeadPrepare(world: ControlWorld, run: Run): Promise<void> {
  if (run.kind === 'apply' && !run.gated && (await rollBack(world, run))) return;
  await closeEarly(world, run, 'failed', 'The run died while it was prepared.', run.problem);
}

/** Every line of the phase is final: no job of it can still be running (P1.4). What comes next is judged by the lines. */
async function phaseDone(world: ControlWorld, run: Run): Promise<void> {
  if (run.phase === 'planning' && isCancelled(run)) return endCancelled(world, run);
  if (run.phase === 'planning' && run.gated) return ask(world, run, await readLinesOfRound(world.table, run));
  if (run.phase === 'applying' && run.gated && !isCancelled(run) && (await movedOnly(world, run))) return planAgain(world, run);
  if (run.phase === 'applying' && (await mustUndo(world, run)) && (await rollBack(world, run))) return;
  await step(world, await saveOrAgain(world, run, { phase: 'settling', since: new Date(world.clock.now()).toISOString() }));
}

/** A line found its effects moved and nothing failed: the run plans again. With a failure beside it, an event's too, that wins (P7). */
async function movedOnly(world: ControlWorld, run: Run): Promise<boolean> {
  const status = statusOf(run, await readLinesOfRound(world.table, run));
  return (await isStale(world, run)) && status !== 'failed' && status !== 'superseded';
}

async function mustUndo(world: ControlWorld, run: Run): Promise<boolean> {
  if (run.kind !== 'apply' || isCancelled(run)) return false;
  return hasDied(run) || mustRollBack(run, await readLinesOfRound(world.table, run));
}

/** What a tool is at work on is no ground to undo anything from. @throws Again while it is not at its end. */
async function endOwnJobs(world: ControlWorld, run: Run, ledger: readonly LedgerLine[]): Promise<void> {
  const atWork = ownJobs(run, ledger);
  if (atWork.length === 0) return;
  const entry = await enterLease(world, runScope(run), run.id);
  if (entry.ours) await endRecorded(world, runScope(run), entry.tenure.fence, atWork);
}

/** Enters rolling back when the run has made anything, in any of its rounds. False: there is nothing to undo. */
async function rollBack(world: ControlWorld, run: Run): Promise<boolean> {
  const scope = runScope(run);
  const made = madeBy(run.id, await readHead(world.table, scope));
  const ledger = await readLedger(world.table, scope);
  await endOwnJobs(world, run, ledger);
  const lines = destroyLines(ledger, (line) => line.entries.some(made));
  if (lines.length === 0) return false;
  const specs = new Map((await readLinesOfRound(world.table, run)).map((line) => [line.spec.id, line.spec]));
  const inPlanOrder = lines.map((line) => ({ ...line, spec: { ...line.spec, order: specs.get(line.spec.id)?.order ?? line.spec.order } }));
  const entered = await enterPhase(world, run, { phase: 'rolling-back', lines: inPlanOrder, change: {}, fence: 0 });
  if (entered) await logEvent(world, entered, 'rolling back', { detail: `${lines.length} lines` });
  return true;
}

/**
 * What the sweep and late messages find in a phase that is still open: a finished line whose tail was cut off repeats it; a
 * ready line without a live claim is queued; a dependency that is final is taken out of the sets (P2).
 */
async function tendOpenWork(world: ControlWorld, run: Run, open: readonly { line: string; after: readonly string[] }[]): Promise<void> {
  const lines = (await readLinesOfRound(world.table, run)).filter((line) => line.phase === run.phase);
  const finished = lines.filter((line) => line.result !== undefined);
  const holding = new Set(open.flatMap((work) => [work.line, ...work.after]));
  for (const line of finished.filter((one) => holding.has(one.spec.id))) await tail(world, run, line);
  const now = world.clock.now();
  const idle = new Set(lines.filter((line) => line.result === undefined && line.until + 2 * world.timing.skew < now).map((line) => line.spec.id));
  await queueLines(
    world,
    run,
    open.filter((work) => work.after.length === 0 && idle.has(work.line)).map((work) => work.line),
  );
}
