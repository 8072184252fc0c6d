import type { Problem } from '../errors/error.ts';
import { dropOpenRuns } from '../ledger/head.ts';
import { reportOf } from './assemble.ts';
import { forgetSecrets } from './forget-secrets.ts';
import type { Run } from './items.ts';
import { managedNow } from './managed.ts';
import { publish } from './publish.ts';
import { storeReport } from './reports.ts';
import { runScope } from './run-scope.ts';
import { readRunLines, saveRun } from './run-store.ts';
import type { ControlWorld } from './world.ts';

/**
 * Ends a run that waits for an event: another one took its place, or a person stopped it. It settled when it began to wait, so that the chain
 * of receipts has all that it did; this is only its end. What another run took over is that one's to show.
 *
 * @returns whether it has ended: one that was resumed meanwhile goes on.
 */
export async function endWaiting(world: ControlWorld, run: Run, status: 'superseded' | 'cancelled', problem: Problem | undefined): Promise<boolean> {
  const lines = (await readRunLines(world.table, run.id)).filter((line) => line.round === run.round);
  const managed = await managedNow(world, run);
  const told = problem ? { problem } : {};
  const report = reportOf(run, { status, lines, managed, finishedAt: new Date(world.clock.now()).toISOString(), ...told });
  const key = await storeReport(world, report);
  if (status === 'cancelled') await publish(world, run, report);
  // Before its end: whoever comes back here after a death finds it ended, and looks no further.
  await forgetSecrets(world, run);
  if (status === 'cancelled') await dropOpenRuns(world, runScope(run), [run.id]);
  const ended = { phase: 'done' as const, outcome: status, status, report: key, ...told };
  return (await saveRun(world, run, ended, ['since', 'resumeAt'])) !== undefined;
}
