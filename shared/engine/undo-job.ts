import { amongApproved, type Effect, type GivenOutputs } from '../approvals/effect.ts';
import { isUnreadable } from '../errors/error.ts';
import { isStale, recordStale } from '../guard/stale.ts';
import { enterLease } from '../lease/lease.ts';
import { lockHolder } from '../lease/parent-lock.ts';
import type { Entry, LedgerLine } from '../ledger/entry.ts';
import { readHead } from '../ledger/head.ts';
import { readLedgerLine } from '../ledger/ledger-line.ts';
import { madeBy } from '../ledger/made-by.ts';
import { endAcceptance } from '../rulings/acceptance.ts';
import { readRuling, useUp } from '../rulings/ruling.ts';
import { deadline } from '../run/deadline.ts';
import type { JobAnswer, LineResult, Run, RunLine } from '../run/items.ts';
import { runScope } from '../run/run-scope.ts';
import { prunes } from '../run/undo.ts';
import type { World } from '../run/world.ts';
import { entryCalls } from './entry-call.ts';
import { readNeeds } from './inputs.ts';
import { removalOf } from './removal.ts';
import type { RunSecrets } from './run-secrets.ts';
import { hasBegunTool } from './stack-run.ts';
import { isStackEntry, keptStacks, undoStacks } from './stack-undo.ts';
import { pendingStep } from './step.ts';
import { type Undone, undoLine } from './undo-line.ts';

const nothing = { changes: [], outputs: {} } as const;

/** One line of a destroy or of a rollback. Both work from the ledger alone, and neither looks whether the run is stopping (P1). */
export async function undoPhaseLine(world: World, run: Run, line: RunLine, secrets: RunSecrets): Promise<JobAnswer> {
  const rollingBack = run.phase === 'rolling-back';
  const begun = line.spec.stack !== undefined && !rollingBack && (await hasBegunTool(world, run, line));
  if (!rollingBack && !begun && line.spec.approved && (await isStale(world, run))) return { result: { ...nothing, status: 'skipped', moved: true } };
  const needs = await readNeeds(world, run, line, new Set(rollingBack ? ['rolled_back'] : ['destroyed']));
  if (needs.state === 'dead') return { result: { ...nothing, status: rollingBack ? 'rollback_failed' : 'skipped', problem: needs.problem } };
  if (needs.state === 'waiting') return { result: { ...nothing, status: 'waiting', waitingOn: needs.on, waitingFor: needs.event } };
  const scope = runScope(run);
  const entry = await enterLease(world, scope, run.id);
  if (!entry.ours)
    return {
      result: { ...nothing, status: 'skipped', problem: { code: 'LOCK_LOST', message: `Run ${entry.lease?.holder ?? 'unknown'} has taken the lease.` } },
    };
  const found = await readLedgerLine(world.table, scope, line.spec.id);
  // A line that stands on this one must be gone first; one that could not be removed, or waits for a person, keeps this one standing.
  if (!found) return { result: { ...nothing, status: rollingBack ? 'rolled_back' : 'destroyed' } };

  const guard = deadline(world.clock, line.until, entry.tenure.deadline);
  const taken = rollingBack ? madeBy(run.id, await readHead(world.table, scope)) : goesIn(run);
  const only = (one: Entry): boolean => taken(one) && !isStackEntry(one);
  const attempt = { holder: lockHolder(run.id, line.spec.id, line.attempt), until: line.until };
  const callOf = entryCalls(world, run, line.spec.id, secrets, guard);
  const holding = { world, run, scope, tenure: entry.tenure, guard, ledger: found, callOf, attempt };
  const stacks = rollingBack ? { ledger: found } : await undoStacks({ ...holding, line, secrets }, taken);
  if (!('ledger' in stacks)) return stacks;
  const { ledger } = stacks;
  const asked = rollingBack ? undefined : line.spec.approved;
  const mayWrite = asked && ((...effects: Effect[]) => amongApproved(effects, asked, noOutputs));
  if (mayWrite && !mayWrite(...(await removalOf({ world, run, scope, ledger, callOf }, only)).effects)) return moved(world, run, line);
  const undone = await undoLine({ ...holding, ledger }, only, mayWrite);
  if (undone.moved) return moved(world, run, line);
  if (undone.ledger.entries.length === 0) await useUpWord(world, run, line.spec.id, ledger);
  // Nothing is left that could have been edited.
  if (undone.ledger.entries.length === 0 && !rollingBack) await endAcceptance(world, scope, run.id, line.spec.id);
  return { result: rollingBack ? rolledBack({ ...undone, kept: [...undone.kept, ...keptStacks(found, taken)] }) : destroyed(undone, line.spec.id) };
}

/** Which entries of its lines a removal takes. */
export const goesIn = ({ kind, options }: Pick<Run, 'kind' | 'options'>): ((entry: Entry) => boolean) => (kind === 'prune' ? prunes({ options }) : () => true);

/** A removal makes nothing that another line could have been given. */
const noOutputs: GivenOutputs = new Map();

/** What would go is not what was approved any more: nothing of that is deleted, and the run is planned again (P7). */
async function moved(world: World, run: Run, line: RunLine): Promise<JobAnswer> {
  await recordStale(world, run, line.spec.id, 'drift');
  const message = `What removing line ${line.spec.id} would delete is not what was approved any more.`;
  return { result: { ...nothing, status: 'skipped', moved: true, problem: { code: 'PLAN_STALE', message } } };
}

/**
 * A step that is forgotten takes every word about it along: one that was left would count for the next scope of that name. An attempt
 * that died before this finds the line empty, and does it again.
 */
async function useUpWord(world: World, run: Run, line: string, { adapter, op }: LedgerLine): Promise<void> {
  if (!world.registry.find(adapter, op)?.manual) return;
  const word = await readRuling(world.table, runScope(run), 'confirm', line);
  if (word) await useUp(world, runScope(run), run.id, word);
}

function rolledBack({ problem, destroyed: removed, kept, changedOutside }: Undone): LineResult {
  const notes = {
    ...(removed.length > 0 ? { undone: removed.join(', ') } : {}),
    ...(changedOutside.length > 0 ? { changedOutside: changedOutside.join(', ') } : {}),
  };
  if (!problem) return { ...nothing, status: 'rolled_back', notes, kept };
  return { ...nothing, status: 'rollback_failed', notes, kept, problem: { ...problem, code: 'ROLLBACK_FAILED' } };
}

function destroyed({ problem, destroyed: removed, kept, changedOutside, waitsFor }: Undone, line: string): LineResult {
  const notes = {
    ...(removed.length > 0 ? { destroyed: removed.join(', ') } : {}),
    ...(changedOutside.length > 0 ? { changedOutside: changedOutside.join(', ') } : {}),
  };
  if (waitsFor) {
    const pending = pendingStep(line, waitsFor);
    return { ...nothing, status: 'waiting', waitingFor: 'confirmation', notes, kept, manual: waitsFor, problem: pending };
  }
  if (!problem) return { ...nothing, status: 'destroyed', notes, kept };
  const code = problem.code === 'INTENT_UNRESOLVED' || isUnreadable(problem.code) ? problem.code : 'DESTROY_FAILED';
  return { ...nothing, status: 'destroy_failed', notes, kept, problem: { ...problem, code } };
}
