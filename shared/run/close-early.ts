import { isUnreadable, type Problem } from '../errors/error.ts';
import { dropOpenRuns } from '../ledger/head.ts';
import { reportOf } from './assemble.ts';
import { close } from './ending.ts';
import type { Run } from './items.ts';
import { managedNow } from './managed.ts';
import { publish } from './publish.ts';
import type { RunStatus } from './report.ts';
import { storeReport } from './reports.ts';
import { runScope } from './run-scope.ts';
import { hasApplied, settleAs } from './settle-asked.ts';
import type { ControlWorld } from './world.ts';

/**
 * Ends a run before any line of its round was worked on: refused, superseded, stale, or with nothing to do. Nothing was written but its
 * own items; what an earlier round applied was approved and stays: then the run settles, so that its receipt says so.
 */
export async function closeEarly(world: ControlWorld, run: Run, status: RunStatus, why: string, problem?: Problem): Promise<void> {
  const reason: Problem | undefined = problem ?? (status === 'complete' ? undefined : { code: status === 'stale' ? 'STALE' : 'SUPERSEDED', message: why });
  if (run.gated && !isUnreadable(problem?.code) && (await hasApplied(world, run))) return settleAs(world, run, status, reason ? { problem: reason } : {});
  const report = reportOf(run, {
    status,
    lines: [],
    managed: await managedNow(world, run),
    finishedAt: new Date(world.clock.now()).toISOString(),
    ...(reason ? { problem: reason } : {}),
  });
  const key = await storeReport(world, report);
  await publish(world, run, report);
  if (run.question) await dropOpenRuns(world, runScope(run), [run.id]);
  await close(world, run, report, key);
}
