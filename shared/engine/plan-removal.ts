import { type Effect, inOrder } from '../approvals/effect.ts';
import { enterLease } from '../lease/lease.ts';
import { largestLine, readLedgerLine } from '../ledger/ledger-line.ts';
import { isRechecking, type JobAnswer, type LineResult, type Run, type RunLine } from '../run/items.ts';
import type { PlannedStatus } from '../run/report.ts';
import { runScope } from '../run/run-scope.ts';
import type { World } from '../run/world.ts';
import { isOpen } from '../stacks/tool-record.ts';
import { entryCalls } from './entry-call.ts';
import { writesNothing } from './plan-job.ts';
import { type Removal, removalOf } from './removal.ts';
import type { RunSecrets } from './run-secrets.ts';
import { isStackEntry, type PlannedRemoval, planStackRemoval } from './stack-undo.ts';
import { goesIn } from './undo-job.ts';

const nothing = { changes: [], outputs: {} } as const;

/**
 * One line of a removal that people are asked about: what would go, read now. It works from the ledger alone, writes nothing to a provider
 * or to a ledger line (I4), and needs no claim: it may run twice (P1).
 */
export async function planRemovalLine(world: World, run: Run, line: RunLine, secrets: RunSecrets): Promise<JobAnswer> {
  if (run.stopping && !isOpen(line.tool)) return { result: { ...nothing, status: 'skipped' } };
  const scope = runScope(run);
  // As in a recheck of an apply: renewed by every job, and a lease that was lost is the guard's to find.
  if (isRechecking(run)) await enterLease(world, scope, run.id);
  const ledger = await readLedgerLine(world.table, scope, line.spec.id);
  if (!ledger) return { result: { ...nothing, status: 'unchanged', effects: [] } };
  const callOf = entryCalls(world, run, line.spec.id, secrets, writesNothing);
  const stack = await planStackRemoval({ world, run, scope, ledger, callOf, line, secrets }, goesIn(run));
  if (stack && !('effects' in stack)) return stack;
  const goes = goesIn(run);
  const removal = await removalOf({ world, run, scope, ledger, callOf }, (entry) => goes(entry) && !isStackEntry(entry));
  return { result: fitting(line, { ...resultOf(stack ? withStack(removal, stack) : removal), ...(stack?.stack ? { stack: stack.stack } : {}) }) };
}

/** A stack goes before whatever else the line holds. */
const withStack = (removal: Removal, stack: PlannedRemoval): Removal => ({
  ...removal,
  effects: inOrder([...stack.effects, ...removal.effects]),
  changes: [...stack.changes, ...removal.changes],
  left: [...stack.left, ...removal.left],
});

function resultOf({ effects, changes, left, edited, manual }: Removal): LineResult {
  const notes = {
    ...(left.length > 0 ? { leaves: left.join(', ') } : {}),
    ...(edited.length > 0 ? { edited: `${edited.join(', ')}: edited outside since Lockkeeper wrote it, and would be deleted all the same` } : {}),
  };
  return {
    ...nothing,
    changes,
    effects,
    status: statusOf(effects),
    ...(Object.keys(notes).length > 0 ? { notes } : {}),
    ...(manual ? { manual, waitingFor: 'confirmation' } : {}),
  };
}

/** Named for what weighs most of what it would do. */
function statusOf(effects: readonly Effect[]): PlannedStatus {
  const actions = new Set(effects.map(({ action }) => action));
  if (actions.has('delete')) return 'delete';
  if (actions.has('update')) return 'update';
  if (actions.has('run')) return 'run';
  return actions.has('todo') ? 'todo' : 'unchanged';
}

/** What is asked about is kept in the line's item, and stays there while the line is worked on. */
function fitting({ spec }: RunLine, result: LineResult): LineResult {
  const size = Buffer.byteLength(JSON.stringify([result.changes, result.effects]));
  if (size <= largestLine) return result;
  const message = `What removing line ${spec.id} would do takes ${Math.ceil(size / 1024)} KB; a line holds ${largestLine / 1024} KB.`;
  return { ...nothing, status: 'blocked', problem: { code: 'LINE_TOO_LARGE', message } };
}
