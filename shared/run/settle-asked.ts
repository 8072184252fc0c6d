import type { Decision } from '../approvals/decision.ts';
import type { Problem } from '../errors/error.ts';
import { readLedger } from '../ledger/ledger-line.ts';
import type { Run } from './items.ts';
import { isRemoval, type RunStatus } from './report.ts';
import { runScope } from './run-scope.ts';
import { saveOrAgain } from './run-store.ts';
import { settle } from './settle.ts';
import type { ControlWorld } from './world.ts';

/** Whether an earlier round of the run has applied anything: its own word, where another run has written over it since, or the ledger's. */
export async function hasApplied(world: Pick<ControlWorld, 'table'>, run: Run): Promise<boolean> {
  if (run.appliedUnder !== undefined) return true;
  const ledger = await readLedger(world.table, runScope(run));
  // A removal writes a line only to take something out of it, and empties most.
  return ledger.some((line) => line.lastRun === run.id && (line.entries.length > 0 || isRemoval(run.kind)));
}

/** Settles a run that ends otherwise than its lines say: at its question, or before its next one. */
export async function settleAs(
  world: ControlWorld,
  run: Run,
  ending: RunStatus,
  why: { problem?: Problem; answers?: readonly Decision[] } = {},
): Promise<void> {
  const since = new Date(world.clock.now()).toISOString();
  await settle(world, await saveOrAgain(world, run, { phase: 'settling', ending, status: 'open', since, ...why }));
}
