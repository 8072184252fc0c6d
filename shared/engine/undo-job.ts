import { isUnreadable } from '../errors/error.ts';
import { enterLease } from '../lease/lease.ts';
import { isOrphan } from '../ledger/entry.ts';
import { readHead } from '../ledger/head.ts';
import { readLedgerLine } from '../ledger/ledger-line.ts';
import { madeBy } from '../ledger/made-by.ts';
import { deadline } from '../run/deadline.ts';
import type { JobAnswer, LineResult, Run, RunLine } from '../run/items.ts';
import { runScope } from '../run/run-scope.ts';
import type { World } from '../run/world.ts';
import { entryCalls } from './entry-call.ts';
import { openSecrets, readNeeds } from './inputs.ts';
import { type Undone, undoLine } from './undo-line.ts';

const nothing = { changes: [], outputs: {} } as const;

/** One line of a destroy or of a rollback. Both work from the ledger alone, and neither looks whether the run is stopping (P1). */
export async function undoPhaseLine(world: World, run: Run, line: RunLine): Promise<JobAnswer> {
  const rollingBack = run.phase === 'rolling-back';
  const blocked = await blockedBy(world, run, line, rollingBack);
  if (blocked) return { result: { ...nothing, status: rollingBack ? 'rollback_failed' : 'skipped', problem: blocked } };
  const scope = runScope(run);
  const entry = await enterLease(world, scope, run.id);
  if (!entry.ours)
    return {
      result: { ...nothing, status: 'skipped', problem: { code: 'LOCK_LOST', message: `Run ${entry.lease?.holder ?? 'unknown'} has taken the lease.` } },
    };
  const ledger = await readLedgerLine(world.table, scope, line.spec.id);
  if (!ledger) return { result: { ...nothing, status: rollingBack ? 'rolled_back' : 'destroyed' } };

  const secrets = await openSecrets(world, run);
  const guard = deadline(world.clock, line.until, entry.tenure.deadline);
  const only = rollingBack ? madeBy(run.id, await readHead(world.table, scope)) : run.kind === 'prune' ? isOrphan : () => true;
  const callOf = entryCalls(world, run, line.spec.id, secrets, guard);
  const undone = await undoLine({ world, run, scope, tenure: entry.tenure, guard, ledger, callOf }, only);
  return { result: rollingBack ? rolledBack(undone) : destroyed(undone) };
}

/** A line that stands on this one must be gone first; one that could not be removed keeps this one standing. */
async function blockedBy(world: World, run: Run, line: RunLine, rollingBack: boolean): Promise<LineResult['problem']> {
  const needs = await readNeeds(world, run, line, new Set(rollingBack ? ['rolled_back'] : ['destroyed']));
  return needs.state === 'dead' ? needs.problem : undefined;
}

function rolledBack({ problem, destroyed: removed }: Undone): LineResult {
  const notes = removed.length > 0 ? { undone: removed.join(', ') } : {};
  if (!problem) return { ...nothing, status: 'rolled_back', notes };
  return { ...nothing, status: 'rollback_failed', notes, problem: { ...problem, code: 'ROLLBACK_FAILED' } };
}

function destroyed({ problem, destroyed: removed, kept, changedOutside }: Undone): LineResult {
  const notes = {
    ...(removed.length > 0 ? { destroyed: removed.join(', ') } : {}),
    ...(changedOutside.length > 0 ? { changedOutside: changedOutside.join(', ') } : {}),
  };
  if (!problem) return { ...nothing, status: 'destroyed', notes, kept };
  const code = problem.code === 'INTENT_UNRESOLVED' || isUnreadable(problem.code) ? problem.code : 'DESTROY_FAILED';
  return { ...nothing, status: 'destroy_failed', notes, kept, problem: { ...problem, code } };
}
