import type { Item } from '../../shared/ports/table.ts';
import type { Workbench } from '../ports/workbench.ts';
import { runsOf } from '../property/stage.ts';

/** Records of which somebody has still to make something. */
const due = new Set(['recorded', 'open', 'untold']);

/** Nothing that the table holds is left for the schedule: every run has ended, waits for an event or asks, and every record was looked at. */
export function leavesNothing({ memory, clock }: Workbench): boolean {
  // Whoever stood still past its own claim may have taken the lease of a run that is over: it runs out by itself (P3).
  const isHeld = (item: Item): boolean => item.sk === 'LEASE' && item['released'] !== true && Number(item['expiresAt']) >= clock.now();
  return (
    runsOf({ memory }).every((run) => ['done', 'waiting', 'awaiting'].includes(run.phase) && !(run.outcome === 'failed' && run.resumeAt !== undefined)) &&
    !memory.each().some((item) => due.has(String(item['status'])) || isHeld(item))
  );
}
