import type { Run } from '../run/items.ts';
import { isRemoval, type RunReport } from '../run/report.ts';
import type { ControlWorld } from '../run/world.ts';
import { lookAgain } from '../ticks/look-again.ts';
import { leftUnsure, metDrift, tookAway } from './left-unsure.ts';
import { isTold } from './note-run.ts';

/**
 * Has a row looked at anew once a run has ended that leaves nobody sure of it. After the lease is given back: a look under it would count for
 * nothing. A look has the run's own id, so that whoever repeats this starts none.
 */
export async function lookAfterEnd(world: ControlWorld, run: Run, report: RunReport): Promise<void> {
  const removed = report.status === 'complete' && tookAway(report);
  if (!removed && !leftUnsure(report) && !isKeptByDrift(run, report)) return;
  if (await isTold(world, run, report)) await lookAgain(world, run);
}

/** It would have read every line; as it was kept from that, a look costs no more. What a tick met is looked at by whoever answers the tick. */
const isKeptByDrift = ({ options }: Run, report: RunReport): boolean => metDrift(report) && options.ticked === undefined;

/** The same where a death cut it off: of a run at rest, by the report that it left. */
export async function lookAfterRest(world: ControlWorld, run: Run): Promise<void> {
  if (run.report === undefined || (!run.board && !isRemoval(run.kind) && run.kind !== 'recover')) return;
  const stored = await world.objects.get(run.report);
  if (stored) await lookAfterEnd(world, run, JSON.parse(stored.body) as RunReport);
}
