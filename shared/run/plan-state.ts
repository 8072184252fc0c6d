import type { LineState } from '../approvals/plan-document.ts';
import { Again } from './again.ts';
import type { Run } from './items.ts';
import type { ControlWorld } from './world.ts';

/** Object that holds the ledger as it was read before a round's first inspection. Written once: a repeated step reads the first. */
export const planStateKey = (run: Pick<Run, 'id' | 'round'>): string => `runs/${run.id}/state-${run.round}.json`;

export async function readPlanState(world: ControlWorld, run: Run): Promise<LineState[]> {
  const stored = await world.objects.get(planStateKey(run));
  if (!stored) throw new Again('the state that was planned over is not there', 5);
  return JSON.parse(stored.body) as LineState[];
}
