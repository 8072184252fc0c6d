import type { LedgerLine } from '../ledger/entry.ts';
import { readLedger } from '../ledger/ledger-line.ts';
import { Again } from './again.ts';
import { mustRollBack } from './assemble.ts';
import { closeEarly } from './close-early.ts';
import { destroyLines } from './destroy-lines.ts';
import type { LinePhase, Run } from './items.ts';
import { putPhaseItems, queueLines, readOpenWork, swapPhase, tail } from './phase.ts';
import { prepare } from './prepare.ts';
import { releaseAndWake } from './release.ts';
import { resumeRun } from './resume.ts';
import { logEvent } from './run-log.ts';
import { runScope } from './run-scope.ts';
import { claimStep, freeStep, readRun, readRunLines } from './run-store.ts';
import { settle, settlePlan } from './settle.ts';
import type { ControlWorld } from './world.ts';

/**
 * One control step of a run: does what the run item says is due, whatever brought the message (P2). A run that is done
 * gives back a lease that a crash left with it; one that waits is left alone.
 *
 * @throws Again when the message must come back.
 */
export async function advance(world: ControlWorld, id: string): Promise<void> {
  const run = await readRun(world.table, id);
  if (!run) return;
  if (isDueAgain(world, run)) return void (await resumeRun(world, run));
  if (run.phase === 'waiting') return;
  if (run.phase === 'done') return releaseAndWake(world, run);
  const claimed = await claimStep(world, run);
  try {
    await step(world, claimed);
  } catch (error) {
    await freeStep(world, claimed);
    throw error;
  }
}

/** A provider's pause is over, or a failed destroy is to be tried once more. */
const isDueAgain = (world: ControlWorld, run: Run): boolean => run.resumeAt !== undefined && run.resumeAt <= world.clock.now();

async function step(world: ControlWorld, run: Run): Promise<void> {
  if (run.phase === 'preparing') return run.stopping?.cause === 'died' ? closeEarly(world, run, 'failed', died, run.problem) : prepare(world, run);
  const open = await readOpenWork(world, run);
  if (open.length > 0) {
    await tendOpenWork(world, run, open);
    return freeStep(world, run);
  }
  return phaseDone(world, run);
}

const died = 'The run died while it was prepared.';

/** Every line of the phase is final: no job of it can still be running (P1.4). What comes next is judged by the lines. */
async function phaseDone(world: ControlWorld, run: Run): Promise<void> {
  if (run.phase === 'planning') return settlePlan(world, run);
  if (run.phase === 'applying') {
    const lines = (await readRunLines(world.table, run.id)).filter((line) => line.round === run.round);
    const died = run.stopping?.cause === 'died' && run.kind === 'apply';
    if ((died || mustRollBack(run, lines)) && (await rollBack(world, run))) return;
  }
  return settle(world, run);
}

/** Enters rolling back when the run has made anything, in any of its rounds. False: there is nothing to undo. */
async function rollBack(world: ControlWorld, run: Run): Promise<boolean> {
  const ledger = await readLedger(world.table, runScope(run));
  const made = (line: LedgerLine) => line.entries.some((entry) => entry.run === run.id && entry.createdBy !== 'adopted');
  const lines = destroyLines(ledger, made);
  if (lines.length === 0) return false;
  const specs = new Map((await readRunLines(world.table, run.id)).map((line) => [line.spec.id, line.spec]));
  const inPlanOrder = lines.map((line) => ({ ...line, spec: { ...line.spec, order: specs.get(line.spec.id)?.order ?? line.spec.order } }));
  await putPhaseItems(world, run, 'rolling-back', run.round, inPlanOrder, 0, () => true);
  const swapped = await swapPhase(world, run, 'rolling-back', {});
  if (!swapped) throw new Again('the run moved on meanwhile', 0);
  await logEvent(world, swapped, 'rolling back', { detail: `${lines.length} lines` });
  return true;
}

/**
 * What the sweep and late messages find in a phase that is still open: a finished line whose tail was cut off repeats it; a
 * ready line without a live claim is queued; a dependency that is final is taken out of the sets (P2).
 */
async function tendOpenWork(world: ControlWorld, run: Run, open: readonly { line: string; after: readonly string[] }[]): Promise<void> {
  const lines = (await readRunLines(world.table, run.id)).filter((line) => line.round === run.round && line.phase === (run.phase as LinePhase));
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
