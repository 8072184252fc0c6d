import type { Run } from '../run/items.ts';
import type { RunReport } from '../run/report.ts';
import type { JobWorld } from '../run/world.ts';
import { lookAgain } from '../ticks/look-again.ts';
import { leftUnsure, tookAway } from './left-unsure.ts';
import { isTold } from './note-run.ts';

/**
 * Has a row looked at anew once a run has ended that leaves nobody sure of it. After the lease is given back: a look under it would count for
 * nothing. A death before costs the row its words until the next scan or push.
 */
export async function lookAfterEnd(world: JobWorld, run: Run, report: RunReport): Promise<void> {
  const removed = report.status === 'complete' && tookAway(report);
  if (!removed && !leftUnsure(report)) return;
  if (await isTold(world, run, report)) await lookAgain(world, run);
}
