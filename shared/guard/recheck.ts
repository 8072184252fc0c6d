import { movedValues } from '../approvals/differences.ts';
import { findPlanDocument, type PlanDocument, stateOf } from '../approvals/plan-document.ts';
import { closeQuestion } from '../approvals/question.ts';
import { isStack } from '../engine/line-call.ts';
import type { Problem } from '../errors/error.ts';
import type { Tenure } from '../lease/lease.ts';
import { readLedger } from '../ledger/ledger-line.ts';
import { recheckIn } from '../policy/policy.ts';
import type { Run } from '../run/items.ts';
import { queueStep } from '../run/phase.ts';
import { planStateKey } from '../run/plan-state.ts';
import { releaseAndWake } from '../run/release.ts';
import { logEvent } from '../run/run-log.ts';
import { runScope } from '../run/run-scope.ts';
import { freedStep, saveOrAgain } from '../run/run-store.ts';
import { takeLease } from '../run/take-lease.ts';
import type { ControlWorld } from '../run/world.ts';
import { type Going, goingOf } from './going.ts';
import { type Honoured, isRejectedMeanwhile, tellBrokenGlass } from './honour.ts';
import { recordStale, replannedAs } from './stale.ts';

/**
 * A recheck: after the state was found to be the one that was planned over, every line is inspected once more, under the lease, before
 * anything is applied (R4.4). It is a round of its own, in which lines are planned as ever:
 *
 *     guard ─▶ round + 1, every line planned ─▶ the same change set: that plan is thrown away, back to the guard
 *                                            └▶ another one: `plan.stale`, complete at once, and this plan is asked about
 *
 * What a later run of the guard finds judged under the same grant of the lease it does not judge again. A round that goes on after a wait
 * does not either: it applies what is left of what was rechecked (P2).
 */
export function needsRecheck(run: Run, { policy }: Pick<Going, 'policy'>, { decisions, q }: Honoured, tenure: Tenure): boolean {
  const { recheck } = run;
  const done = recheck?.q === q && recheck.holds === true && (recheck.round < run.round || recheck.fence === tenure.fence);
  return decisions.length > 0 && !done && recheckIn(policy, run.protects ?? [run.environment]);
}

/** The decision is used up, whatever the recheck finds: from here on `cancel` alone stops the run. */
export async function beginRecheck(world: ControlWorld, run: Run, honoured: Honoured, tenure: Tenure, going: Going): Promise<void> {
  await closeQuestion(world, { ...honoured, run: run.id });
  const round = run.round + 1;
  const recheck = { q: honoured.q, round, fence: tenure.fence };
  await tellBrokenGlass(world, run, honoured);
  const begun = await saveOrAgain(world, run, { phase: 'preparing', round, recheck, honoured: { ...honoured, round } }, ['cursor']);
  if (await isRejectedMeanwhile(world, begun, run.honoured, going.policy)) return;
  await logEvent(world, begun, 'rechecking', { detail: honoured.digest });
  await inspectAgain(world, begun, going);
}

/** Goes on with a recheck that a death cut off. A lease that was lost since says nothing about what it found: the guard starts over. */
export async function resumeRecheck(world: ControlWorld, run: Run): Promise<void> {
  const held = await takeLease(world, run);
  if (!held) return;
  if (held.tenure.fence !== run.recheck?.fence) return backToGuard(world, run, {});
  const going = await goingOf(world, run);
  if (going) await inspectAgain(world, run, going);
}

async function inspectAgain(world: ControlWorld, run: Run, going: Going): Promise<void> {
  const state = stateOf(await readLedger(world.table, runScope(run)));
  await world.objects.put(planStateKey(run), JSON.stringify(state), { ifAbsent: true });
  await going.plan(run, run.protects ?? [run.environment]);
}

async function backToGuard(world: ControlWorld, run: Run, change: Pick<Run, 'recheck'> | object): Promise<void> {
  const since = new Date(world.clock.now()).toISOString();
  await saveOrAgain(world, run, { ...change, phase: 'guarding', status: 'open', since, step: freedStep(run) });
  await queueStep(world, run);
}

/** What came of a recheck: undefined when the run has gone back to its guard, else the run as it asks anew, or why it cannot. */
export type Rechecked = { readonly run: Run } | { readonly problem: Problem } | undefined;

/**
 * Whether a stack would be given other values than were approved, or found with others: its saved plan is run as it is, so that no line finds that out
 * right before it writes, as every other line does.
 */
function valuesOfStacksMoved(world: ControlWorld, approved: PlanDocument, fresh: PlanDocument): boolean {
  const stacks = new Set(fresh.lines.filter((line) => isStack(world, line)).flatMap(({ effects }) => effects.map(({ address }) => address)));
  return stacks.size > 0 && movedValues(approved, fresh).some(({ address }) => stacks.has(address));
}

/**
 * Compares the fresh plan with the approved one, by address and actions alone (R4.10): what it cannot see is each line's own to find right
 * before it writes. The same: the fresh plan is thrown away and the approved one runs (R4.5). Another: the stop is recorded whole before
 * anything else happens, the decision is used up, and the lease is given back before people are asked.
 */
export async function judgeRecheck(world: ControlWorld, run: Run, document: PlanDocument, digest: string): Promise<Rechecked> {
  const { honoured, recheck } = run as Run & { honoured: Honoured; recheck: NonNullable<Run['recheck']> };
  const approved = await findPlanDocument(world.objects, honoured.digest);
  if (!approved.document) return { problem: approved.problem };
  const found = replannedAs(approved.document, document, digest);
  if (!found.differs && !valuesOfStacksMoved(world, approved.document, document)) {
    await backToGuard(world, run, { recheck: { ...recheck, holds: true } });
    return undefined;
  }
  // Of the round that was approved: this one has a plan of its own, which nobody has answered yet.
  await recordStale(world, { ...run, round: run.round - 1 }, 'guard', 'drift', found);
  const asks = await saveOrAgain(world, run, {}, ['honoured', 'recheck', 'cursor']);
  await logEvent(world, asks, 'plan.stale', { detail: honoured.digest });
  await releaseAndWake(world, asks);
  return { run: asks };
}
